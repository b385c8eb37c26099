#pragma once

#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <type_traits>

namespace strata::matvec {

/// The division of a matrix over work items: blocks of rows times parts of the columns,
/// numbered block by block. Each of several parts has partial sums, which SumParts adds.
struct Split
{
  index_t rows = 0;
  index_t cols = 0;
  index_t block_rows = 1;
  index_t part_cols = 1;

  [[nodiscard]] KOKKOS_FUNCTION index_t blocks() const
  {
    return (rows + block_rows - 1) / block_rows;
  }
  [[nodiscard]] KOKKOS_FUNCTION index_t parts() const
  {
    return cols > 0 ? (cols + part_cols - 1) / part_cols : 1;
  }
  KOKKOS_FUNCTION index_t end_row(index_t block) const
  {
    index_t const end = (block + 1) * block_rows;
    return end < rows ? end : rows;
  }
  KOKKOS_FUNCTION index_t end_col(index_t part) const
  {
    index_t const end = (part + 1) * part_cols;
    return end < cols ? end : cols;
  }
};

/// y(i) = Σ over the parts of partial(i, part), by eight independent sums, which hide the
/// latency of the loads.
template <class Partial, class Output>
struct SumParts
{
  static constexpr char const* name() { return "strata::matvec::SumParts"; }
  Partial partial;
  Output y;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    using T = std::remove_const_t<typename Output::value_type>;
    constexpr int chains = 8;
    T sum[chains] = {};
    index_t part = 0;
    for (; part + chains <= partial.extent(1); part += chains)
      unrolled<chains>([&](auto c) { sum[c] += partial(row, part + c); });
    for (; part < partial.extent(1); ++part)
      sum[0] += partial(row, part);
    T total{};
    unrolled<chains>([&](auto c) { total += sum[c]; });
    y(row) = total;
  }
};

} // namespace strata::matvec
