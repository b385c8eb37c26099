#pragma once

#include "../../base/bit_word.hpp"
#include "../../base/kokkos.hpp"
#include "../../base/types.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace strata {

// What kernels see of rows of different lengths. A structure of rows knows where entries lie,
// not what they are: an *entry* is an offset into value arrays of `slots()` elements, of which
// there may be several (a structure of arrays). Kernels get a view of it, a small trivially
// copyable object, and one kernel text takes the view of any structure.

namespace detail {

/// Functions of a user, for the concepts below.
struct TakesEntry
{
  KOKKOS_FUNCTION void operator()(index_t) const {}
};
struct TakesEntries
{
  KOKKOS_FUNCTION void operator()(index_t, index_t) const {}
};
struct TestsEntry
{
  KOKKOS_FUNCTION bool operator()(index_t) const { return false; }
};

} // namespace detail

/// Rows that can be read:
///
///   rows()                       number of rows
///   length(row)                  number of entries of the row (LinkedRows: by walking it)
///   for_each_entry(row, f)       calls f(entry) once for each, in no promised order
template <class View>
concept RowsView =
    std::is_trivially_copyable_v<View> && requires(View const& view, index_t row) {
      { view.rows() } -> std::convertible_to<index_t>;
      { view.length(row) } -> std::convertible_to<index_t>;
      view.for_each_entry(row, detail::TakesEntry{});
    };

/// Rows whose entries, or the first of them, have numbers:
///
///   numbered(row)                entries of the row that have a number
///   entry(row, k)                for k below numbered(row)
///   contiguous                   static: entry(row, k) is entry(row, 0) + k
///   padded                       static: rows are padded with unused entries; if contiguous,
///                                the stride from row to row is capacity(row)
///
/// Where some rows may have entries without a number, has_others() says whether any has, and
/// for_each_other(row, f) calls f(entry) for those.
template <class View>
concept NumberedRowsView = RowsView<View> && requires(View const& view, index_t row) {
  { view.numbered(row) } -> std::convertible_to<index_t>;
  { view.entry(row, index_t{}) } -> std::convertible_to<index_t>;
  { View::contiguous } -> std::convertible_to<bool>;
  { View::padded } -> std::convertible_to<bool>;
};

/// Rows that can change; only the work item that owns a row may call these for it:
///
///   clear(row)                   removes all entries
///   append(row)                  returns the new entry; -1 if there was no room: the entry is
///                                counted, not stored
///   remove(row, entry, move)     another entry may fill the gap: then calls move(to, from)
///                                once, to move the values
///   remove_if(row, ended, move)  calls ended(entry) once per entry, removes those for which
///                                it is true, and returns their number
///
/// If a view has `append_atomic(row)`, any work item may call it for any row, but not in a
/// launch that also calls the functions above for that row.
template <class View>
concept ChangingRowsView =
    RowsView<View> && requires(View const& view, index_t row, index_t entry) {
      view.clear(row);
      { view.append(row) } -> std::convertible_to<index_t>;
      view.remove(row, entry, detail::TakesEntries{});
      {
        view.remove_if(row, detail::TestsEntry{}, detail::TakesEntries{})
      } -> std::convertible_to<index_t>;
    };

/// Removes the numbered entries of a row that are set in the bit mask `removed`, highest first,
/// so that the entry that fills a gap is never one to be removed.
template <NumberedRowsView View, class Move>
KOKKOS_FUNCTION void remove_numbered(View const& view, index_t row, std::uint64_t removed,
                                     Move const& move)
{
  while (removed != 0) {
    int const k = highest_bit(removed);
    view.remove(row, view.entry(row, k), move);
    removed ^= std::uint64_t{1} << k;
  }
}

} // namespace strata
