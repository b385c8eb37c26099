#include "array/dense/array.hpp"
#include "base/error.hpp"
#include "verify/fault.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <set>
#include <vector>

namespace strata::verify {

namespace {

/// The values after the fault; it must have altered them.
template <class T>
std::vector<T> corrupted(std::string const& fault, std::vector<T> values)
{
  EXPECT_TRUE(
      Fault::parse(fault).corrupt({values.data(), static_cast<index_t>(values.size()), false}))
      << fault;
  return values;
}

/// Whether the fault alters them.
template <class T>
bool alters(std::string const& fault, std::vector<T> values, int rank = 0)
{
  auto const before = values;
  bool const altered = Fault::parse(fault).corrupt(
      {values.data(), static_cast<index_t>(values.size()), false}, rank);
  EXPECT_EQ(altered, values != before) << fault;
  return altered;
}

using Doubles = std::vector<double>;

TEST(Fault, ValueAltersOneElementALittle)
{
  auto const found = corrupted<double>("value:.", {2, 3, 4, 5});
  EXPECT_NE(found[0], 2);
  EXPECT_NEAR(found[0], 2 * (1 + 1e-6), 1e-12);
  EXPECT_EQ(Doubles(found.begin() + 1, found.end()), (Doubles{3, 4, 5}));
  auto const floats = corrupted<float>("value:.", {2, 3, 4});
  EXPECT_NEAR(floats[0], 2.002F, 1e-6F);
  EXPECT_EQ(floats[1], 3);
  EXPECT_EQ(corrupted<std::int32_t>("value:.", {2, 3}), (std::vector<std::int32_t>{3, 3}));
  EXPECT_EQ(corrupted<std::int64_t>("value:.", {2, 3}), (std::vector<std::int64_t>{3, 3}));
}

TEST(Fault, ValueAltersAlsoZero)
{
  EXPECT_NE(corrupted<double>("value:.", {0, 0})[0], 0);
  EXPECT_NE(corrupted<float>("value:.", {0, 0})[0], 0);
}

/// The only element that the fault alters of a thousand.
std::size_t place_of(std::string const& fault)
{
  Doubles values(1000, 1);
  std::set<std::size_t> places;
  values = corrupted<double>(fault, values);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != 1)
      places.insert(i);
  EXPECT_EQ(places.size(), 1U) << fault;
  return *places.begin();
}

TEST(Fault, AltersTheElementThatItsPlaceNames)
{
  EXPECT_EQ(place_of("value@first:."), 0U);
  EXPECT_EQ(place_of("value@middle:."), 500U);
  EXPECT_EQ(place_of("value@last:."), 999U);
  EXPECT_EQ(place_of("nan@last:."), 999U);
  std::set<std::size_t> drawn;
  for (int number = 0; number < 20; ++number) {
    auto const fault = "value@" + std::to_string(number) + ":.";
    drawn.insert(place_of(fault));
    EXPECT_EQ(place_of(fault), place_of(fault));
  }
  EXPECT_GE(drawn.size(), 18U);
}

TEST(Fault, SwapExchangesTheNearestNeighboursThatDiffer)
{
  EXPECT_EQ(corrupted<double>("swap:.", {2, 3, 4, 5}), (Doubles{3, 2, 4, 5}));
  EXPECT_EQ(corrupted<double>("swap@last:.", {2, 3, 4, 5}), (Doubles{2, 3, 5, 4}));
  EXPECT_EQ(corrupted<double>("swap:.", {2, 2, 2, 5}), (Doubles{2, 2, 5, 2}));
  EXPECT_EQ(corrupted<double>("swap@last:.", {2, 5, 5, 5}), (Doubles{5, 2, 5, 5}));
  EXPECT_EQ(corrupted<float>("swap:.", {2, 3, 4}), (std::vector<float>{3, 2, 4}));
  EXPECT_FALSE(alters<double>("swap:.", {2, 2, 2}));
  EXPECT_FALSE(alters<double>("swap:.", {2}));
}

TEST(Fault, ShiftsHalvesAndCutsOffATail)
{
  EXPECT_EQ(corrupted<double>("shift:.", {2, 3, 4}), (Doubles{3, 4, 4}));
  EXPECT_EQ(corrupted<double>("half:.", {2, 3, 4}), (Doubles{1, 1.5, 2}));
  EXPECT_EQ(corrupted<std::int32_t>("half:.", {2, 3}), (std::vector<std::int32_t>{1, 1}));
  EXPECT_EQ(corrupted<double>("tail:.", {2, 3, 4}), (Doubles{2, 3, 0}));
  auto const long_one = corrupted<double>("tail:.", Doubles(250, 1));
  EXPECT_EQ(std::accumulate(long_one.begin(), long_one.end(), 0.0), 248);
  EXPECT_EQ(long_one[247], 1);
  EXPECT_FALSE(alters<double>("shift:.", {2, 2}));
  EXPECT_FALSE(alters<double>("half:.", {0, 0}));
  EXPECT_FALSE(alters<double>("tail:.", {1, 0}));
}

TEST(Fault, NanIsOfRealNumbers)
{
  EXPECT_TRUE(std::isnan(corrupted<double>("nan:.", {2, 3})[0]));
  EXPECT_TRUE(std::isnan(corrupted<float>("nan:.", {2, 3})[0]));
  EXPECT_FALSE(alters<std::int32_t>("nan:.", {2, 3}));
}

TEST(Fault, AltersBoolsAndBits)
{
  std::array<bool, 3> bools{true, false, false};
  Output const bytes{bools.data(), 3, false};
  auto const inject = [](char const* fault, Output const& output) {
    return Fault::parse(fault).corrupt(output);
  };
  EXPECT_TRUE(inject("value:.", bytes));
  EXPECT_EQ(bools, (std::array<bool, 3>{false, false, false}));
  bools = {true, false, false};
  EXPECT_TRUE(inject("swap:.", bytes));
  EXPECT_EQ(bools, (std::array<bool, 3>{false, true, false}));
  EXPECT_TRUE(inject("half:.", bytes));
  EXPECT_EQ(bools, (std::array<bool, 3>{}));
  EXPECT_FALSE(inject("nan:.", bytes));

  std::array<std::uint64_t, 2> words{0xF1, 0x21};
  Output bits;
  bits.add_bits(words.data(), 70);
  bits.on_device = false;
  EXPECT_TRUE(inject("value:.", bits));
  EXPECT_EQ(words, (std::array<std::uint64_t, 2>{0xF0, 0x21}));
  EXPECT_TRUE(inject("value@last:.", bits));
  EXPECT_EQ(words, (std::array<std::uint64_t, 2>{0xF0, 0x01}));
  words[0] = 0xF1;
  EXPECT_TRUE(inject("swap:.", bits));
  EXPECT_EQ(words, (std::array<std::uint64_t, 2>{0xF2, 0x01}));
  words[1] = 0xC1; // bits past the last one are no elements
  EXPECT_TRUE(inject("half:.", bits));
  EXPECT_EQ(words, (std::array<std::uint64_t, 2>{0, 0xC0}));
}

TEST(Fault, ReachesEveryRunOfAnOutput)
{
  Doubles reals{1, 2, 3};
  std::vector<std::int32_t> wholes{4, 5};
  Output output(reals.data(), 3, false);
  output.add(wholes.data(), 2);
  EXPECT_EQ(output.count(), 5);
  auto const inject = [&](char const* fault) { return Fault::parse(fault).corrupt(output); };
  EXPECT_TRUE(inject("value@last:."));
  EXPECT_EQ(wholes, (std::vector<std::int32_t>{4, 6}));
  EXPECT_TRUE(inject("value@middle:."));
  EXPECT_NE(reals[2], 3);
  EXPECT_TRUE(inject("half:."));
  EXPECT_EQ(reals[0], 0.5);
  EXPECT_EQ(wholes, (std::vector<std::int32_t>{2, 3}));
  reals = {7, 7, 7};
  EXPECT_TRUE(inject("swap:.")); // the first run has none that differ
  EXPECT_EQ(wholes, (std::vector<std::int32_t>{3, 2}));
  EXPECT_TRUE(inject("tail:.")); // of each kind
  EXPECT_EQ(reals, (Doubles{7, 7, 0}));
  EXPECT_EQ(wholes, (std::vector<std::int32_t>{3, 0}));
  EXPECT_TRUE(inject("nan@last:.")); // which no whole number is
  EXPECT_TRUE(std::isnan(reals[0]));
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
  Ticks slower;
  slower.step("slow@30:.");
  EXPECT_GE(slower.time, 1.3 * 101);
  EXPECT_LT(slower.time, 1.3 * 101 + 3);
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

TEST(Fault, SkipAndSlowAlterStepsAndNoOutput)
{
  for (auto const* fault : {"skip:.", "slow:."})
    EXPECT_EQ(corrupted<double>(fault, {2, 3}), (Doubles{2, 3}));
}

TEST(Fault, LeavesNothingAlone)
{
  EXPECT_FALSE(Fault::parse("value:.").corrupt({}));
  EXPECT_FALSE(alters<double>("value:.", {}));
}

TEST(Fault, IsOfTheRankThatItNames)
{
  EXPECT_TRUE(alters<double>("value@rank1:.", {2, 3}, 1));
  EXPECT_FALSE(alters<double>("value@rank1:.", {2, 3}, 0));
  EXPECT_TRUE(alters<double>("value@last@rank0:.", {2, 3}, 0));
  EXPECT_TRUE(alters<double>("value:.", {2, 3}, 7));
}

TEST(Fault, ReachesTheDevice)
{
  auto const memory = allocate<>("strata::test::output", 3 * sizeof(double));
  Kokkos::View<double*, DeviceSpace, Kokkos::MemoryUnmanaged> const values(
      reinterpret_cast<double*>(memory.data()), 3);
  Kokkos::deep_copy(values, 2.0);
  EXPECT_TRUE(Fault::parse("value@last:.").corrupt({values.data(), 3}));
  auto const found = Kokkos::create_mirror_view_and_copy(HostSpace(), values);
  EXPECT_EQ(found(0), 2);
  EXPECT_EQ(found(1), 2);
  EXPECT_NE(found(2), 2);
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
  for (std::string const text :
       {"value", "flip:.", ":.", "values:.", "value@end:.", "value@-1:.", "half@last:.",
        "value@rank:.", "value@rank1@last:.", "skip@rank1:.", "slow@last:.", "slow@9999999:.",
        "value@:.", "@last:."})
    try {
      Fault::parse(text);
      ADD_FAILURE() << text << " was understood";
    } catch (Error const& error) {
      EXPECT_EQ(error.exit(), Exit::command_line);
      EXPECT_EQ(error.what(),
                "STRATA_FAULT is '" + text +
                    "'; it must be KIND:REGEX, KIND@PLACE:REGEX or either with @rankN before "
                    "the colon, of kind value, nan, swap, shift, half, tail, skip or slow and "
                    "place first, middle, last or a whole number (of slow: of per cent), or be "
                    "unset for a real run");
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
