#include "cases.hpp"

#include "array/access/bits.hpp"
#include "driver/axis.hpp"
#include "testing/listener.hpp"
#include "testing/trials.hpp"
#include "trials/trials.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace strata::stream {

namespace {

using testing::each_trial;
using testing::passes;
using testing::take_steps;

/// Every combination that makes a case, on sizes off powers of two.
Config everything()
{
  Config config;
  config.size = 7001; // edges of 19 and 9; 46 rows, empty ones among them
  config.shortest_row = 0;
  config.longest_row = 304;
  config.kernel = {"triad", "set", "copy", "scale", "add", "nstream", "dot", "read"};
  config.variant = {"span", "view", "native", "vector_of_vectors"};
  config.layout = {"default", "left", "right", "tiled32"};
  config.scalar = {"double", "float", "half", "bfloat16", "bool"};
  config.shape = {"1d", "3d", "4d", "ragged"};
  config.index_order = {"matching", "crossed"};
  config.access = {"default", "restrict", "atomic", "streaming", "bits"};
  config.owner = {"owned", "viewed"};
  config.pages = {"normal", "huge"};
  config.policy = {"mdrange", "tuned", "flat"};
  return config;
}

/// Every kernel, variant, layout, scalar and access rule, without the axes that change neither
/// kernel nor check.
Config essentials()
{
  auto config = everything();
  config.shape = {"1d", "3d", "ragged"};
  config.owner = {"owned"};
  config.pages = {"normal"};
  return config;
}

driver::Setting setting_of(runtime::Share share)
{
  driver::Setting setting;
  setting.share = share;
  return setting;
}

TEST(StreamTrials, PassInEveryCombination)
{
  each_trial(cases(everything(), {}), [](driver::Case const& one, driver::Trial& trial) {
    take_steps(trial, 2);
    EXPECT_TRUE(passes(trial, 2)) << one.label;
  });
}

/// On an NVIDIA GPU, of sizes that are whole packs and that are not, shorter than all blocks
/// and longer; elsewhere they are listed and left out.
TEST(StreamTrials, PassWithEveryTuning)
{
  Config config;
  config.kernel = {"set", "triad", "dot", "read"};
  config.variant = {"span"};
  config.tuning = tuning_names();
  for (index_t const size : {1, 7001, 1 << 20, 3 * (1 << 20) + 1}) {
    config.size = size;
    auto const all = cases(config, {});
    EXPECT_EQ(all.size(), 2 * tuning_names().size());
    for (auto const& one : all)
      EXPECT_EQ(one.unavailable.empty(), device_is_cuda) << one.label;
    each_trial(all, [&](driver::Case const& one, driver::Trial& trial) {
      take_steps(trial, 2);
      EXPECT_TRUE(passes(trial, 2)) << one.label << " of " << size;
    });
  }
}

TEST(StreamTrials, PassOnEveryRank)
{
  for (auto const share : {runtime::Share{0, 3}, runtime::Share{2, 3}})
    each_trial(cases(essentials(), setting_of(share)),
               [](driver::Case const& one, driver::Trial& trial) {
                 take_steps(trial, 1);
                 EXPECT_TRUE(passes(trial)) << one.label;
               });
}

TEST(StreamTrials, FailWithoutAStep)
{
  each_trial(cases(essentials(), {}), [](driver::Case const& one, driver::Trial& trial) {
    trial.reset();
    EXPECT_FALSE(passes(trial)) << one.label;
  });
}

/// Whether the fault can be in the case's output: bools are never NaN, all values that `set`
/// writes are the same, and a sum has no neighbour.
bool applies(std::string const& fault, std::string const& label)
{
  if (fault.starts_with("nan"))
    return label.find("/bool") == std::string::npos;
  bool const needs_two = fault.starts_with("swap") || fault.starts_with("shift");
  return !needs_two || !(label.starts_with("set/") || label.starts_with("dot/") ||
                         label.starts_with("read/"));
}

TEST(StreamTrials, FailUnderEveryFault)
{
  each_trial(cases(essentials(), setting_of({2, 3})), [](driver::Case const& one,
                                                         driver::Trial& trial) {
    auto const* const check =
        one.label.find("/bool") == std::string::npos ? "max_relative_error" : "wrong_elements";
    for (auto const* fault : testing::faults_of_output) {
      take_steps(trial, 1);
      bool const there = verify::Fault::parse(fault).corrupt(trial.output());
      EXPECT_EQ(there, applies(fault, one.label)) << one.label << " " << fault;
      EXPECT_EQ(testing::rejects(trial, check), there) << one.label << " " << fault;
    }
  });
}

TEST(StreamTrials, ShowANaNAsWhatItIs)
{
  auto const fault = verify::Fault::parse("nan@middle:");
  each_trial(cases(essentials(), {}), [&](driver::Case const& one, driver::Trial& trial) {
    take_steps(trial, 1);
    if (fault.corrupt(trial.output())) {
      EXPECT_TRUE(std::isnan(trial.verify(1).front().error)) << one.label;
    }
  });
}

/// Element by element, whatever the loops over rows of different lengths do.
TEST(StreamTrials, HaveAllElementsInTheirOutput)
{
  each_trial(cases(essentials(), {}), [](driver::Case const& one, driver::Trial& trial) {
    bool const is_sum = one.label.starts_with("dot/") || one.label.starts_with("read/");
    bool const is_bool = one.label.find("/bool") != std::string::npos;
    auto const written = trial.work().bytes_written;
    if (!is_bool) {
      auto const has = [&](char const* part) {
        return one.label.find(part) != std::string::npos;
      };
      auto const bytes = has("/half") || has("/bfloat16") ? 2 : has("/float") ? 4 : 8;
      EXPECT_EQ(trial.output().count(), is_sum ? 1 : written / bytes) << one.label;
    } else {
      EXPECT_EQ(trial.output().count(), 7001) << one.label;
    }
  });
}

TEST(StreamTrials, CountStepsOfAnAccumulatingKernel)
{
  each_trial(cases(essentials(), {}), [](driver::Case const& one, driver::Trial& trial) {
    if (!one.label.starts_with("nstream/"))
      return;
    take_steps(trial, 2);
    EXPECT_FALSE(passes(trial)) << one.label;
  });
}

TEST(StreamTrials, AreOfEveryKernelAndVariant)
{
  auto const all = cases(everything(), {});
  auto const has = [&](std::string const& part) {
    return std::any_of(all.begin(), all.end(), [&](driver::Case const& one) {
      return one.label.find(part) != std::string::npos;
    });
  };
  for (auto const& kernel : everything().kernel)
    for (auto const& variant : everything().variant)
      EXPECT_TRUE(has(kernel + "/" + variant + "/")) << kernel << " " << variant;
  EXPECT_TRUE(has("triad/span/left/double/3d/crossed"));
  EXPECT_TRUE(has("triad/vector_of_vectors/right/double/3d"));
  EXPECT_TRUE(has("triad/vector_of_vectors/right/double/4d"));
  for (auto const* kernel : {"set", "copy"})
    for (auto const* variant : {"span", "native"})
      for (auto const* access : {"", "/bits"})
        EXPECT_TRUE(has(std::string(kernel) + "/" + variant + "/" +
                        driver::word_of<LayoutDefault>() + "/bool" + access))
            << kernel << " " << variant << access;
  for (auto const* scalar : {"half", "bfloat16"})
    for (auto const* variant : {"span", "native"})
      for (auto const* access : {"", "/streaming"})
        EXPECT_TRUE(has(std::string("triad/") + variant + "/" +
                        driver::word_of<LayoutDefault>() + "/" + scalar + access))
            << variant << scalar << access;
  EXPECT_FALSE(has("double/bits"));
  EXPECT_FALSE(has("triad/span/" + driver::word_of<LayoutDefault>() + "/bool"));
  for (auto const* variant : {"span", "native", "vector_of_vectors"})
    EXPECT_TRUE(has(std::string("triad/") + variant + "/" +
                    (variant[0] == 'v' ? "right" : driver::word_of<LayoutDefault>()) +
                    "/double/ragged"))
        << variant;
}

TEST(StreamTrials, DealRaggedRowsOutToTheRanks)
{
  auto config = everything();
  config.kernel = {"triad"};
  config.variant = {"span", "vector_of_vectors"};
  config.layout = {"right"};
  config.scalar = {"double"};
  config.shape = {"ragged"};
  auto const bytes = [&](runtime::Share share, std::uint64_t seed) {
    auto setting = setting_of(share);
    setting.seed = seed;
    std::vector<std::int64_t> found;
    each_trial(cases(config, setting), [&](driver::Case const&, driver::Trial& trial) {
      found.push_back(trial.work().bytes());
    });
    return found;
  };
  auto const all = bytes({0, 1}, 1);
  EXPECT_EQ(all[0], all[1]); // both hold the same rows
  EXPECT_NE(all, bytes({0, 1}, 2));
  std::int64_t sum = 0;
  for (int rank = 0; rank < 3; ++rank)
    sum += bytes({rank, 3}, 1)[0];
  EXPECT_EQ(sum, all[0]);
  EXPECT_EQ(all[0] % (3 * 8), 0);
  EXPECT_NEAR(static_cast<double>(all[0]) / (3 * 8), 7001, 2500); // 46 rows of 152 ± 88
}

TEST(StreamTrials, CountEachOperandOnce)
{
  each_trial(cases(essentials(), {}), [](driver::Case const& one, driver::Trial& trial) {
    auto const work = trial.work();
    auto const metrics = trial.metrics();
    EXPECT_EQ(metrics.front().name, "bandwidth");
    EXPECT_EQ(metrics.front().amount, static_cast<double>(work.bytes())) << one.label;
    if (one.label == "triad/span/" + driver::word_of<LayoutDefault>() + "/double") {
      EXPECT_EQ(work.bytes_read, 2 * 8 * 7001);
      EXPECT_EQ(work.bytes_written, 8 * 7001);
      EXPECT_EQ(work.flops, 2 * 7001);
    }
  });
}

TEST(StreamTrials, CountABitForABoolInBits)
{
  Config config;
  config.kernel = {"set", "copy"};
  config.access = {"default", "bits"};
  config.scalar = {"bool"};
  for (index_t const size : {1, 64, 7001}) {
    config.size = size;
    each_trial(cases(config, {}), [&](driver::Case const& one, driver::Trial& trial) {
      auto const array = one.label.ends_with("/bits") ? (size + 7) / 8 : size;
      auto const work = trial.work();
      EXPECT_EQ(work.bytes_read, one.label.starts_with("copy/") ? array : 0) << one.label;
      EXPECT_EQ(work.bytes_written, array) << one.label;
      EXPECT_EQ(work.flops, 0);
      auto const elements = trial.metrics().back();
      EXPECT_EQ(elements.name, "elements");
      EXPECT_EQ(elements.unit, "1/s");
      EXPECT_EQ(elements.amount, static_cast<double>(size)) << one.label;
    });
  }
}

/// Nothing else gives the rest of the last word a value, and updates of its bits load it.
TEST(StreamTrials, ResetTheBitsBehindTheLastBool)
{
  Config config;
  config.size = 7001;
  config.kernel = {"set", "copy"};
  config.access = {"bits"};
  config.scalar = {"bool"};
  each_trial(cases(config, {}), [](driver::Case const& one, driver::Trial& trial) {
    auto* const words = static_cast<BitWord*>(trial.output().runs.front().data);
    Kokkos::View<BitWord, DeviceSpace, Kokkos::MemoryUnmanaged> const last(words + 7001 / 64);
    BitWord found[2];
    for (auto& word : found) {
      Kokkos::deep_copy(last, &word == found ? BitWord{0} : ~BitWord{0});
      trial.reset();
      Kokkos::deep_copy(word, last);
    }
    EXPECT_EQ(found[0], found[1]) << one.label;
  });
}

TEST(StreamTrials, HoldBitsInWholeWordsAndCompareThemWithBytes)
{
  Config config;
  config.size = 7001;
  config.kernel = {"copy"};
  config.variant = {"span"};
  config.access = {"default", "bits"};
  config.scalar = {"double", "float", "bool"};
  auto const all = cases(config, {});
  ASSERT_EQ(all.size(), 4U); // bits are of bool alone, whatever the scalar
  auto const label = "copy/span/" + driver::word_of<LayoutDefault>() + "/bool";
  auto const& bits = all[1];
  EXPECT_EQ(bits.label, label + "/bits");
  EXPECT_EQ(bits.control, label);
  EXPECT_EQ(all[3].label, label);
  ASSERT_EQ(bits.slots.size(), 2U);
  EXPECT_GE(bits.slots[0].bytes, 110 * 8);
  EXPECT_LT(bits.slots[0].bytes, 111 * 8);
}

TEST(StreamTrials, SizeArraysOfBitsAloneBeyondTheCache)
{
  Config config;
  config.kernel = {"copy"};
  config.variant = {"span"};
  auto const slot_of = [&](std::vector<std::string> const& access) {
    config.access = access;
    return cases(config, {}).back().slots[0].bytes;
  };
  auto const doubles = slot_of({"default"});
  EXPECT_EQ(slot_of({"bits"}), doubles);
  EXPECT_EQ(slot_of({"default", "bits"}), doubles / 64);
  config.scalar = {"bool"};
  EXPECT_EQ(slot_of({"default"}), doubles);
  EXPECT_EQ(slot_of({"default", "bits"}), doubles / 8);
}

TEST(StreamTrials, EstimateTheTrafficOfWriteAllocationOnHosts)
{
  auto config = essentials();
  config.scalar = {"double"};
  each_trial(cases(config, {}), [](driver::Case const& one, driver::Trial& trial) {
    auto const kernel = one.label.substr(0, one.label.find('/'));
    auto const metrics = trial.metrics();
    bool const reads_no_more = kernel == "nstream" || kernel == "dot" || kernel == "read" ||
                               one.label.ends_with("/streaming") || !device_is_host;
    bool const has_estimate =
        metrics.size() > 1 && metrics[1].name == "bandwidth_with_write_allocate";
    EXPECT_EQ(has_estimate, !reads_no_more) << one.label;
    if (!has_estimate)
      return;
    double const factor = kernel == "set"                         ? 2
                          : kernel == "copy" || kernel == "scale" ? 1.5
                                                                  : 4. / 3;
    EXPECT_DOUBLE_EQ(metrics[1].amount, factor * metrics[0].amount) << one.label;
  });
}

TEST(StreamTrials, LabelEveryLaunchAndAllocation)
{
  testing::Listener const listener;
  each_trial(cases(essentials(), {}), [](driver::Case const&, driver::Trial& trial) {
    take_steps(trial, 1);
    passes(trial);
  });
  EXPECT_FALSE(listener.launches().empty());
  EXPECT_FALSE(listener.allocations().empty());
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

TEST(Listener, HearsStrangers)
{
  testing::Listener const listener;
  auto const stranger = allocate<>("nobody's values", 24);
  EXPECT_EQ(listener.strangers(), std::vector<std::string>{"nobody's values"});
}

} // namespace

} // namespace strata::stream
