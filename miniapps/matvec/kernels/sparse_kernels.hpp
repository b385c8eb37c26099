#pragma once

#include "tuning.hpp"

#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"

#include <cstdint>
#include <type_traits>

namespace strata::matvec {

/// y = A x of a matrix compressed by rows, one work item per row. The row's end is read once,
/// so that compilers unroll the loop (nvcc by four, a cache sector of values).
template <class Matrix, class Input, class Output>
struct SparseRow
{
  static constexpr char const* name() { return "strata::matvec::SparseRow"; }
  Matrix A;
  Input x;
  Output y;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    typename Matrix::value_type sum{};
    index_t const end = A.end(row);
    for (index_t entry = A.begin(row); entry < end; ++entry)
      sum += A.value(entry) * x(A.place(entry));
    y(row) = sum;
  }
};

/// The same of long rows on a host, by Chains sums of each, of which none waits for the others.
template <int Chains, class Matrix, class Input, class Output>
struct LongSparseRow
{
  static constexpr char const* name() { return "strata::matvec::LongSparseRow"; }
  Matrix A;
  Input x;
  Output y;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    typename Matrix::value_type sum[Chains] = {};
    auto const add = [&](auto chain, index_t entry) {
      sum[chain] += A.value(entry) * x(A.place(entry));
    };
    index_t const end = A.end(row);
    index_t entry = A.begin(row);
    for (; entry + Chains <= end; entry += Chains)
      unrolled<Chains>([&](auto c) { add(c, entry + c); });
    unrolled<Chains - 1>([&](auto c) {
      if (entry + c < end)
        add(c, entry + c);
    });
    unrolled<Chains - 1>([&](auto c) { sum[0] += sum[c + 1]; });
    y(row) = sum[0];
  }
};

/// y = A x of a matrix compressed by rows, by teams of a GPU's 32 work items: Lanes of them
/// share a row. None of a member's loads of AtOnce entries waits for another's sum; 64 teams at
/// once leave 32 registers, so that the compiler may load eight in two parts. Where many lanes
/// share a row, their loads are of whole cache lines.
template <int Lanes, int AtOnce, class Matrix, class Input, class Output>
struct SparseRows
{
  static constexpr char const* name() { return "strata::matvec::SparseRows"; }
  static constexpr int members = 32;
  static constexpr int rows = members / Lanes;  ///< of a team
  static constexpr unsigned teams_at_once = 64; ///< all that a multiprocessor has threads for
  Matrix A;
  Input x;
  Output y;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    index_t const row = team.index() * rows + team.rank() / Lanes;
    int const lane = team.rank() % Lanes;
    bool const is_there = row < A.rows();
    auto const sum =
        team.template sum_of<Lanes>(is_there ? part_of(A.begin(row) + lane, A.end(row)) : T{});
    if (lane == 0 && is_there)
      y(row) = sum;
  }

private:
  using T = typename Matrix::value_type;

  /// Σ of the products of the entries at, at + Lanes, ... below `end`. All loads of some of
  /// them come first.
  KOKKOS_FUNCTION T part_of(index_t at, index_t end) const
  {
    T sum{};
    for (; at < end; at += Lanes * AtOnce) {
      auto const left = static_cast<int>(end - at);
      T value[AtOnce] = {};
      T factor[AtOnce] = {};
      unrolled<AtOnce>([&](auto n) {
        if (n * Lanes < left) {
          value[n] = A.value(at + n * Lanes);
          factor[n] = x(A.place(at + n * Lanes));
        }
      });
      unrolled<AtOnce>([&](auto n) { sum += value[n] * factor[n]; });
    }
    return sum;
  }
};

/// y += A x of a matrix compressed by columns, one work item per column. Additions to y are
/// atomic and in no fixed order. Entries are loaded in groups of AtOnce before they are added,
/// since nvcc moves no load over an atomic addition, and what is left one by one.
template <int AtOnce, class Matrix, class Input, class Output>
struct SparseColumn
{
  static constexpr char const* name() { return "strata::matvec::SparseColumn"; }
  Matrix A;
  Input x;
  Output y; ///< atomic

  KOKKOS_FUNCTION void operator()(index_t col) const
  {
    auto const factor = x(col);
    index_t const end = A.end(col);
    index_t entry = A.begin(col);
    for (; entry + AtOnce <= end; entry += AtOnce)
      add<AtOnce>(entry, factor);
    for (; entry < end; ++entry)
      add<1>(entry, factor);
  }

private:
  using T = typename Matrix::value_type;

  template <int N>
  KOKKOS_FORCEINLINE_FUNCTION void add(index_t entry, T factor) const
  {
    index_t place[N] = {};
    T term[N] = {};
    unrolled<N>([&](auto n) {
      place[n] = A.place(entry + n);
      term[n] = A.value(entry + n) * factor;
    });
    unrolled<N>([&](auto n) { y(place[n]) += term[n]; });
  }
};

} // namespace strata::matvec
