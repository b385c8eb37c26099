#include "array/dense/array.hpp"
#include "base/error.hpp"
#include "verify/fault.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace strata::verify {

namespace {

template <class T>
std::vector<T> corrupted(std::string const& fault, std::vector<T> values)
{
  Fault::parse(fault).corrupt(
      {values.data(), static_cast<index_t>(values.size()), sizeof(T), false});
  return values;
}

TEST(Fault, ValueAltersOneElementALittle)
{
  std::vector<double> const values{2, 3, 4, 5};
  auto const found = corrupted<double>("value:.", values);
  EXPECT_NE(found[0], 2);
  EXPECT_NEAR(found[0], 2 * (1 + 1e-6), 1e-12);
  EXPECT_EQ(std::vector<double>(found.begin() + 1, found.end()),
            (std::vector<double>{3, 4, 5}));
  auto const floats = corrupted<float>("value:.", {2, 3, 4});
  EXPECT_NEAR(floats[0], 2.002F, 1e-6F);
  EXPECT_EQ(floats[1], 3);
}

TEST(Fault, ValueAltersAlsoZero)
{
  EXPECT_NE(corrupted<double>("value:.", {0, 0})[0], 0);
  EXPECT_NE(corrupted<float>("value:.", {0, 0})[0], 0);
}

TEST(Fault, SwapExchangesTwoNeighbours)
{
  EXPECT_EQ(corrupted<double>("swap:.", {2, 3, 4, 5}), (std::vector<double>{3, 2, 4, 5}));
  EXPECT_EQ(corrupted<float>("swap:.", {2, 3, 4}), (std::vector<float>{3, 2, 4}));
}

TEST(Fault, SwapOfASingleElementAltersIt)
{
  EXPECT_NE(corrupted<double>("swap:.", {2}), (std::vector<double>{2}));
}

TEST(Fault, AltersBoolsAndBits)
{
  std::array<bool, 3> bools{true, false, false};
  Output const bytes{bools.data(), 3, sizeof(bool), false};
  Fault::parse("value:.").corrupt(bytes);
  EXPECT_EQ(bools, (std::array<bool, 3>{false, false, false}));
  bools = {true, false, false};
  Fault::parse("swap:.").corrupt(bytes);
  EXPECT_EQ(bools, (std::array<bool, 3>{false, true, false}));

  std::array<std::uint64_t, 2> words{0xF1, 0x1};
  Output const bits{words.data(), 70, 0, false};
  Fault::parse("value:.").corrupt(bits);
  EXPECT_EQ(words, (std::array<std::uint64_t, 2>{0xF0, 0x1}));
  words[0] = 0xF1;
  Fault::parse("swap:.").corrupt(bits);
  EXPECT_EQ(words, (std::array<std::uint64_t, 2>{0xF2, 0x1}));
  Output const one_bit{words.data(), 1, 0, false};
  Fault::parse("swap:.").corrupt(one_bit);
  EXPECT_EQ(words, (std::array<std::uint64_t, 2>{0xF3, 0x1}));
}

/// Steps that take a hundred ticks of a clock that moves one tick whenever it is read.
struct Ticks
{
  double time = 0;
  int steps = 0;

  void step(std::string const& fault)
  {
    Fault::parse(fault).step(
        [this] {
          ++steps;
          time += 100;
        },
        [this] { return time += 1; });
  }
};

TEST(Fault, SlowMakesAStepTakeATwentiethLonger)
{
  Ticks slowed;
  slowed.step("slow:.");
  EXPECT_EQ(slowed.steps, 1);
  EXPECT_GE(slowed.time, 1.05 * 101);
  EXPECT_LT(slowed.time, 1.05 * 101 + 3);
  Ticks plain;
  plain.step("value:.");
  EXPECT_EQ(plain.steps, 1);
  EXPECT_LT(plain.time, 103);
}

TEST(Fault, SkipMakesNoStep)
{
  Ticks skipped;
  skipped.step("skip:.");
  EXPECT_EQ(skipped.steps, 0);
}

TEST(Fault, SkipAndSlowAlterNoOutput)
{
  EXPECT_EQ(corrupted<double>("skip:.", {2, 3}), (std::vector<double>{2, 3}));
  EXPECT_EQ(corrupted<double>("slow:.", {2, 3}), (std::vector<double>{2, 3}));
}

TEST(Fault, LeavesNothingAlone)
{
  EXPECT_NO_THROW(Fault::parse("value:.").corrupt({}));
  EXPECT_EQ(corrupted<double>("value:.", {}), std::vector<double>());
}

TEST(Fault, ReachesTheDevice)
{
  auto const memory = allocate<>("strata::test::output", 3 * sizeof(double));
  Kokkos::View<double*, DeviceSpace, Kokkos::MemoryUnmanaged> const values(
      reinterpret_cast<double*>(memory.data()), 3);
  Kokkos::deep_copy(values, 2.0);
  Fault::parse("value:.").corrupt({values.data(), 3, sizeof(double), true});
  auto const found = Kokkos::create_mirror_view_and_copy(HostSpace(), values);
  EXPECT_NE(found(0), 2);
  EXPECT_EQ(found(1), 2);
  EXPECT_EQ(found(2), 2);
}

TEST(Fault, HitsTheCasesOfItsExpression)
{
  auto const fault = Fault::parse("value:^triad/.*/float$");
  EXPECT_TRUE(fault.hits("triad/span/left/float"));
  EXPECT_FALSE(fault.hits("triad/span/left/double"));
  EXPECT_TRUE(Fault::parse("swap:").hits("anything"));
}

TEST(Fault, RefusesOtherWords)
{
  for (std::string const text : {"value", "flip:.", ":.", "values:."})
    try {
      Fault::parse(text);
      ADD_FAILURE() << text << " was understood";
    } catch (Error const& error) {
      EXPECT_EQ(error.exit(), Exit::command_line);
      EXPECT_EQ(error.what(), "STRATA_FAULT is '" + text +
                                  "'; it must be value:REGEX, swap:REGEX, skip:REGEX or "
                                  "slow:REGEX, or be unset for a real run");
    }
}

TEST(Fault, RefusesWhatIsNoExpression)
{
  try {
    Fault::parse("value:(");
    FAIL() << "it was understood";
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::command_line);
    EXPECT_EQ(std::string(error.what())
                  .find("STRATA_FAULT is 'value:('; '(' is not a regular expression ("),
              0U);
  }
}

TEST(Fault, ComesFromTheEnvironment)
{
  unsetenv("STRATA_FAULT");
  EXPECT_FALSE(Fault::from_environment());
  setenv("STRATA_FAULT", "", 1);
  EXPECT_FALSE(Fault::from_environment());
  setenv("STRATA_FAULT", "skip:.", 1);
  EXPECT_TRUE(Fault::from_environment());
  unsetenv("STRATA_FAULT");
}

} // namespace

} // namespace strata::verify
