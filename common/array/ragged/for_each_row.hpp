#pragma once

#include "rows.hpp"

#include "../launch/for_each.hpp"
#include "../launch/reduce.hpp"

namespace strata {

/// What all rows have together.
struct RowTotals
{
  index_t entries = 0;
  index_t longest = 0;

  KOKKOS_FUNCTION RowTotals& operator+=(RowTotals const& other)
  {
    entries += other.entries;
    longest = other.longest > longest ? other.longest : longest;
    return *this;
  }
};

/// Empties a row, as what a launch does to each.
template <class View>
struct ClearRow
{
  static constexpr char const* name() { return "strata::ClearRow"; }
  View view;

  KOKKOS_FUNCTION void operator()(index_t row) const { view.clear(row); }
};

namespace detail {

template <RowsView View>
struct AddLengths
{
  static constexpr char const* name() { return "strata::row_totals"; }
  View view;

  template <class Sum>
  KOKKOS_FUNCTION void operator()(Sum& sum, index_t row) const
  {
    index_t const length = view.length(row);
    sum += RowTotals{length, length};
  }
};

template <class Kernel, class List>
struct OfListed
{
  static constexpr char const* name() { return Kernel::name(); }
  Kernel kernel;
  List list;

  KOKKOS_FUNCTION void operator()(index_t i) const { kernel(list(i)); }
};

template <class Execution, class Kernel, class List>
void for_each_listed(Kernel const& kernel, List const& list)
{
  for_each<Execution>(list.extent(0), OfListed<Kernel, List>{kernel, list});
}

} // namespace detail

/// Entries of all rows and of the longest, by a launch that is waited for.
template <class Rows>
RowTotals row_totals(Rows const& rows)
{
  auto const view = rows.view();
  return reduced<RowTotals, typename Rows::execution_space>(
      in_order_of<LayoutRight>(Dynamic<1>(rows.rows())),
      detail::AddLengths<decltype(view)>{view});
}

/// State of the overflowed rows when their kernel is launched again.
enum class Relaunch
{
  from_empty, ///< no entries
  from_kept   ///< those that found room: the kernel must append only what is not there
};

/// After a launch of `kernel_of()` for every row: makes room and launches a new `kernel_of()`
/// for the rows that overflowed, until none does; has finished when it returns. The kernel is
/// made anew because views and value arrays have changed. Returns how many entries found no
/// room, over all rounds.
template <class Rows, class KernelOf, class... Values>
index_t relaunch_overflowed(Rows& rows, Relaunch relaunch, KernelOf const& kernel_of,
                            Values&... values)
{
  using Execution = typename Rows::execution_space;
  index_t refused = 0;
  while (auto const overflowed = rows.resolve_overflow(values...)) {
    refused += overflowed.refused;
    auto const list = overflowed.rows.read();
    if (relaunch == Relaunch::from_empty) {
      auto const view = rows.view();
      detail::for_each_listed<Execution>(ClearRow<decltype(view)>{view}, list);
      rows.resolve_overflow(values...); // what they had is there for them again
    }
    detail::for_each_listed<Execution>(kernel_of(), list);
  }
  return refused;
}

/// Launches `kernel_of()` for every row, then again for those that `relaunch_overflowed` finds.
template <class Rows, class KernelOf, class... Values>
index_t for_each_row(Rows& rows, Relaunch relaunch, KernelOf const& kernel_of,
                     Values&... values)
{
  for_each<typename Rows::execution_space>(rows.rows(), kernel_of());
  return relaunch_overflowed(rows, relaunch, kernel_of, values...);
}

} // namespace strata
