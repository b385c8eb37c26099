#pragma once

#include "values.hpp"

#include "array/for_each.hpp"

#include <cmath>
#include <type_traits>

namespace strata::matvec {

using BatchLayouts = Layouts<LayoutLeft, LayoutRight, LayoutTiled<32>>;

/// y(b, i) = Σ_j A(b, i, j) x(b, j), one work item per matrix, or per pack of them where these
/// lie side by side.
template <class Matrices, class Input, class Output>
struct BatchedProduct
{
  static constexpr char const* name() { return "strata::matvec::BatchedProduct"; }
  Matrices A;
  Input x;
  Output y;

  template <class I>
  KOKKOS_FUNCTION void operator()(I b) const
  {
    for (index_t i = 0; i < A.extent(1); ++i)
      row(b, i);
  }
  /// One work item per row of a matrix.
  KOKKOS_FUNCTION void operator()(index_t b, index_t i) const { row(b, i); }

private:
  template <class I>
  KOKKOS_FUNCTION void row(I b, index_t i) const
  {
    using V = std::remove_cvref_t<decltype(A(b, 0, 0))>;
    V sum = V(typename Output::value_type{});
    for (index_t j = 0; j < A.extent(2); ++j)
      sum += A(b, i, j) * x(b, j);
    y(b, i) = sum;
  }
};

/// `row` is a work item per matrix. Else a host takes packs of matrices wherever neighbours lie
/// together, and a GPU a work item per row of each, in the order of memory.
template <class Layout, class Matrices, class Input, class Output>
void launch_batch(Matrices const& a, Input const& x, Output const& y, bool by_rows)
{
  BatchedProduct<Matrices, Input, Output> const kernel{a, x, y};
  index_t const count = a.extent(0);
  if (by_rows)
    return for_each(count, kernel);
  if constexpr (!device_is_host)
    for_each(in_order_of<std::conditional_t<std::is_same_v<Layout, LayoutRight>, LayoutRight,
                                            LayoutLeft>>(Dynamic<2>(count, a.extent(1))),
             kernel);
  else if constexpr (std::is_same_v<Layout, LayoutRight>)
    for_each(count, kernel);
  else
    for_each(count, kernel, widest_packs<double, Layout>);
}

/// Matrix b has the global matrix' elements (row b·N + i, j); y becomes NaN.
template <class Matrices, class Rows>
struct FillBatch
{
  static constexpr char const* name() { return "strata::matvec::FillBatch"; }
  Matrices A;
  Rows x;
  Rows y;
  Values values;
  index_t first;

  KOKKOS_FUNCTION void operator()(index_t b) const
  {
    index_t const order = A.extent(1);
    for (index_t i = 0; i < order; ++i) {
      index_t const row = (first + b) * order + i;
      for (index_t j = 0; j < order; ++j)
        A(b, i, j) = values.matrix(row, j);
      x(b, i) = values.vector(row);
      y(b, i) = NAN;
    }
  }
};

/// rows(b·N + i) = y(b, i)
template <class From, class To>
struct TakeRows
{
  static constexpr char const* name() { return "strata::matvec::TakeRows"; }
  From from;
  To to;
  index_t order;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    to(row) = from(row / order, row % order);
  }
};

} // namespace strata::matvec
