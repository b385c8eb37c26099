#pragma once

#include "trial.hpp"

#include "array/dense/copy.hpp"
#include "array/launch/sums.hpp"
#include "verify/compare.hpp"
#include "verify/tolerance.hpp"
#include "verify/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace strata::mgs {

/// This rank's part of the input, computed anew.
struct InputRows
{
  Matrix matrix;
  index_t first;
  KOKKOS_FUNCTION double operator()(index_t i, index_t k) const { return matrix(first + i, k); }
};

/// Columns and rows of a block of products that one reduction makes.
inline constexpr int block = 4;
/// And of one that a work item makes.
inline constexpr int patch = 8;

/// A row or column of a block, or the last of `count` for one behind it, which changes no
/// result.
KOKKOS_FUNCTION inline index_t inside(index_t index, index_t count)
{
  return index < count ? index : count - 1;
}

/// sums[4 a + b] = Σ x(i, j + a)·y(i, k + b)
template <class X, class Y>
struct BlockProducts
{
  static constexpr char const* name() { return "strata::mgs::BlockProducts"; }
  X x;
  Y y;
  index_t j, k, columns;

  KOKKOS_FUNCTION void operator()(Sums<double, block * block>& sums, index_t i) const
  {
    double left[block];
    double right[block];
    for (int a = 0; a < block; ++a) {
      left[a] = x(i, inside(j + a, columns));
      right[a] = y(i, inside(k + a, columns));
    }
    for (int a = 0; a < block; ++a)
      for (int b = 0; b < block; ++b)
        sums[block * a + b] += left[a] * right[b];
  }
};

/// products[columns·j + k] = Σ x(i, j)·y(i, k) of a patch of columns j and k
template <class X, class Y>
struct PatchProducts
{
  static constexpr char const* name() { return "strata::mgs::PatchProducts"; }
  X x;
  Y y;
  index_t rows, columns;
  double* products;

  KOKKOS_FUNCTION void operator()(index_t down, index_t across) const
  {
    index_t const j = patch * down;
    index_t const k = patch * across;
    double sums[patch][patch] = {};
    for (index_t i = 0; i < rows; ++i) {
      double left[patch];
      double right[patch];
      for (int a = 0; a < patch; ++a) {
        left[a] = x(i, inside(j + a, columns));
        right[a] = y(i, inside(k + a, columns));
      }
      for (int a = 0; a < patch; ++a)
        for (int b = 0; b < patch; ++b)
          sums[a][b] += left[a] * right[b];
    }
    for (int a = 0; a < patch && j + a < columns; ++a)
      for (int b = 0; b < patch && k + b < columns; ++b)
        products[(j + a) * columns + k + b] = sums[a][b];
  }
};

/// Largest |A − QR|.
template <class Q>
struct Residual
{
  static constexpr char const* name() { return "strata::mgs::Residual"; }
  Q q;
  InputRows input;
  double const* r; ///< upper triangle, by rows, `columns` apart
  index_t rows, columns;

  /// Of a patch of neighbouring elements; indices past the last one mean the last one.
  KOKKOS_FUNCTION void operator()(verify::Worst& worst, index_t down, index_t across) const
  {
    index_t row[patch];
    index_t column[patch];
    double rest[patch][patch];
    for (int a = 0; a < patch; ++a) {
      row[a] = inside(patch * down + a, rows);
      column[a] = inside(patch * across + a, columns);
    }
    for (int a = 0; a < patch; ++a)
      for (int b = 0; b < patch; ++b)
        rest[a][b] = input(row[a], column[b]);
    for (index_t j = 0; j <= column[patch - 1]; ++j) {
      double left[patch];
      for (int a = 0; a < patch; ++a)
        left[a] = q(row[a], j);
      for (int b = 0; b < patch; ++b) {
        double const right = j <= column[b] ? r[j * columns + column[b]] : 0;
        for (int a = 0; a < patch; ++a)
          rest[a][b] -= left[a] * right;
      }
    }
    for (int a = 0; a < patch; ++a)
      for (int b = 0; b < patch; ++b)
        worst += rest[a][b] < 0 ? -rest[a][b] : rest[a][b];
  }
};

struct LargestInput
{
  static constexpr char const* name() { return "strata::mgs::LargestInput"; }
  InputRows input;

  KOKKOS_FUNCTION void operator()(verify::Worst& worst, index_t i, index_t k) const
  {
    double const value = input(i, k);
    worst += value < 0 ? -value : value;
  }
};

/// A small square matrix on the host, in rows.
struct SmallMatrix
{
  index_t columns;
  std::vector<double> values;

  explicit SmallMatrix(index_t size)
      : columns(size)
      , values(static_cast<std::size_t>(size * size), 0.0)
  {
  }
  double& operator()(index_t j, index_t k)
  {
    return values[static_cast<std::size_t>(j * columns + k)];
  }
  double operator()(index_t j, index_t k) const
  {
    return values[static_cast<std::size_t>(j * columns + k)];
  }
};

/// The factor's R on the host.
SmallMatrix fetched(Factor const& factor);

/// Throws Error{Exit::verification} where a column depends on those before it, as far as
/// elements of that epsilon tell.
void require_independent(SmallMatrix const& r, index_t rows, double epsilon);

/// Number of elements that keep R from being upper triangular with a positive diagonal (of
/// either sign with `any_sign`).
double misplaced(SmallMatrix const& r, bool any_sign);

/// Largest |m − I|; with `any_sign` the diagonal counts by magnitude.
double distance_from_identity(SmallMatrix const& m, bool any_sign);

/// Largest element below the diagonal over the largest.
double lower_part(SmallMatrix const& m);

/// The error that rounding allows; `epsilon` is that of the elements, and sums are doubles.
double allowed_orthogonality(Problem const& problem, Algorithm const& algorithm,
                             double epsilon);
double allowed_residual(Problem const& problem, Algorithm const& algorithm, double epsilon);

/// Whether there are so many columns that a work item of the checks adds up all rows of a patch
/// of products, one after the other; with fewer it would leave a device idle.
inline bool by_patches(index_t columns)
{
  index_t const patches = (columns + patch - 1) / patch;
  return patches * patches >= 256;
}

/// xᵀy over all ranks by a reduction over the rows for each block; for many rows.
template <class X, class Y>
SmallMatrix reduced_products(X const& x, Y const& y, index_t rows, index_t columns,
                             runtime::Communicator const& world)
{
  SmallMatrix all(columns);
  for (index_t j = 0; j < columns; j += block)
    for (index_t k = 0; k < columns; k += block) {
      auto const sums = verify::sum_of_every<Sums<double, block * block>>(
          rows, BlockProducts<X, Y>{x, y, j, k, columns});
      for (int a = 0; a < block && j + a < columns; ++a)
        for (int b = 0; b < block && k + b < columns; ++b)
          all(j + a, k + b) = sums[block * a + b];
    }
  all.values = world.sum(all.values);
  return all;
}

/// xᵀy over all ranks; y is indexed as a span.
template <class X, class Y>
SmallMatrix products(X const& x, Y const& y, index_t rows, index_t columns,
                     runtime::Communicator const& world)
{
  index_t const patches = (columns + patch - 1) / patch;
  if (!by_patches(columns))
    return reduced_products(x, y, rows, columns, world);
  Array<double, Dynamic<1>, LayoutRight> const found("strata::mgs::products",
                                                     Dynamic<1>(columns * columns));
  verify::for_every(Dynamic<2>(patches, patches),
                    PatchProducts<X, Y>{x, y, rows, columns, found.data()});
  auto const host = host_mirror(found);
  copy(host, found);
  Kokkos::fence();
  SmallMatrix all(columns);
  all.values = world.sum(std::vector<double>(host.data(), host.data() + host.size()));
  return all;
}

/// Largest |A − QR| over the largest |A|, on this rank.
template <class Q>
double largest_residual(Q const& q, InputRows const& input, index_t rows, SmallMatrix const& r,
                        runtime::Communicator const& world)
{
  Array<double, Dynamic<1>, LayoutRight> const numbers("strata::mgs::r",
                                                       Dynamic<1>(r.columns * r.columns));
  auto const host = host_mirror(numbers);
  std::copy(r.values.begin(), r.values.end(), host.data());
  copy(numbers, host);
  double const scale = world.max(
      verify::sum_of_every<verify::Worst>(Dynamic<2>(rows, r.columns), LargestInput{input})
          .value);
  Dynamic<2> const patches((rows + patch - 1) / patch, (r.columns + patch - 1) / patch);
  Residual<Q> const residual{q, input, numbers.data(), rows, r.columns};
  return verify::sum_of_every<verify::Worst>(patches, residual).value / scale;
}

} // namespace strata::mgs
