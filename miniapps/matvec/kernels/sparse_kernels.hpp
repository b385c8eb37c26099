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

/// y = A x of a matrix compressed by rows, by teams of a GPU's 32 work items: Lanes of them
/// share a row, each with a few entries in flight. Since rows are contiguous, the loads are of
/// whole cache lines. Teams loop over rows and load the offsets of the next rows in advance.
template <int Lanes, class Matrix, class Input, class Output>
struct SparseRows
{
  static constexpr char const* name() { return "strata::matvec::SparseRows"; }
  static constexpr int members = 32;
  static constexpr int rows = members / Lanes;  ///< of a team at a time
  static constexpr unsigned teams_at_once = 32; ///< which leaves 64 registers
  static constexpr int at_once = tuning::sparse_entries;
  Matrix A;
  Input x;
  Output y;
  index_t teams;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    int const lane = team.rank() % Lanes;
    index_t row = team.index() * rows + team.rank() / Lanes;
    Entries entries = of(row);
    for (index_t first = team.index() * rows; first < A.rows(); first += teams * rows) {
      Entries const next = of(row + teams * rows);
      auto const sum = team.template sum_of<Lanes>(part_of(entries, lane));
      if (lane == 0 && row < A.rows())
        y(row) = sum;
      row += teams * rows;
      entries = next;
    }
  }

private:
  struct Entries
  {
    index_t begin, end;
  };
  KOKKOS_FUNCTION Entries of(index_t row) const
  {
    return row < A.rows() ? Entries{A.begin(row), A.end(row)} : Entries{0, 0};
  }
  KOKKOS_FUNCTION auto part_of(Entries const& entries, int lane) const
  {
    using T = typename Matrix::value_type;
    T sum{};
    for (index_t at = entries.begin + lane; at < entries.end; at += Lanes * at_once) {
      auto const left = static_cast<int>(entries.end - at);
      T value[at_once] = {};
      T factor[at_once] = {};
      unrolled<at_once>([&](auto n) {
        if (n * Lanes < left) {
          value[n] = A.value(at + n * Lanes);
          factor[n] = x(A.place(at + n * Lanes));
        }
      });
      unrolled<at_once>([&](auto n) { sum += value[n] * factor[n]; });
    }
    return sum;
  }
};

/// y += A x of a matrix compressed by columns, one work item per column. Additions to y are
/// atomic and in no fixed order.
template <class Matrix, class Input, class Output>
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
    for (index_t entry = A.begin(col); entry < end; ++entry)
      y(A.place(entry)) += A.value(entry) * factor;
  }
};

} // namespace strata::matvec
