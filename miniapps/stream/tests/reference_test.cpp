#include "kernels/reference.hpp"

#include <gtest/gtest.h>

namespace strata::stream {

namespace {

TEST(StreamReference, HasNeighboursThatDiffer)
{
  for (auto const field : {Field::a, Field::b, Field::c})
    for (index_t g = 0; g < 100000; ++g)
      EXPECT_NE(initial_64ths(field, g), initial_64ths(field, g + 1)) << g;
}

TEST(StreamReference, HasSmallValuesOffZero)
{
  for (index_t g = 0; g < 100000; ++g) {
    EXPECT_GE(initial_64ths(Field::a, g), 8);
    EXPECT_LE(initial_64ths(Field::a, g), 71);
    EXPECT_GE(initial_64ths(Field::b, g), 16);
    EXPECT_LE(initial_64ths(Field::b, g), 79);
    EXPECT_GE(initial_64ths(Field::c, g), 1);
    EXPECT_LE(initial_64ths(Field::c, g), 64);
  }
}

TEST(StreamReference, HasPairsOfBoolsThatDiffer)
{
  index_t trues_first = 0;
  for (index_t g = 0; g < 100000; g += 2) {
    EXPECT_NE(initial_bool(g), initial_bool(g + 1)) << g;
    trues_first += initial_bool(g) ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(trues_first), 25000, 1000);
}

TEST(StreamReference, HasTheSameBoolsOneByOneAndInWords)
{
  for (index_t const g : {0, 1, 63, 64, 65, 7001}) {
    auto const word = initial_bools(g);
    for (index_t i = 0; i < 64; ++i)
      EXPECT_EQ((word >> i & 1U) != 0, initial_bool(g + i)) << g << " + " << i;
  }
}

TEST(StreamReference, IsWhatTheRecurrencesGive)
{
  for (index_t g = 0; g < 1000; ++g) {
    double const a = initial(Field::a, g);
    double const b = initial(Field::b, g);
    double const c = initial(Field::c, g);
    EXPECT_EQ(expected_value(KernelId::set, g, 1), factor);
    EXPECT_EQ(expected_value(KernelId::copy, g, 1), a);
    EXPECT_EQ(expected_value(KernelId::scale, g, 1), factor * c);
    EXPECT_EQ(expected_value(KernelId::add, g, 1), a + b);
    EXPECT_EQ(expected_value(KernelId::triad, g, 1), b + factor * c);
    double accumulated = a;
    for (int step = 0; step < 50; ++step)
      accumulated += b + factor * c;
    EXPECT_EQ(expected_value(KernelId::nstream, g, 50), accumulated);
    EXPECT_EQ(static_cast<double>(expected_term(KernelId::dot, g)) * sum_unit, a * b);
    EXPECT_EQ(static_cast<double>(expected_term(KernelId::read, g)) * sum_unit, a);
  }
}

TEST(StreamReference, IsExactInFloatForAsManyStepsAsItSays)
{
  for (index_t g = 0; g < 1000; ++g)
    for (int const steps : {1, exact_steps<float>()}) {
      double const expected = expected_value(KernelId::nstream, g, steps);
      EXPECT_EQ(static_cast<double>(static_cast<float>(expected)), expected);
    }
}

} // namespace

} // namespace strata::stream
