#pragma once

#include "trial.hpp"

#include "array/copy.hpp"
#include "verify/tolerance.hpp"
#include "verify/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace strata::mgs {

/// The input's part on this rank, regenerated.
struct InputRows
{
  Matrix matrix;
  index_t first;
  KOKKOS_FUNCTION double operator()(index_t i, index_t k) const { return matrix(first + i, k); }
};

/// Columns and rows of a block of products.
inline constexpr int block = 4;

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
    for (int a = 0; a < block; ++a)
      for (int b = 0; b < block; ++b)
        if (j + a < columns && k + b < columns)
          sums[block * a + b] += x(i, j + a) * y(i, k + b);
  }
};

/// Largest |A − QR|; a NaN counts as the largest double.
template <class Q>
struct Residual
{
  static constexpr char const* name() { return "strata::mgs::Residual"; }
  Q q;
  InputRows input;
  double const* r;
  index_t pitch;

  KOKKOS_FUNCTION void operator()(Largest& largest, index_t i, index_t k) const
  {
    double rest = input(i, k);
    for (index_t j = 0; j <= k; ++j)
      rest -= q(i, j) * r[j * pitch + k];
    double const error = rest < 0 ? -rest : rest;
    largest += error <= 1.7976931348623157e308 ? error : 1.7976931348623157e308;
  }
};

struct LargestInput
{
  static constexpr char const* name() { return "strata::mgs::LargestInput"; }
  InputRows input;

  KOKKOS_FUNCTION void operator()(Largest& largest, index_t i, index_t k) const
  {
    double const value = input(i, k);
    largest += value < 0 ? -value : value;
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

/// Throws Error{Exit::verification} when some column depends on those before it.
void require_independent(SmallMatrix const& r, index_t rows);

/// Elements of R that are not those of an upper triangle with a positive diagonal (of either
/// sign where `any_sign`).
double misplaced(SmallMatrix const& r, bool any_sign);

/// Largest |m − I|; magnitudes of the diagonal only where `any_sign`.
double distance_from_identity(SmallMatrix const& m, bool any_sign);

/// Largest element below the diagonal over the largest.
double lower_part(SmallMatrix const& m);

/// What roundings allow.
double allowed_orthogonality(Problem const& problem, Algorithm const& algorithm);
double allowed_residual(Problem const& problem, Algorithm const& algorithm);

/// xᵀy over all ranks; y as a span is.
template <class X, class Y>
SmallMatrix products(X const& x, Y const& y, index_t rows, index_t columns,
                     runtime::Communicator const& world)
{
  using Block = Sums<double, block * block>;
  index_t const blocks = (columns + block - 1) / block;
  Array<double, Dynamic<1>, LayoutRight> const sums("strata::mgs::products",
                                                    Dynamic<1>(blocks * Block::size));
  auto const host = host_mirror(sums);
  SmallMatrix all(columns);
  for (index_t j = 0; j < columns; j += block) {
    for (index_t at = 0; at < blocks; ++at)
      reduce(in_order_of<LayoutRight>(Dynamic<1>(rows)),
             BlockProducts<X, Y>{x, y, j, block * at, columns},
             Span<Block, Extents<index_t>, LayoutRight>(
                 reinterpret_cast<Block*>(sums.data() + at * Block::size), {}));
    copy(host, sums);
    Kokkos::fence();
    auto const total = world.sum(std::vector<double>(host.data(), host.data() + host.size()));
    for (index_t k = 0; k < columns; ++k)
      for (index_t a = 0; a < block && j + a < columns; ++a)
        all(j + a, k) =
            total[static_cast<std::size_t>(k / block * block * block + block * a + k % block)];
  }
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
  auto const walk = in_order_of<typename Q::layout_type>(Dynamic<2>(rows, r.columns));
  double const scale = world.max(reduced<Largest>(walk, LargestInput{input}).value);
  return reduced<Largest>(walk, Residual<Q>{q, input, numbers.data(), r.columns}).value / scale;
}

} // namespace strata::mgs
