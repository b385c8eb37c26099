#pragma once

#include "array/ragged/dynamic_ragged.hpp"
#include "array/ragged/for_each_row.hpp"
#include "array/ragged/linked_pool.hpp"
#include "array/ragged/paged.hpp"
#include "array/ragged/ragged_slack.hpp"
#include "array/tests/on_host.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

// Kernels over the views of rows that can change, and what they must come to.

namespace strata::test {

using Ids = EntryValues<std::int32_t>;
using Gaps = EntryValues<double>;

/// Row r has the ids [0, n): none in every third row, 1000 in row 4, few in others.
struct Uneven
{
  KOKKOS_FUNCTION index_t operator()(index_t row) const
  {
    return row % 3 == 0 ? 0 : row == 4 ? 1000 : row % 11;
  }
};

/// Appends the ids of a row, each with a gap of 1000 row + id.
template <class View>
struct AppendIds
{
  static constexpr char const* name() { return "strata::test::AppendIds"; }
  View view;
  std::int32_t* ids;
  double* gaps;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    for (index_t id = 0; id < Uneven{}(row); ++id) {
      index_t const entry = view.append(row);
      if (entry < 0)
        continue;
      ids[entry] = static_cast<std::int32_t>(id);
      gaps[entry] = static_cast<double>(1000 * row + id);
    }
  }
};

/// The same by one work item per id, all at once.
template <class View>
struct AppendAtOnce
{
  static constexpr char const* name() { return "strata::test::AppendAtOnce"; }
  View view;
  std::int32_t* ids;
  double* gaps;

  KOKKOS_FUNCTION void operator()(index_t id, index_t row) const
  {
    index_t const entry = id < Uneven{}(row) ? view.append_atomic(row) : -1;
    if (entry < 0)
      return;
    ids[entry] = static_cast<std::int32_t>(id);
    gaps[entry] = static_cast<double>(1000 * row + id);
  }
};

/// Most entries of a row here.
inline constexpr index_t most = 1100;

/// Copies the ids of each row to `most` places of its own, and of their gaps the sum; a sum of
/// -1 where the length is not that of the walk.
template <class View>
struct ReadRows
{
  static constexpr char const* name() { return "strata::test::ReadRows"; }
  View view;
  std::int32_t const* ids;
  double const* gaps;
  std::int32_t* found;
  double* sums;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    index_t n = 0;
    double sum = 0;
    view.for_each_entry(row, [&](index_t entry) {
      found[most * row + n++] = ids[entry];
      sum += gaps[entry];
    });
    sums[row] = n == view.length(row) ? sum : -1;
  }
};

struct Row
{
  std::vector<std::int32_t> ids; ///< ascending
  double sum_of_gaps = 0;
  bool operator==(Row const&) const = default;
};

template <class View>
std::vector<Row> read_rows(View const& view, Ids const& ids, Gaps const& gaps)
{
  Ids const found("strata::test::found", Dynamic<1>(most * view.rows()));
  Gaps const sums("strata::test::sums", Dynamic<1>(view.rows()));
  fill(found, -1);
  for_each(view.rows(),
           ReadRows<View>{view, ids.data(), gaps.data(), found.data(), sums.data()});
  auto const host_found = on_host(found);
  auto const host_sums = on_host(sums);
  std::vector<Row> rows;
  for (index_t row = 0; row < view.rows(); ++row) {
    auto const* const first = host_found.data() + most * row;
    rows.push_back({{first, std::find(first, first + most, -1)}, host_sums.read()(row)});
    std::sort(rows.back().ids.begin(), rows.back().ids.end());
  }
  return rows;
}

/// What AppendIds makes of so many rows.
inline std::vector<Row> appended(index_t rows)
{
  std::vector<Row> expected(static_cast<std::size_t>(rows));
  for (index_t row = 0; row < rows; ++row)
    for (index_t id = 0; id < Uneven{}(row); ++id) {
      auto& here = expected[static_cast<std::size_t>(row)];
      here.ids.push_back(static_cast<std::int32_t>(id));
      here.sum_of_gaps += static_cast<double>(1000 * row + id);
    }
  return expected;
}

/// Rows of some structure with two arrays of values.
template <class Rows>
struct Store
{
  Rows rows;
  Ids ids{"strata::test::ids", Dynamic<1>(rows.slots())};
  Gaps gaps{"strata::test::gaps", Dynamic<1>(rows.slots())};

  explicit Store(index_t n, RowOptions const& options = {})
      : rows("strata::test::rows", n, options)
  {
  }
  template <template <class> class Kernel>
  auto kernel() const
  {
    return Kernel<typename Rows::view_type>{rows.view(), ids.data(), gaps.data()};
  }
  /// Launches AppendIds; returns the entries that were refused on the way.
  index_t build()
  {
    return for_each_row(
        rows, Relaunch::from_empty, [this] { return kernel<AppendIds>(); }, ids, gaps);
  }
  [[nodiscard]] std::vector<Row> contents() const { return read_rows(rows.view(), ids, gaps); }
};

} // namespace strata::test
