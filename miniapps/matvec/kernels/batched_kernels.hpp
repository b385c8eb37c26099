#pragma once

#include "lanes.hpp"
#include "tuning.hpp"

#include "array/access/pack.hpp"
#include "array/launch/for_each.hpp"
#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"

#include <algorithm>
#include <type_traits>

namespace strata::matvec {

/// y(b, i) = Σ_j A(b, i, j) x(b, j), one work item per matrix, or per pack of matrices where
/// these are interleaved.
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

/// The same for interleaved matrices of an order of at most Most (further rows are left out),
/// one work item per matrix. The loops are unrolled, so that no load waits for a sum.
template <int Most, class Matrices, class Input, class Output>
struct BatchedAtOnce
{
  static constexpr char const* name() { return "strata::matvec::BatchedAtOnce"; }
  Matrices A;
  Input x;
  Output y;

  KOKKOS_FUNCTION void operator()(index_t b) const
  {
    auto const order = static_cast<int>(A.extent(1));
    typename Output::value_type sums[Most] = {};
    unrolled<Most>([&](auto j) {
      if (j >= order)
        return;
      auto const factor = x(b, j);
      unrolled<Most>([&](auto i) {
        if (i < order)
          sums[i] += A(b, i, j) * factor;
      });
    });
    unrolled<Most>([&](auto i) {
      if (i < order)
        y(b, i) = sums[i];
    });
  }
};

/// The same for interleaved matrices, one work item per block of rows of a matrix, which share
/// the loads of x.
template <int Rows, class Matrices, class Input, class Output>
struct BatchedBlocks
{
  static constexpr char const* name() { return "strata::matvec::BatchedBlocks"; }

  Matrices A;
  Input x;
  Output y;

  static index_t blocks(index_t order) { return (order + Rows - 1) / Rows; }
  KOKKOS_FUNCTION void operator()(index_t b, index_t block) const
  {
    index_t const first = block * Rows;
    int const rows = static_cast<int>(A.extent(1) - first);
    if (rows >= Rows)
      add(b, first, Number<Rows>());
    else
      add(b, first, rows);
  }

private:
  template <class Count>
  KOKKOS_FUNCTION void add(index_t b, index_t first, Count rows) const
  {
    typename Output::value_type sums[Rows] = {};
    for (index_t j = 0; j < A.extent(2); ++j) {
      auto const factor = x(b, j);
      unrolled<Rows>([&](auto i) {
        if (i < rows)
          sums[i] += A(b, first + i, j) * factor;
      });
    }
    unrolled<Rows>([&](auto i) {
      if (i < rows)
        y(b, first + i) = sums[i];
    });
  }
};

/// The same for interleaved matrices on a host: a thread keeps the sums of many matrices in its
/// first-level cache and adds a few elements of each at a time, so that it reads long
/// contiguous pieces of memory.
template <class Matrices, class Input, class Output, int W>
struct BatchedStretches
{
  static constexpr char const* name() { return "strata::matvec::BatchedStretches"; }

  Matrices A;
  Input x;
  Output y;
  index_t length; ///< matrices of a stretch

  [[nodiscard]] index_t stretches() const { return (A.extent(0) + length - 1) / length; }
  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    index_t const begin = team.index() * length;
    index_t const end = begin + length < A.extent(0) ? begin + length : A.extent(0);
    index_t const order = A.extent(1);
    constexpr int columns = tuning::batched_columns;
    for (index_t i = 0; i < order; ++i) {
      index_t j = 0;
      for (; j + columns <= order; j += columns)
        add<columns>(begin, end, i, j);
      for (; j < order; ++j)
        add<1>(begin, end, i, j);
    }
  }

private:
  /// y(b, i) += A(b, i, j) x(b, j), and those of the next columns of N; = from the first on.
  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void add(index_t begin, index_t end, index_t i, index_t j) const
  {
    if (j == 0)
      add<N, true>(begin, end, i, j);
    else
      add<N, false>(begin, end, i, j);
  }
  template <int N, bool First>
  KOKKOS_FORCEINLINE_FUNCTION void add(index_t begin, index_t end, index_t i, index_t j) const
  {
    index_t b = begin;
    for (; b + W <= end; b += W)
      add_to<N, First>(PackIndex<W>{b}, i, j);
    for (; b < end; ++b)
      add_to<N, First>(b, i, j);
  }
  template <int N, bool First, class I>
  KOKKOS_FORCEINLINE_FUNCTION void add_to(I b, index_t i, index_t j) const
  {
    using V = std::remove_cvref_t<decltype(A(b, 0, 0))>;
    V sum = V(typename Output::value_type{});
    if constexpr (!First)
      sum = static_cast<V>(y(b, i));
    unrolled<N>([&](auto n) { sum += A(b, i, j + n) * x(b, j + n); });
    y(b, i) = sum;
  }
};

/// The same by teams of a GPU's 32 work items, Lanes of which share a contiguous row-major
/// matrix: each has a part of every row, and sums several rows together.
template <int Lanes, class Matrices, class Input, class Output>
struct BatchedRows
{
  static constexpr char const* name() { return "strata::matvec::BatchedRows"; }
  static constexpr int members = 32;
  static constexpr int matrices = members / Lanes; ///< of a team
  static constexpr unsigned teams_at_once = 36;    ///< which leaves 56 registers
  static constexpr int rows = tuning::batched_rows;
  Matrices A;
  Input x;
  Output y;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    index_t const b = team.index() * matrices + team.rank() / Lanes;
    int const lane = team.rank() % Lanes;
    index_t const order = A.extent(1);
    index_t const columns = b < A.extent(0) ? order : 0;
    for (index_t first = 0; first < order; first += rows) {
      auto const left = static_cast<int>(order - first);
      typename Output::value_type sums[rows] = {};
      for (index_t j = lane; j < columns; j += Lanes) {
        auto const factor = x(b, j);
        unrolled<rows>([&](auto i) {
          if (i < left)
            sums[i] += A(b, first + i, j) * factor;
        });
      }
      auto const sum = team.template sums_of<Lanes>(sums); // of row `lane`
      if (columns > 0 && lane < rows && lane < left)
        y(b, first + lane) = sum;
    }
  }
};

/// Matrices of a stretch: whole cache lines, and equally many stretches for each thread.
inline index_t stretch_of(index_t count, index_t threads)
{
  constexpr index_t line = 8;
  index_t const rounds = std::max<index_t>(
      (count + threads * tuning::batched_stretch - 1) / (threads * tuning::batched_stretch), 1);
  index_t const stretches = threads * rounds;
  return std::max((count + stretches - 1) / stretches + line - 1, line) / line * line;
}

/// `row` has one work item per matrix. Otherwise a host processes interleaved matrices in
/// stretches, and those in tiles by packs; a GPU has a work item per interleaved matrix of few
/// rows or per block of rows, and one or several per row of others.
template <class Layout, class Matrices, class Input, class Output>
void launch_batch(Matrices const& a, Input const& x, Output const& y, bool by_rows)
{
  constexpr bool apart = std::is_same_v<Layout, LayoutRight>; // matrix after matrix
  BatchedProduct<Matrices, Input, Output> const kernel{a, x, y};
  index_t const count = a.extent(0);
  index_t const order = a.extent(1);
  if (by_rows)
    return for_each(count, kernel);
  if constexpr (device_is_host && apart)
    for_each(count, kernel);
  else if constexpr (device_is_host && std::is_same_v<Layout, LayoutLeft>) {
    if (order <= tuning::batched_columns) // few enough streams for the prefetcher
      return for_each(count, kernel, widest_packs<double, Layout>);
    using Kernel = BatchedStretches<Matrices, Input, Output, pack_width<double>>;
    Kernel const stretched{a, x, y, stretch_of(count, Device().concurrency())};
    for_each_team<1>(stretched.stretches(), stretched);
  } else if constexpr (device_is_host)
    for_each(count, kernel, widest_packs<double, Layout>);
  else if constexpr (!apart) {
    using Kernel = BatchedBlocks<tuning::batched_rows, Matrices, Input, Output>;
    constexpr int few = tuning::batched_few;
    if (order <= few)
      for_each(count, BatchedAtOnce<few, Matrices, Input, Output>{a, x, y});
    else
      for_each(in_order_of<LayoutLeft>(Dynamic<2>(count, Kernel::blocks(order))),
               Kernel{a, x, y});
  } else if (order <= tuning::batched_rows || !team_has_groups)
    for_each(in_order_of<LayoutRight>(Dynamic<2>(count, order)), kernel);
  else
    with_lanes<2 * tuning::batched_rows>(order, [&](auto lanes) {
      using Kernel = BatchedRows<decltype(lanes)::value, Matrices, Input, Output>;
      for_each_team<Kernel::members>((count + Kernel::matrices - 1) / Kernel::matrices,
                                     Kernel{a, x, y});
    });
}

} // namespace strata::matvec
