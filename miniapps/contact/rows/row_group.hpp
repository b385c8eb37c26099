#pragma once

#include "row_lanes.hpp"

#include "array/access/access.hpp"
#include "array/access/pack.hpp"
#include "array/access/prefetch.hpp"
#include "array/ragged/rows_view.hpp"

#include <type_traits>

namespace strata::contact {

// Reading all values of rows, several rows a work item: rows are short, and a work item that
// went to one row after another would wait for the first value of each.

/// How a work item reads its rows: their number, by measurement, and whether a host reads them
/// in vector lanes.
struct FilledRows
{
  static constexpr int rows = device_is_host ? 8 : 2;
  static constexpr bool in_lanes = true;
};
/// The same of a host's rows of which most are empty: lanes would load where no values are.
struct EmptyRows
{
  static constexpr int rows = 16;
  static constexpr bool in_lanes = false;
};

/// Values of a row of a group that a GPU loads at once.
inline constexpr int group_values = 12;

/// The rows of one work item. On a host they are neighbours. On a GPU neighbouring work items
/// read neighbouring rows: row u of a work item lies in the u-th of U parts of all rows.
template <class Kind>
class RowGroup
{
  static constexpr int U = Kind::rows;

public:
  /// The number of groups; some may have fewer than U rows.
  static KOKKOS_FUNCTION index_t count(index_t rows) { return (rows + U - 1) / U; }

  KOKKOS_FUNCTION RowGroup(index_t number, index_t rows)
      : first_(number * (device_is_host ? U : 1))
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

#if defined(STRATA_ROW_LANES)
/// Folds that have lanes, of rows whose values are neighbours.
template <class Fold, class View>
concept InLanes =
    NumberedRowsView<View> && View::contiguous && requires { typename Fold::Lanes; };
#endif

/// Distance in rows from the row that is read to the one whose first value is prefetched: about
/// the latency of memory.
inline constexpr index_t rows_ahead = 48;

/// One row after another or, on a host with a fold that has lanes, several rows in vector
/// lanes. First values are prefetched if rows are padded; without padding the hardware
/// prefetches them.
template <class Fold, class Kind, class View, class Address, class Finish>
KOKKOS_FUNCTION void fold_in_turn(View const& view, RowGroup<Kind> const& rows,
                                  Address const& address, Finish const& finish)
{
  constexpr int U = Kind::rows;
  if constexpr (device_is_host && NumberedRowsView<View>)
    if constexpr (View::padded)
      if (rows.row(U - 1) + rows_ahead < view.rows())
        for (int u = 0; u < U; ++u) {
          index_t const row = rows.row(u) + rows_ahead;
          prefetch(address(view.numbered(row) > 0 ? view.entry(row, 0) : 0));
        }
  for (int u = 0; u < U && rows.has(u); ++u) {
#if defined(STRATA_ROW_LANES)
    if constexpr (Kind::in_lanes && InLanes<Fold, View>)
      if (u % row_lanes == 0 && u + row_lanes <= U && rows.has(u + row_lanes - 1) &&
          fold_in_lanes<typename Fold::Lanes>(view, rows.row(u), address, finish)) {
        u += row_lanes - 1;
        continue;
      }
#endif
    Fold fold;
    view.for_each_entry(rows.row(u), [&](auto entry) { fold.add(*address(entry)); });
    finish(rows.row(u), fold);
  }
}

/// The value that does not change a fold; any value if it has none.
template <class Fold, class Value>
KOKKOS_FUNCTION Value nothing_for()
{
  if constexpr (requires { Fold::nothing(); })
    return Fold::nothing();
  else
    return Value{};
}

/// At most N values of a row, from the k-th on, all loaded before one is used.
template <int N, class Value, class View>
class SomeValues
{
public:
  template <class Fold, class Address>
  KOKKOS_FUNCTION void load(View const& view, index_t row, index_t k, int count,
                            Address const& address, Fold const&)
  {
    count_ = count;
    auto const nothing = nothing_for<Fold, Value>();
    if constexpr (View::contiguous) {
      auto const* const first = address(view.entry(row, 0)) + k;
      if constexpr (in_packs)
        if (view.capacity(row) % Some::width == 0) {
          for (int n = 0; n < N; n += Some::width) {
            Some some(nothing);
            if (n < count)
              some = AccessDefault::accessor<Value const>::template load<Some::width>(first, n);
            for (int w = 0; w < Some::width; ++w)
              value_[n + w] = n + w < count ? some.lane[w] : nothing;
          }
          return;
        }
      for (int n = 0; n < N; ++n)
        value_[n] = n < count ? first[n] : nothing;
    } else
      for (int n = 0; n < N; ++n)
        value_[n] = n < count ? *address(view.entry(row, k + n)) : nothing;
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
  /// A warp's loads from padded rows need one cache access per row, whatever their size: loads
  /// are 16 bytes wide if each row begins on a multiple of 16 bytes.
  using Some = Pack<Value, 16 / static_cast<int>(sizeof(Value))>;
  static constexpr bool in_packs = View::contiguous && View::padded;
  static_assert(N % Some::width == 0);

  int count_ = 0;
  Value value_[N];
};

/// Folds rows of a group; −1 stands for no row. The first AtOnce values of all rows are loaded
/// before one is added, without a branch per value; the rest of longer rows in small batches.
template <class Fold, int AtOnce, int U, class View, class Address, class Finish>
KOKKOS_FUNCTION void fold_side_by_side(View const& view, index_t const (&row)[U],
                                       Address const& address, Finish const& finish)
{
  using Value = std::remove_cvref_t<decltype(*address(index_t{}))>;
  constexpr int later = 4;
  int length[U];
  SomeValues<AtOnce, Value, View> values[U];
  for (int u = 0; u < U; ++u) {
    length[u] = row[u] >= 0 ? static_cast<int>(view.numbered(row[u])) : 0;
    values[u].load(view, row[u] >= 0 ? row[u] : 0, 0, length[u], address, Fold{});
  }
  for (int u = 0; u < U; ++u)
    if (row[u] >= 0) {
      Fold fold;
      values[u].add_to(fold);
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
      for (int k = AtOnce; k < length[u]; k += later) {
        SomeValues<later, Value, View> more;
        more.load(view, row[u], k, length[u] - k, address, Fold{});
        more.add_to(fold);
      }
      if constexpr (requires { view.has_others(); })
        if (view.has_others())
          view.for_each_other(row[u], [&](auto entry) { fold.add(*address(entry)); });
      finish(row[u], fold);
    }
}

/// All rows of a group side by side.
template <class Fold, class Kind, class View, class Address, class Finish>
KOKKOS_FUNCTION void fold_all(View const& view, RowGroup<Kind> const& rows,
                              Address const& address, Finish const& finish)
{
  constexpr int U = Kind::rows;
  index_t row[U];
  for (int u = 0; u < U; ++u)
    row[u] = rows.has(u) ? rows.row(u) : -1;
  fold_side_by_side<Fold, group_values>(view, row, address, finish);
}

} // namespace detail

/// Adds the values of each row of a group to a Fold of its own, `fold.add(*address(entry))` in
/// no promised order, and calls finish(row, fold), for rows of no values too. On a host a Fold
/// of doubles may have Lanes (see row_lanes.hpp): `finish` takes those too. address(0) is a
/// multiple of 16 bytes, as where an array begins.
template <class Fold, class Kind, class View, class Address, class Finish>
KOKKOS_FUNCTION void fold_rows(View const& view, RowGroup<Kind> const& rows,
                               Address const& address, Finish const& finish)
{
  if constexpr (device_is_host || !NumberedRowsView<View>)
    detail::fold_in_turn<Fold>(view, rows, address, finish);
  else
    detail::fold_all<Fold>(view, rows, address, finish);
}

} // namespace strata::contact
