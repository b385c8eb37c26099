#include "cases.hpp"
#include "trials.hpp"

#include "testing/listener.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace strata::hexgrad {

namespace {

/// Every combination that makes a case.
Config everything(std::string const& mesh, index_t elements)
{
  Config config;
  config.size = elements;
  config.mesh = mesh;
  config.variant = {"span", "view", "native"};
  config.layout = SpanLayouts::names();
  config.scalar = {"double-double", "double-float", "float-float"};
  config.extents = {"static", "dynamic"};
  config.access = SpanAccess::names();
  config.gather = {false, true};
  return config;
}

/// Calls f(label, trial) for every case that can run here.
template <class F>
void each_trial(Config const& config, runtime::Share share, F const& f)
{
  driver::Workspace workspace;
  driver::Setting setting;
  setting.share = share;
  auto const all = cases(config, setting);
  for (auto const& one : all)
    workspace.reserve(one.slots);
  for (auto const& one : all)
    if (one.unavailable.empty())
      f(one.label, *one.make(workspace));
}

bool passes(driver::Trial& trial)
{
  auto const verdicts = trial.verify(1);
  EXPECT_EQ(verdicts.size(), 2U);
  return std::all_of(verdicts.begin(), verdicts.end(),
                     [](verify::Verdict const& verdict) { return verdict.passed; });
}

TEST(HexgradTrials, PassOnEveryMeshAndRank)
{
  for (auto const* mesh : {"brick", "affine", "random"})
    for (auto const share : {runtime::Share{0, 1}, runtime::Share{0, 3}, runtime::Share{2, 3}})
      each_trial(everything(mesh, 131), share,
                 [&](std::string const& label, driver::Trial& trial) {
                   trial.reset();
                   trial.step();
                   EXPECT_TRUE(passes(trial)) << label << " on " << mesh;
                 });
}

TEST(HexgradTrials, PassOnFewerElementsThanATile)
{
  for (index_t const elements : {1, 3, 9})
    each_trial(everything("brick", elements), {},
               [](std::string const& label, driver::Trial& trial) {
                 trial.reset();
                 trial.step();
                 EXPECT_TRUE(passes(trial)) << label;
               });
}

TEST(HexgradTrials, PassAndFailWhereOnlySamplesMeetTheQuadrature)
{
  Config config;
  config.size = 5003;
  auto const fault = verify::Fault::parse("value:.");
  each_trial(config, {}, [&](std::string const& label, driver::Trial& trial) {
    trial.reset();
    trial.step();
    EXPECT_TRUE(passes(trial)) << label;
    fault.corrupt(trial.output());
    EXPECT_FALSE(passes(trial)) << label;
  });
}

TEST(HexgradTrials, FailWithoutAStep)
{
  each_trial(everything("brick", 523), {}, [](std::string const& label, driver::Trial& trial) {
    trial.reset();
    EXPECT_FALSE(passes(trial)) << label;
  });
}

TEST(HexgradTrials, FailWithAFault)
{
  for (std::string const kind : {"value:.", "swap:."})
    for (auto const* mesh : {"brick", "affine", "random"})
      each_trial(everything(mesh, 131), {},
                 [&](std::string const& label, driver::Trial& trial) {
                   trial.reset();
                   trial.step();
                   verify::Fault::parse(kind).corrupt(trial.output());
                   EXPECT_FALSE(passes(trial)) << label << " " << kind << " on " << mesh;
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
  each_trial(config, share, [&](std::string const&, driver::Trial& trial) {
    trial.reset();
    trial.step();
    Kokkos::fence();
    found.resize(static_cast<std::size_t>(share.count(523) * dims * nodes));
    using Kokkos::MemoryUnmanaged;
    Kokkos::deep_copy(
        Kokkos::View<double*, HostSpace, MemoryUnmanaged>(found.data(), found.size()),
        Kokkos::View<double*, DeviceSpace, MemoryUnmanaged>(
            static_cast<double*>(trial.output().data), found.size()));
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

TEST(HexgradTrials, CountElementsFirst)
{
  Config config;
  config.size = 523;
  each_trial(config, {}, [](std::string const&, driver::Trial& trial) {
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
  each_trial(everything("brick", 523), {}, [](std::string const&, driver::Trial& trial) {
    trial.reset();
    trial.step();
    passes(trial);
  });
  EXPECT_FALSE(listener.launches().empty());
  EXPECT_FALSE(listener.allocations().empty());
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

} // namespace

} // namespace strata::hexgrad
