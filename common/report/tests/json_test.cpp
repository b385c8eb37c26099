#include "example.hpp"

#include "report/json.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace strata::report {
namespace {

// That it is JSON, and the JSON that the schema describes, is tried in the Python tests.

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

bool has(std::string const& json, std::string const& part)
{
  return json.find(part) != std::string::npos;
}

/// The values of every member of that name, as written.
std::vector<std::string> all(std::string const& json, std::string const& name)
{
  std::string const member = "\"" + name + "\": ";
  std::vector<std::string> values;
  for (auto at = json.find(member); at != std::string::npos; at = json.find(member, at)) {
    at += member.size();
    bool const quoted = json[at] == '"';
    bool const list = json[at] == '[';
    auto const end = json.find_first_of(quoted ? "\"" : list ? "]" : ",}\n", at + 1);
    values.push_back(json.substr(at, end - at + (quoted || list ? 1 : 0)));
  }
  return values;
}

using Words = std::vector<std::string>;

/// Names of the members that are indented so far.
Words names(std::string const& json, std::string const& indentation)
{
  std::string const before = "\n" + indentation + "\"";
  Words found;
  for (auto at = json.find(before); at != std::string::npos; at = json.find(before, at)) {
    at += before.size();
    auto const end = json.find('"', at);
    if (json.compare(end, 2, "\":") == 0)
      found.push_back(json.substr(at, end - at));
  }
  return found;
}

/// The JSON of a record of its cases alone.
std::string without_ceilings(Record record)
{
  record.ceilings.clear();
  return to_json(record);
}

TEST(Json, HasTheFieldsOfTheContractInItsOrder)
{
  EXPECT_EQ(names(to_json(example::record()), "  "),
            (Words{"schema", "suite", "app", "fom_version", "build", "run", "deck", "placement",
                   "mpi", "ceiling", "ceiling_cases", "cases", "energy", "energy_reason",
                   "validity", "environment"}));
}

TEST(Json, OfARankTellsWhatIsNotAsOnTheOneBefore)
{
  auto record = example::record();
  record.placement.resize(3);
  record.placement[2] = record.placement[1];
  record.placement[2].rank = 2;
  record.placement[2].host = "n2";
  auto const json = to_json(record);
  auto const begin = json.find("\"placement\"");
  auto const placement = json.substr(begin, json.find("\"mpi\"", begin) - begin);
  EXPECT_EQ(
      names(placement, "      "),
      (Words{"host",         "rank",       "local_rank", "cpuset",    "numa",   "threads",
             "binding",      "device_id",  "device",     "pci_id",    "uuid",   "driver",
             "memory_bytes", // rank 0
             "rank",         "local_rank", "numa",       "device_id", "pci_id", "uuid", // 1
             "host",         "rank"}));
}

TEST(Json, OfACaseHasTheFieldsOfTheContract)
{
  auto record = example::record();
  record.placement.clear();
  record.cases.resize(1);
  record.cases[0].foms.clear();
  record.cases[0].checks.clear();
  record.cases[0].phases.clear();
  auto const json = without_ceilings(record);
  EXPECT_EQ(names(json.substr(json.find("\"cases\"")), "      "),
            (Words{"label",       "status",       "reason",    "axes",    "problem",
                   "work",        "memory_bytes", "samples_s", "inner",   "rank_min_s",
                   "rank_mean_s", "slowest_rank", "warmup_s",  "checked", "statistics",
                   "drift",       "converged",    "in_cache",  "foms",    "checks",
                   "phases",      "ratios"}));
}

TEST(Json, KeepsEverySampleToTheLastBit)
{
  auto record = example::record();
  record.cases.resize(1);
  record.cases[0].samples_s = {0.1, 1.0 / 3, 3.0000000000000004e-3};
  EXPECT_EQ(all(without_ceilings(record), "samples_s"),
            Words{"[0.1, 0.3333333333333333, 0.0030000000000000005]"});
}

TEST(Json, WritesSizesAsNumbersAndWordsAsWords)
{
  auto record = example::record();
  record.cases.resize(1);
  record.cases[0].problem = {{"size", "-42"},    {"fraction", "0.5"},
                             {"memory", "auto"}, {"id", "007"},
                             {"flag", "nan"},    {"empty", ""},
                             {"range", "1:2"},   {"large", "99999999999999999999"}};
  auto const json = without_ceilings(record);
  for (auto const* member : {"\"size\": -42,", "\"fraction\": 0.5,", "\"memory\": \"auto\",",
                             "\"id\": \"007\",", "\"flag\": \"nan\",", "\"empty\": \"\",",
                             "\"range\": \"1:2\",", "\"large\": \"99999999999999999999\"}"})
    EXPECT_TRUE(has(json, member)) << member;
}

TEST(Json, SaysHowACaseWentWhereThatIsKnown)
{
  auto record = example::record();
  record.cases.resize(1);
  record.cases[0].outcome = {{"lambda_work", "1.25"}, {"warning", "2000 tests an element"}};
  auto const json = without_ceilings(record);
  EXPECT_TRUE(has(json, "\"lambda_work\": 1.25,")) << json;
  EXPECT_TRUE(has(json, "\"warning\": \"2000 tests an element\"")) << json;
  auto const fields = names(json.substr(json.find("\"cases\"")), "      ");
  ASSERT_GT(fields.size(), 5U);
  EXPECT_EQ(fields[5], "outcome");
}

TEST(Json, SaysWhyANumberIsNull)
{
  auto record = example::record();
  record.cases.resize(1);
  record.cases[0].foms.resize(1);
  record.cases[0].foms[0].best = infinity;
  record.cases[0].checks[0].error = nan;
  auto const json = without_ceilings(record);
  EXPECT_EQ(all(json, "best"), Words{"null"});
  EXPECT_EQ(all(json, "best_reason"), Words{"\"inf\""});
  EXPECT_EQ(all(json, "value"), (Words{"3.84e+12", "null"}));
  EXPECT_EQ(all(json, "value_reason"), Words{"\"nan\""});
}

TEST(Json, SaysWhyThereIsNoCeilingOrEnergy)
{
  auto record = example::record();
  record.ceilings.clear();
  record.run.tier = "smoke";
  auto const json = without_ceilings(record);
  EXPECT_EQ(all(json, "ceiling"), Words{"null"});
  EXPECT_EQ(all(json, "ceiling_reason"), Words{"\"tier smoke\""});
  EXPECT_EQ(all(json, "energy"), Words{"null"});
  EXPECT_EQ(all(json, "energy_reason"), Words{"\"nothing was measured\""});
}

TEST(Json, KeepsWhatBecameOfEveryCase)
{
  auto const json = without_ceilings(example::eventful_record());
  EXPECT_EQ(
      all(json, "reason"),
      (Words{"\"\"", "\"\"", "\"\"",
             "\"max_relative_error is 0.0012, at most 1e-13 is allowed\"",
             "\"cuBLAS was not found when this was built\"", "\"interrupted by SIGTERM\""}));
  auto statuses = all(json, "status");
  std::erase(statuses, "\"PASS\"");
  EXPECT_EQ(statuses, (Words{"\"measured\"", "\"measured\"", "\"measured\"", "\"failed\"",
                             "\"FAIL\"", "\"unavailable\"", "\"incomplete\""}));
}

TEST(Json, HasNoFigureOfAWrongAnswerButItsSamples)
{
  auto record = example::eventful_record();
  record.cases = {record.cases[3]};
  auto const json = without_ceilings(record);
  EXPECT_EQ(all(json, "foms"), Words{"[]"});
  EXPECT_EQ(all(json, "n"), Words{"20"});
}

TEST(Json, HasNoStatisticsOfNoSamples)
{
  auto record = example::eventful_record();
  record.cases = {record.cases[4]};
  auto const json = without_ceilings(record);
  EXPECT_EQ(all(json, "samples_s"), Words{"[]"});
  EXPECT_EQ(all(json, "statistics"), Words{"null"});
  EXPECT_EQ(all(json, "converged"), Words{"false"});
}

TEST(Json, HasNoIntervalOfThreeSamples)
{
  auto record = example::eventful_record();
  record.cases = {record.cases[5]};
  EXPECT_EQ(all(without_ceilings(record), "ci95"), Words{"null"});
}

TEST(Json, PairsRatiosWithTheirControl)
{
  auto record = example::eventful_record();
  record.cases = {record.cases[1]};
  auto const json = without_ceilings(record);
  EXPECT_EQ(all(json, "against"), Words{"\"triad/native/left/double\""});
  EXPECT_EQ(all(json, "median"), Words{"1.0123"});
  EXPECT_EQ(all(json, "ci95").back(), "[1.009, 1.015]");
}

TEST(Json, HasTheCasesOfTheCeilingBesideItsRates)
{
  auto record = example::record();
  record.cases.clear();
  auto const json = to_json(record);
  EXPECT_EQ(all(json, "label"), (Words{"\"ceiling/read\"", "\"ceiling/write\"",
                                       "\"ceiling/copy\"", "\"ceiling/triad\""}));
  EXPECT_EQ(all(json, "read").front(), "3.9e+12");
  EXPECT_EQ(all(json, "samples_s").size(), 4U);
}

TEST(Json, TellsWhatTheSweepHasFoundOfACase)
{
  auto record = example::record();
  record.cases.resize(1);
  record.cases[0].slowest_rank = {3, 0, 3};
  record.cases[0].in_cache = true;
  auto const json = without_ceilings(record);
  EXPECT_EQ(all(json, "slowest_rank"), Words{"[3, 0, 3]"});
  EXPECT_EQ(all(json, "warmup_s"), Words{"0.5"});
  EXPECT_EQ(all(json, "checked"), Words{"2"});
  EXPECT_EQ(all(json, "in_cache"), Words{"true"});
  EXPECT_EQ(all(json, "lag1"), Words{"0"});
}

TEST(Json, TellsConvergenceAndDrift)
{
  auto const json = without_ceilings(example::eventful_record());
  EXPECT_EQ(all(json, "converged"), (Words{"true", "true", "false", "true", "false", "false"}));
  EXPECT_EQ(all(json, "drift").front(), "false");
}

TEST(Json, EscapesWhatUsersWrite)
{
  auto record = example::record();
  record.run.user_label = "a \"quote\", a \\ and\na line";
  EXPECT_TRUE(has(to_json(record), R"("user_label": "a \"quote\", a \\ and\na line")"));
}

} // namespace
} // namespace strata::report
