#pragma once

#include "base/kokkos.hpp"

#include <cstdint>
#include <type_traits>

namespace strata::matvec {

/// y = A x of a matrix compressed along its rows, one work item or one team per row.
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
    for (index_t entry = A.begin(row); entry < A.end(row); ++entry)
      sum += A.value(entry) * x(A.place(entry));
    y(row) = sum;
  }
  template <class Team>
    requires(Team::size > 0)
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    typename Matrix::value_type sum{};
    index_t const row = team.index();
    for (index_t entry = A.begin(row) + team.rank(); entry < A.end(row); entry += Team::size)
      sum += A.value(entry) * x(A.place(entry));
    sum = team.sum(sum);
    if (team.rank() == 0)
      y(row) = sum;
  }
};

/// y += A x of a matrix compressed along its columns, one work item per column: what several
/// of them add to one row is added atomically, in whatever order.
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
    for (index_t entry = A.begin(col); entry < A.end(col); ++entry)
      y(A.place(entry)) += A.value(entry) * factor;
  }
};

} // namespace strata::matvec
