#include "operands.hpp"

#include "controls/native.hpp"
#include "controls/native_batched.hpp"
#include "controls/native_sparse.hpp"
#include "controls/vendor.hpp"
#include "trials/problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// The hand-written controls on the device, at shapes that fill no pack, warp, block or part.

namespace strata::matvec {

namespace {

using Numbers = std::vector<double>;

/// The same values in the device's memory.
template <class T>
Kokkos::View<T*, DeviceSpace> on_device(std::vector<T> const& values)
{
  Kokkos::View<T*, DeviceSpace> const there("strata::test::operand", values.size());
  Kokkos::deep_copy(there, Kokkos::View<T const*, HostSpace, Kokkos::MemoryUnmanaged>(
                               values.data(), values.size()));
  return there;
}

template <class View>
Numbers on_host(View const& there)
{
  Numbers here(there.extent(0));
  Kokkos::View<double*, HostSpace, Kokkos::MemoryUnmanaged> const to(here.data(), here.size());
  Kokkos::deep_copy(to, there);
  return here;
}

std::size_t size(index_t count)
{
  return static_cast<std::size_t>(count);
}

Numbers wholes(index_t count)
{
  Numbers x;
  for (index_t j = 0; j < count; ++j)
    x.push_back(whole(j, 5));
  return x;
}

/// Runs twice, since a launch must leave what the next one needs as it was.
template <class Run>
void expect_product(Numbers const& expected, Run const& run, char const* what)
{
  Kokkos::View<double*, DeviceSpace> const y("strata::test::y", expected.size());
  for (int step = 0; step < 2; ++step) {
    Kokkos::deep_copy(y, static_cast<double>(NAN));
    run(y.data());
    Kokkos::fence();
    EXPECT_EQ(on_host(y), expected) << what << ", step " << step;
  }
}

void expect_dense(index_t rows, index_t cols)
{
  index_t const elements = (rows * cols + 1) / 2 * 2; // of whole 16 bytes
  Numbers left(size(elements), NAN);
  Numbers right(size(elements), NAN);
  Numbers const vector = wholes(cols);
  Numbers expected(size(rows));
  for (index_t j = 0; j < cols; ++j)
    for (index_t i = 0; i < rows; ++i) {
      double const element = whole(i, j);
      left[size(i + rows * j)] = right[size(i * cols + j)] = element;
      expected[size(i)] += element * vector[size(j)];
    }
  auto const x = on_device(vector);
  auto const by_columns = on_device(left);
  auto const by_rows = on_device(right);
  index_t const parts = most_parts_of(cols);
  Kokkos::View<double*, DeviceSpace> const partial("strata::test::partial", size(rows * parts));
  auto const expect = [&](auto run, auto const& a, char const* what) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols));
    expect_product(
        expected,
        [&](double* y) { run({a.data(), x.data(), y, partial.data(), rows, cols, parts}); },
        what);
  };
  expect(native::rows_left, by_columns, "rows_left");
  expect(native::rows_right, by_rows, "rows_right");
  expect(native::best_left, by_columns, "best_left");
  expect(native::best_right, by_rows, "best_right");
}

bool there_are_controls()
{
  return driver::native_unavailable()[0] == '\0';
}

TEST(NativeProduct, IsExactForAnyShape)
{
  if (!there_are_controls())
    GTEST_SKIP() << driver::native_unavailable();
  for (index_t const few : {1, 2, 3, 4, 5, 6, 7, 8, 9, 17})
    for (index_t const many : {1, 2, 3, 31, 64, 257, 1009, 4099}) {
      expect_dense(few, many);
      expect_dense(many, few);
    }
  for (auto const& [rows, cols] : {std::pair<index_t, index_t>{37, 65},
                                   {131, 1027},
                                   {130, 1026},
                                   {257, 515},
                                   {515, 257},
                                   {500, 5003},
                                   {64, 20'011},
                                   {63, 20'012},
                                   {1, 70'001},
                                   {6, 70'001},
                                   {70'001, 29},
                                   {2049, 1025}})
    expect_dense(rows, cols);
}

/// Rows of none up to `most` entries.
void expect_sparse(index_t lines, index_t most)
{
  constexpr index_t across = 501;
  std::vector<index_t> offsets{0};
  std::vector<std::int32_t> places;
  Numbers values;
  Numbers const of_rows = wholes(across);
  Numbers const of_columns = wholes(lines);
  Numbers by_rows(size(lines));
  Numbers by_columns(size(across));
  for (index_t line = 0; line < lines; ++line) {
    index_t const count = line * 7 % (most + 1);
    for (index_t k = 0; k < count; ++k) {
      index_t const place = (line * 13 + k * 3) % across;
      places.push_back(static_cast<std::int32_t>(place));
      values.push_back(whole(line, k));
      by_rows[size(line)] += values.back() * of_rows[size(place)];
      by_columns[size(place)] += values.back() * of_columns[size(line)];
    }
    offsets.push_back(static_cast<index_t>(values.size()));
  }
  values.push_back(0); // a view of no element has no address
  places.push_back(0);
  auto const d_offsets = on_device(offsets);
  auto const d_places = on_device(places);
  auto const d_values = on_device(values);
  auto const x = on_device(of_rows);
  auto const z = on_device(of_columns);
  SCOPED_TRACE(std::to_string(lines) + " lines, entries up to " + std::to_string(most));
  auto const expect = [&](Numbers const& expected, auto run, auto const& in, index_t rows,
                          char const* what) {
    expect_product(
        expected,
        [&](double* y) {
          run({d_offsets.data(), d_places.data(), d_values.data(), in.data(), y, lines, rows,
               offsets.back()});
        },
        what);
  };
  expect(by_rows, native::csr_rows, x, lines, "csr_rows");
  expect(by_rows, native::csr_best, x, lines, "csr_best");
  expect(by_columns, native::csc_columns, z, across, "csc_columns");
}

TEST(NativeSparse, IsExactForRowsOfAnyLength)
{
  if (!there_are_controls())
    GTEST_SKIP() << driver::native_unavailable();
  for (index_t const lines : {1, 2, 127, 4099})
    for (index_t const most : {0, 1, 5, 16, 17, 27, 55, 100, 160, 500})
      expect_sparse(lines, most);
}

void expect_batch(native::BatchProduct run, bool left, index_t order, index_t count)
{
  ASSERT_NE(run, nullptr);
  auto const at = [&](index_t b, index_t i, index_t inner) {
    return size(left ? b + count * i : b * inner + i);
  };
  Numbers matrices(size(count * order * order));
  Numbers vectors(size(count * order));
  Numbers expected(size(count * order));
  for (index_t b = 0; b < count; ++b)
    for (index_t i = 0; i < order; ++i) {
      vectors[at(b, i, order)] = whole(b, i);
      for (index_t j = 0; j < order; ++j) {
        double const element = whole(b * order + i, j);
        matrices[at(b, left ? i + order * j : i * order + j, order * order)] = element;
        expected[at(b, i, order)] += element * whole(b, j);
      }
    }
  auto const a = on_device(matrices);
  auto const x = on_device(vectors);
  SCOPED_TRACE(std::to_string(count) + " of order " + std::to_string(order));
  expect_product(
      expected, [&](double* y) { run({a.data(), x.data(), y, count, order}); },
      left ? "left" : "right");
}

TEST(NativeBatch, IsExactForAnyOrderAndCount)
{
  if (!there_are_controls())
    GTEST_SKIP() << driver::native_unavailable();
  for (bool const left : {false, true})
    for (bool const one_by_one : {false, true})
      for (index_t const count : {1, 2, 31, 203})
        for (index_t const order : {1, 2, 3, 4, 5, 8, 9, 13, 16, 17, 31, 32, 33, 64}) {
          expect_batch(native::batch_product(left, one_by_one, 0), left, order, count);
          if (order == 3 || order == 8)
            expect_batch(native::batch_product(left, one_by_one, order), left, order, count);
        }
}

TEST(VendorBatch, IsThatOfMatricesInRows)
{
  auto const run = vendor::batched_gemv();
  if (run == nullptr)
    GTEST_SKIP() << "the library has no product of batches";
  for (index_t const count : {1, 31, 203})
    for (index_t const order : {1, 3, 8, 13, 64})
      expect_batch(run, false, order, count);
}

} // namespace

} // namespace strata::matvec
