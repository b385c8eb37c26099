#pragma once

#include "prefetch.hpp"
#include "rows.hpp"

#include <type_traits>

namespace strata {

// Reading all values of rows, several rows a work item: rows are short, and a work item that
// went to one row after another would wait for the first value of each.

/// Structures whose rows' entries, or the first of them, lie where their number says.
template <class View>
concept NumberedEntries = requires(View const& view, index_t row) {
  view.numbered(row);
  view.entry(row, index_t{});
};

/// Rows that one work item reads: neighbours on a host; on a GPU as far apart as there are
/// groups, so that neighbouring work items read neighbouring rows.
template <int U>
class RowGroup
{
public:
  /// How many there are of `rows` rows, the last of which may lack some.
  static KOKKOS_FUNCTION index_t count(index_t rows) { return (rows + U - 1) / U; }

  KOKKOS_FUNCTION RowGroup(index_t number, index_t rows)
      : first_(device_is_host ? number * U : number)
      , stride_(device_is_host ? 1 : count(rows))
      , rows_(rows)
  {
  }
  KOKKOS_FUNCTION index_t row(int u) const { return first_ + u * stride_; }
  KOKKOS_FUNCTION bool has(int u) const { return row(u) < rows_; }

private:
  index_t first_;
  index_t stride_;
  index_t rows_;
};

namespace detail {

/// Rows between one that is read and one whose first value is asked for: the time of a load
/// from memory (two Xeon cores, 2 million rows, mostly empty, 64 bytes apart: 10.1 ms to 6.2).
inline constexpr index_t rows_ahead = 48;

/// One row after another. On a host first values are asked for beforehand where rows lie apart
/// in memory; where they follow each other the processor does that by itself.
template <class Fold, int U, class View, class Address, class Finish>
KOKKOS_FUNCTION void fold_in_turn(View const& view, RowGroup<U> const& rows,
                                  Address const& address, Finish const& finish)
{
  if constexpr (device_is_host && NumberedEntries<View>)
    if constexpr (View::apart)
      if (rows.row(U - 1) + rows_ahead < view.rows())
        for (int u = 0; u < U; ++u) {
          index_t const row = rows.row(u) + rows_ahead;
          prefetch(address(view.numbered(row) > 0 ? view.entry(row, 0) : 0));
        }
  for (int u = 0; u < U && rows.has(u); ++u) {
    Fold fold;
    view.for_each_entry(rows.row(u), [&](auto entry) { fold.add(*address(entry)); });
    finish(rows.row(u), fold);
  }
}

/// What a fold leaves out by itself, or some value.
template <class Fold, class Value>
KOKKOS_FUNCTION Value nothing_for()
{
  if constexpr (requires { Fold::nothing(); })
    return Fold::nothing();
  else
    return Value{};
}

/// Values of a row from the k-th on, at most N, all loaded before one of them is used.
template <int N, class Value, class View>
class SomeValues
{
public:
  template <class Fold, class Address>
  KOKKOS_FUNCTION void load(View const& view, index_t row, index_t k, int count,
                            Address const& address, Fold const&)
  {
    count_ = count;
    if constexpr (View::contiguous) {
      auto const* const first = address(view.entry(row, 0) + k);
      for (int n = 0; n < N; ++n)
        value_[n] = n < count ? first[n] : nothing_for<Fold, Value>();
    } else
      for (int n = 0; n < N; ++n)
        value_[n] = n < count ? *address(view.entry(row, k + n)) : nothing_for<Fold, Value>();
  }
  /// In one go where the fold can leave out what is not there.
  template <class Fold>
  KOKKOS_FUNCTION void add_to(Fold& fold) const
  {
    for (int n = 0; n < N; ++n)
      if constexpr (requires { fold.add(value_[n], true); })
        fold.add(value_[n], n < count_);
      else if (n < count_)
        fold.add(value_[n]);
  }

private:
  int count_ = 0;
  Value value_[N];
};

/// The first values of all rows are loaded before one of them is added; of longer rows then
/// some at once. H200, ten million rows of six values one after another: 83 % of the rate of
/// reading; 75 % with a branch for each value and eight at once in the end too.
template <class Fold, int U, class View, class Address, class Finish>
KOKKOS_FUNCTION void fold_side_by_side(View const& view, RowGroup<U> const& rows,
                                       Address const& address, Finish const& finish)
{
  using Value = std::remove_cvref_t<decltype(*address(index_t{}))>;
  constexpr int at_once = 8;
  constexpr int later = 4;
  int length[U];
  SomeValues<at_once, Value, View> values[U];
  for (int u = 0; u < U; ++u) {
    length[u] = rows.has(u) ? static_cast<int>(view.numbered(rows.row(u))) : 0;
    index_t const row = rows.has(u) ? rows.row(u) : 0; // of which nothing is loaded
    values[u].load(view, row, 0, length[u], address, Fold{});
  }
  for (int u = 0; u < U; ++u)
    if (rows.has(u)) {
      Fold fold;
      values[u].add_to(fold);
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
      for (int k = at_once; k < length[u]; k += later) {
        SomeValues<later, Value, View> more;
        more.load(view, rows.row(u), k, length[u] - k, address, Fold{});
        more.add_to(fold);
      }
      if constexpr (requires { view.has_others(); })
        if (view.has_others())
          view.for_each_other(rows.row(u), [&](auto entry) { fold.add(*address(entry)); });
      finish(rows.row(u), fold);
    }
}

} // namespace detail

/// Adds the values of each row of a group to a Fold of its own, `fold.add(*address(entry))` in
/// no promised order, and calls finish(row, fold), for rows of no values too.
template <class Fold, int U, class View, class Address, class Finish>
KOKKOS_FUNCTION void fold_rows(View const& view, RowGroup<U> const& rows,
                               Address const& address, Finish const& finish)
{
  if constexpr (!device_is_host && NumberedEntries<View>)
    detail::fold_side_by_side<Fold>(view, rows, address, finish);
  else
    detail::fold_in_turn<Fold>(view, rows, address, finish);
}

} // namespace strata
