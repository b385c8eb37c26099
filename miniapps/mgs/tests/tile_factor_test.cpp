#include "array/dense/array.hpp"
#include "array/launch/team.hpp"
#include "tiles/tile_factor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace strata::mgs {

namespace {

/// Whether the factor U of unit columns, with `above` above the diagonal before scaling, is to
/// be repeated where its growth is to be at most `most`.
bool repeats(double above, double most)
{
  constexpr index_t size = most_tile_columns;
  constexpr index_t square = size * size;
  auto const u = [&](index_t j, index_t k) {
    if (j > k)
      return 0.0;
    double const norm = std::sqrt(1 + static_cast<double>(k) * above * above);
    return (j == k ? 1.0 : above) / norm;
  };
  Array<double, Dynamic<1>, LayoutRight> const numbers("numbers", Dynamic<1>(4 * square));
  std::vector<double> values(static_cast<std::size_t>(4 * square));
  for (index_t j = 0; j < size; ++j)
    for (index_t k = 0; k < size; ++k)
      for (index_t l = 0; l < size; ++l)
        values[static_cast<std::size_t>(j * size + k)] += u(l, j) * u(l, k);
  Kokkos::View<double*, DeviceSpace, Kokkos::MemoryUnmanaged> const of_device(numbers.data(),
                                                                              4 * square);
  Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const of_host(values.data(),
                                                                                  4 * square);
  Kokkos::deep_copy(of_device, of_host);
  double* const at = numbers.data();
  TileMemory const memory{at + square, at + 3 * square,        at,
                          nullptr,     at + 3 * square + size, size};
  ColumnRange const panel{0, size};
  for_each_team<256>(1, TileFactorKernel{{.panel = panel, .rest = {size, 0}, .first = true},
                                         memory,
                                         at + 2 * square,
                                         size,
                                         1000,
                                         most});
  auto const products = values;
  Kokkos::deep_copy(of_host, of_device);
  auto const found = [&](index_t j, index_t k) {
    return values[static_cast<std::size_t>(square + j * size + k)];
  };
  for (index_t j = 0; j < size; ++j)
    for (index_t k = 0; k < size; ++k) {
      double sum = 0;
      for (index_t l = 0; l < size; ++l)
        sum += found(l, j) * found(l, k);
      EXPECT_NEAR(sum, products[static_cast<std::size_t>(j * size + k)], 1e-13);
    }
  return values[static_cast<std::size_t>(3 * square + size)] != 0;
}

TEST(MgsTileFactor, AsksForRepeatsWhereRoundingGrows)
{
  EXPECT_FALSE(repeats(0.1, 0)) << "0 is no limit";
  EXPECT_FALSE(repeats(-0.5, 0));
  EXPECT_FALSE(repeats(0, 32));
  EXPECT_FALSE(repeats(-0.05, 32)); // 1.05 to the power of 31
  // No pivot is less than a tenth of its column's square, yet U's inverse has 1.5 to the power
  // of 30.
  EXPECT_TRUE(repeats(-0.5, 32));
  EXPECT_TRUE(repeats(-0.5, 1e5));
  EXPECT_FALSE(repeats(-0.5, 1e7));
}

} // namespace

} // namespace strata::mgs
