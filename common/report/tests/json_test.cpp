#include "example.hpp"

#include "report/json.hpp"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <limits>
#include <set>

namespace strata::report {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// JSON is YAML; the schema and strict parsers are tried on records in the Python tests.
YAML::Node parsed(Record const& record)
{
  return YAML::Load(to_json(record));
}

std::set<std::string> keys(YAML::Node const& object)
{
  std::set<std::string> names;
  for (auto const& member : object)
    names.insert(member.first.as<std::string>());
  return names;
}

TEST(Json, HasTheFieldsOfTheContract)
{
  auto const root = parsed(example::record());
  using Keys = std::set<std::string>;
  EXPECT_EQ(keys(root), (Keys{"schema", "suite", "app", "fom_version", "build", "run", "deck",
                              "placement", "mpi", "ceiling", "cases", "energy", "energy_reason",
                              "validity", "environment"}));
  EXPECT_EQ(keys(root["cases"][0]),
            (Keys{"label", "status", "reason", "axes", "problem", "work", "memory_bytes",
                  "samples_s", "inner", "rank_min_s", "rank_mean_s", "statistics", "converged",
                  "drift", "foms", "checks", "phases", "ratios"}));
  EXPECT_EQ(keys(root["run"]), (Keys{"id", "start_utc", "cmdline", "user_label", "system",
                                     "scheduler", "job_id", "array_index", "tier"}));
}

TEST(Json, KeepsEverySampleToTheLastBit)
{
  auto record = example::record();
  record.cases[0].samples_s = {0.1, 1.0 / 3, 3.0000000000000004e-3};
  auto const samples = parsed(record)["cases"][0]["samples_s"];
  EXPECT_EQ(samples.as<std::vector<double>>(), record.cases[0].samples_s);
}

TEST(Json, WritesSizesAsNumbersAndWordsAsWords)
{
  auto record = example::record();
  record.cases.resize(1);
  record.cases[0].problem = {{"size", "-42"},    {"fraction", "0.5"},
                             {"memory", "auto"}, {"id", "007"},
                             {"flag", "nan"},    {"empty", ""},
                             {"range", "1:2"},   {"large", "99999999999999999999"}};
  auto const json = to_json(record);
  for (auto const* member : {"\"size\": -42,", "\"fraction\": 0.5,", "\"memory\": \"auto\",",
                             "\"id\": \"007\",", "\"flag\": \"nan\",", "\"empty\": \"\",",
                             "\"range\": \"1:2\",", "\"large\": \"99999999999999999999\"}"})
    EXPECT_NE(json.find(member), std::string::npos) << member;
}

TEST(Json, SaysWhyANumberIsNull)
{
  auto record = example::record();
  record.cases[0].foms[0].best = std::numeric_limits<double>::infinity();
  record.cases[0].checks[0].error = nan;
  auto const one = parsed(record)["cases"][0];
  EXPECT_TRUE(one["foms"][0]["best"].IsNull());
  EXPECT_EQ(one["foms"][0]["best_reason"].as<std::string>(), "inf");
  EXPECT_FALSE(one["foms"][0]["value_reason"]);
  EXPECT_TRUE(one["checks"][0]["value"].IsNull());
  EXPECT_EQ(one["checks"][0]["value_reason"].as<std::string>(), "nan");
  EXPECT_EQ(to_json(record).find(": nan"), std::string::npos);
}

TEST(Json, SaysWhyThereIsNoCeilingOrEnergy)
{
  auto record = example::record();
  record.ceiling.reset();
  record.ceiling_reason = "tier smoke measures none";
  auto const root = parsed(record);
  EXPECT_TRUE(root["ceiling"].IsNull());
  EXPECT_EQ(root["ceiling_reason"].as<std::string>(), "tier smoke measures none");
  EXPECT_TRUE(root["energy"].IsNull());
  EXPECT_EQ(root["energy_reason"].as<std::string>(), "energy counters are not read");
}

TEST(Json, KeepsWhatBecameOfEveryCase)
{
  auto const cases = parsed(example::eventful_record())["cases"];
  std::vector<std::string> told;
  for (auto const& one : cases)
    told.push_back(one["status"].as<std::string>() + ": " + one["reason"].as<std::string>());
  EXPECT_EQ(told, (std::vector<std::string>{
                      "measured: ", "measured: ", "measured: ",
                      "failed: max_relative_error is 0.0012, at most 1e-13 is allowed",
                      "unavailable: cuBLAS was not found when this was built",
                      "incomplete: interrupted by SIGTERM"}));
  EXPECT_EQ(cases[3]["foms"].size(), 0U) << "a wrong answer has no figure of merit";
  EXPECT_EQ(cases[3]["samples_s"].size(), 20U);
  EXPECT_TRUE(cases[4]["statistics"].IsNull());
  EXPECT_EQ(cases[5]["statistics"]["n"].as<int>(), 3);
  EXPECT_TRUE(cases[5]["statistics"]["ci95"].IsNull());
}

TEST(Json, PairsRatiosWithTheirControl)
{
  auto const ratio = parsed(example::eventful_record())["cases"][1]["ratios"][0];
  EXPECT_EQ(ratio["against"].as<std::string>(), "triad/native/left/double");
  EXPECT_EQ(ratio["median"].as<double>(), 1.0123);
  EXPECT_EQ(ratio["ci95"].as<std::vector<double>>(), (std::vector<double>{1.009, 1.015}));
}

TEST(Json, TellsConvergenceAndDriftFromTheSamples)
{
  auto const cases = parsed(example::eventful_record())["cases"];
  EXPECT_TRUE(cases[0]["converged"].as<bool>());
  EXPECT_FALSE(cases[2]["converged"].as<bool>());
  EXPECT_FALSE(cases[0]["drift"].as<bool>());
}

TEST(Json, EscapesWhatUsersWrite)
{
  auto record = example::record();
  record.run.user_label = "a \"quote\", a \\ and\na line";
  auto const json = to_json(record);
  EXPECT_NE(json.find(R"("user_label": "a \"quote\", a \\ and\na line")"), std::string::npos);
}

} // namespace
} // namespace strata::report
