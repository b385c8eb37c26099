#include "cases.hpp"
#include "trials.hpp"

#include "driver/axis.hpp"
#include "testing/listener.hpp"
#include "testing/trials.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace strata::hexgrad {

namespace {

using testing::each_trial;
using testing::passes;
using testing::rejects;
using testing::take_steps;

/// Every combination that makes a case.
Config everything(std::string const& mesh, index_t elements)
{
  Config config;
  config.size = elements;
  config.mesh = mesh;
  config.variant = {"span", "view", "native"};
  config.layout = SpanLayouts::words();
  config.scalar = {"double-double", "double-float", "float-double",   "float-float",
                   "half-float",    "half-half",    "bfloat16-float", "bfloat16-bfloat16"};
  config.extents = {"static", "dynamic"};
  config.access = SpanAccess::words();
  config.gather = {false, true};
  return config;
}

driver::Setting setting_of(runtime::Share share)
{
  driver::Setting setting;
  setting.share = share;
  return setting;
}

TEST(HexgradTrials, PassOnEveryMeshAndRank)
{
  for (auto const* mesh : {"brick", "affine", "random"})
    for (auto const share : {runtime::Share{0, 1}, runtime::Share{0, 3}, runtime::Share{2, 3}})
      each_trial(cases(everything(mesh, 131), setting_of(share)),
                 [&](driver::Case const& one, driver::Trial& trial) {
                   take_steps(trial, 1);
                   EXPECT_TRUE(passes(trial)) << one.label << " on " << mesh;
                 });
}

TEST(HexgradTrials, PassOnFewerElementsThanATile)
{
  for (index_t const elements : {1, 3, 9})
    each_trial(cases(everything("brick", elements), {}),
               [](driver::Case const& one, driver::Trial& trial) {
                 take_steps(trial, 1);
                 EXPECT_TRUE(passes(trial)) << one.label;
                 EXPECT_EQ(trial.verify(1).size(), 1U) << one.label;
               });
}

TEST(HexgradTrials, FailWithoutAStep)
{
  each_trial(cases(everything("brick", 523), {}),
             [](driver::Case const& one, driver::Trial& trial) {
               trial.reset();
               EXPECT_FALSE(passes(trial)) << one.label;
             });
}

TEST(HexgradTrials, FailUnderEveryFault)
{
  for (auto const* mesh : {"brick", "affine", "random"})
    each_trial(cases(everything(mesh, 131), {}),
               [&](driver::Case const& one, driver::Trial& trial) {
                 for (auto const* fault : testing::faults_of_output) {
                   take_steps(trial, 1);
                   EXPECT_TRUE(verify::Fault::parse(fault).corrupt(trial.output()))
                       << one.label << " " << fault;
                   EXPECT_TRUE(rejects(trial, "error_against_quadrature"))
                       << one.label << " " << fault << " on " << mesh;
                 }
               });
}

/// What keeps every identity between an element's gradients, in the last elements of many.
TEST(HexgradTrials, FailWithTheLastElementsGradientsHalved)
{
  Config config;
  config.size = 10'007;
  config.layout = {"right"};
  config.variant = {"span"};
  each_trial(cases(config, {}), [](driver::Case const& one, driver::Trial& trial) {
    take_steps(trial, 1);
    EXPECT_TRUE(passes(trial)) << one.label;
    auto const all = trial.output().runs.front();
    index_t const last = 3 * dims * nodes;
    verify::Fault::parse("half:").corrupt(
        {static_cast<double*>(all.data) + all.count - last, last});
    EXPECT_FALSE(passes(trial)) << one.label;
  });
}

/// Gradients of this rank's elements, row by row.
std::vector<double> gradients_of(std::string const& mesh, runtime::Share share)
{
  Config config;
  config.size = 523;
  config.mesh = mesh;
  config.variant = {"span"};
  config.layout = {"right"};
  std::vector<double> found;
  each_trial(cases(config, setting_of(share)), [&](driver::Case const&, driver::Trial& trial) {
    take_steps(trial, 1);
    Kokkos::fence();
    found.resize(static_cast<std::size_t>(share.count(523) * dims * nodes));
    using Kokkos::MemoryUnmanaged;
    Kokkos::deep_copy(
        Kokkos::View<double*, HostSpace, MemoryUnmanaged>(found.data(), found.size()),
        Kokkos::View<double*, DeviceSpace, MemoryUnmanaged>(
            static_cast<double*>(trial.output().runs.front().data), found.size()));
  });
  return found;
}

TEST(HexgradTrials, AreTheSameMeshOnAnyNumberOfRanks)
{
  for (auto const* mesh : {"brick", "affine", "random"}) {
    auto const whole = gradients_of(mesh, {0, 1});
    EXPECT_EQ(whole.size(), 523U * 24U);
    for (int const ranks : {2, 3}) {
      std::vector<double> parts;
      for (int rank = 0; rank < ranks; ++rank) {
        auto const part = gradients_of(mesh, {rank, ranks});
        parts.insert(parts.end(), part.begin(), part.end());
      }
      EXPECT_EQ(parts, whole) << mesh << " on " << ranks << " ranks";
    }
  }
}

TEST(HexgradTrials, AreComparedWithTheHandWrittenOnesOfTheirLayout)
{
  Config config;
  config.size = 523;
  config.variant = {"span", "view", "native"};
  config.layout = {"default", "left", "right"};
  config.scalar = {"double-double", "float-float", "half-half"};
  std::map<std::string, std::string> controls;
  for (auto const& one : cases(config, {}))
    controls[one.label] = one.control;
  auto const label = [](std::string const& variant, std::string const& layout,
                        std::string const& scalar = "double-double") {
    return "gradient/" + variant + "/" + layout + "/" + scalar;
  };
  auto const best = driver::word_of<LayoutBest>();
  std::map<std::string, std::string> const expected = {
      {label("span", best), label("native", best)},
      {label("native", best), label("span", best)},
      {label("span", "left"), label("native", "left")},
      {label("view", "left"), label("native", "left")},
      {label("native", "left"), label("span", "left")},
      {label("span", "right"), label("span", best)},
      {label("span", "left", "float-float"), label("span", best, "float-float")},
      {label("span", "right", "float-float"), label("span", best, "float-float")},
      // No such cases: nothing to compare with.
      {label("view", "right"), label("view", best)},
      {label("span", best, "float-float"), label("native", best, "float-float")},
      {label("span", best, "half-half"), label("span", best, "float-float")},
  };
  EXPECT_EQ(controls, expected);
}

TEST(HexgradTrials, CountElementsFirst)
{
  Config config;
  config.size = 523;
  each_trial(cases(config, {}), [](driver::Case const&, driver::Trial& trial) {
    EXPECT_EQ(trial.metrics().front().name, "elements");
    EXPECT_EQ(trial.metrics().front().amount, 523);
    EXPECT_EQ(trial.work().bytes_read, 523 * 24 * 8);
    EXPECT_EQ(trial.work().bytes_written, 523 * 24 * 8);
    EXPECT_EQ(trial.work().flops, 523 * 318);
  });
}

TEST(HexgradTrials, LabelEveryLaunchAndAllocation)
{
  testing::Listener const listener;
  each_trial(cases(everything("brick", 523), {}),
             [](driver::Case const&, driver::Trial& trial) {
               take_steps(trial, 1);
               passes(trial);
             });
  EXPECT_FALSE(listener.launches().empty());
  EXPECT_FALSE(listener.allocations().empty());
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

} // namespace

} // namespace strata::hexgrad
