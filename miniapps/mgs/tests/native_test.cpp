#include "controls/native.hpp"
#include "driver/miniapp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

// The hand-written launches on the device, at numbers of rows that fill no vector, block or
// grid.

namespace strata::mgs {

namespace {

using Numbers = std::vector<double>;
using Stored = Kokkos::View<double*, DeviceSpace>;
using Local = Kokkos::View<double*, HostSpace, Kokkos::MemoryUnmanaged>;

Stored on_device(Numbers values)
{
  Stored const there("strata::test::column", values.size());
  Kokkos::deep_copy(there, Local(values.data(), values.size()));
  return there;
}

Numbers on_host(Stored const& there)
{
  Kokkos::fence();
  Numbers here(there.extent(0));
  Kokkos::deep_copy(Local(here.data(), here.size()), there);
  return here;
}

/// Small whole numbers: every sum of their products is exact, in any order.
Numbers wholes(index_t rows, index_t column)
{
  Numbers values;
  for (index_t i = 0; i < rows; ++i)
    values.push_back(static_cast<double>((7 * i + 3 * column) % 11 - 4));
  return values;
}

template <class F>
void for_rows(F const& f)
{
  if (driver::native_unavailable()[0] != '\0')
    GTEST_SKIP() << driver::native_unavailable();
  for (index_t const rows :
       {1, 2, 3, 511, 512, 513, 2047, 2048, 2049, 4097, 20'011, 100'003, 1'000'003})
    f(rows);
}

TEST(NativeDot, IsExactForAnyNumberOfRows)
{
  for_rows([](index_t rows) {
    Numbers const x = wholes(rows, 1);
    Numbers const y = wholes(rows, 2);
    double expected = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      expected += x[i] * y[i];
    auto const there = on_device(x);
    auto const other = on_device(y);
    for (int step = 0; step < 3; ++step) { // a launch leaves what the next one needs
      auto const sum = on_device({NAN});
      Kokkos::fence();
      native::dot(there.data(), other.data(), rows, sum.data());
      EXPECT_EQ(on_host(sum), Numbers{expected}) << rows << " rows, step " << step;
    }
  });
}

TEST(NativeUpdate, ChangesEveryRow)
{
  for_rows([](index_t rows) {
    Numbers const x = wholes(rows, 1);
    Numbers expected = wholes(rows, 2);
    auto const there = on_device(x);
    auto const other = on_device(expected);
    auto const factor = on_device({3});
    for (std::size_t i = 0; i < x.size(); ++i)
      expected[i] -= 3 * x[i];
    Kokkos::fence();
    native::update(there.data(), other.data(), rows, factor.data());
    EXPECT_EQ(on_host(other), expected) << rows;
  });
}

TEST(NativeScale, DividesEveryRowAndStoresTheNorm)
{
  for_rows([](index_t rows) {
    Numbers expected = wholes(rows, 1);
    auto const there = on_device(expected);
    auto const square = on_device({16});
    auto const norm = on_device({NAN});
    for (auto& value : expected)
      value /= 4;
    Kokkos::fence();
    native::scale(there.data(), rows, square.data(), norm.data());
    EXPECT_EQ(on_host(there), expected) << rows;
    EXPECT_EQ(on_host(norm), Numbers{4}) << rows;
  });
}

} // namespace

} // namespace strata::mgs
