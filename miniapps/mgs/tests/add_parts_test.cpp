#include "rows/add_parts.hpp"
#include "testing/thread_team.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace strata::mgs {

namespace {

/// Small whole numbers, whose sums are exact in any order.
std::vector<double> some_values(index_t count, index_t parts)
{
  std::vector<double> values;
  for (index_t n = 0; n < parts * count; ++n)
    values.push_back(static_cast<double>(n * 7 % 31));
  return values;
}
std::vector<double> sums_of(std::vector<double> const& values, index_t count)
{
  std::vector<double> expected(static_cast<std::size_t>(count));
  for (std::size_t n = 0; n < values.size(); ++n)
    expected[n % expected.size()] += values[n];
  return expected;
}

template <int AtOnce>
void expect_sums(index_t count, index_t parts)
{
  auto const values = some_values(count, parts);
  auto const expected = sums_of(values, count);
  std::vector<double> found(expected.size(), -1);
  using Kernel = AddPartsKernel<AtOnce>;
  constexpr index_t each = Kernel::template width<Kernel::members>;
  testing::run_on_threads<Kernel::members>((count + each - 1) / each,
                                           Kernel{{values.data(), found.data(), count, parts}});
  EXPECT_EQ(found, expected) << count << " sums of " << parts << " parts";
}

} // namespace

TEST(AddParts, AddsManySumsAWorkItemEach)
{
  constexpr index_t count = 9;
  for (index_t const parts : {1, 7, 8, 33}) {
    auto const values = some_values(count, parts);
    std::vector<double> found(count, -1);
    AddPartsOfEach add{{values.data(), found.data(), count, parts}};
    double wanted = 0;
    add.of.wanted = &wanted;
    add(3);
    EXPECT_EQ(found[3], -1);
    wanted = 1;
    for (index_t n = 0; n < count; ++n)
      add(n);
    EXPECT_EQ(found, sums_of(values, count)) << parts;
  }
}

TEST(AddParts, AddsEachPartOnce)
{
  if constexpr (device_is_host)
    for (index_t const parts : {1, 33, 511, 1585}) {
      expect_sums<4>(9, parts);
      expect_sums<16>(9, parts);
    }
}

} // namespace strata::mgs
