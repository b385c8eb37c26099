#pragma once

#include "../../base/bit_word.hpp"
#include "../dense/array.hpp"
#include "../dense/copy.hpp"
#include "../launch/for_each.hpp"
#include "../launch/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace strata {

// Rows of different lengths. What a structure of rows knows is where entries lie, not what
// they are: an *entry* is a place in value arrays of `slots()` elements, of which there may be
// several (a structure of arrays). Kernels get a view of it, a small trivially copyable object,
// and the same kernel takes the view of any structure:
//
//   rows()                       how many
//   length(row)                  how many entries the row has (LinkedRows: by walking it)
//   for_each_entry(row, f)       f(entry), in no promised order
//
// Where a row's entries, or the first of them, have numbers (NumberedEntries):
//
//   entry(row, k)                for k below numbered(row)
//   contiguous                   static: entry(row, k) is entry(row, 0) + k
//   padded                       static: unused entries lie between a row's and the next one's;
//                                with contiguous, capacity(row) of them lie from row to row
//   has_others()                 whether rows may have entries without a number, where absent
//                                not; for_each_other(row, f) calls f(entry) for those
//
// Views of rows that can change, said by the one work item that owns the row:
//
//   clear(row)                   no entries
//   append(row)                  the new entry, or -1: no room, which is counted, not stored
//   remove(row, entry, move)     afterwards another entry may lie in its place: move(to, from)
//                                is called once if the values of `from` have to go to `to`
//   remove_if(row, ended, move)  ended(entry) is called once for each entry; its removed ones
//                                are counted
//
// Views with `append_atomic(row)` take it from any work item, of one row too; not in a launch
// that also uses the above on that row.
//
// After a launch that appended or removed, the host says `resolve_overflow(values...)`. Where
// entries found no room it makes room, in the value arrays too, or throws, as the policy says,
// and returns the rows that lack some, for another launch; `for_each_row` does all that.

/// Structures whose rows' entries, or the first of them, lie where their number says.
template <class View>
concept NumberedEntries = requires(View const& view, index_t row) {
  view.numbered(row);
  view.entry(row, index_t{});
};

/// Removes the numbered entries of a row whose bit is set: from the last on, so that what takes
/// a removed one's place stays.
template <class View, class Move>
KOKKOS_FUNCTION void remove_numbered(View const& view, index_t row, std::uint64_t removed,
                                     Move const& move)
{
  while (removed != 0) {
    int const k = highest_bit(removed);
    view.remove(row, view.entry(row, k), move);
    removed ^= std::uint64_t{1} << k;
  }
}

/// One value per entry.
template <class T, class Space = DeviceSpace>
using EntryValues = Array<T, Dynamic<1>, LayoutRight, Space>;

/// What happens to entries that find no room in their row.
enum class Overflow
{
  grow,  ///< every row gets more room, at a copy of all values
  spill, ///< they go to a pool that all rows share
  fail   ///< RowOverflow
};

/// How rows that change are made.
struct RowOptions
{
  index_t capacity = 8; ///< entries of each row that have room at first
  Overflow overflow = Overflow::grow;
  index_t pool = 1024; ///< entries that all rows share at first, where they share any
  index_t max_slots = std::numeric_limits<index_t>::max(); ///< growing past it throws
  index_t slot_bytes = 0; ///< of one entry's values, for what is then said; 0: not known
};

/// Entries found no room and the policy is `fail`.
class RowOverflow : public std::length_error
{
public:
  RowOverflow(std::string const& label, index_t row, index_t demand, index_t room)
      : std::length_error("row " + std::to_string(row) + " of '" + label + "' has " +
                          std::to_string(demand) + " entries and found room for " +
                          std::to_string(room) +
                          "; start with more room or choose another overflow policy")
      , row_(row)
      , demand_(demand)
      , room_(room)
  {
  }
  /// The row of the greatest demand, the first of equals.
  [[nodiscard]] index_t row() const { return row_; }
  [[nodiscard]] index_t demand() const { return demand_; }
  [[nodiscard]] index_t room() const { return room_; }

private:
  index_t row_, demand_, room_;
};

/// Rows some of whose entries found no room.
template <class Space = DeviceSpace>
struct OverflowedRows
{
  Array<index_t, Dynamic<1>, LayoutRight, Space> rows; ///< in no order
  index_t refused = 0;                                 ///< entries that found no room
  index_t longest = 0;                                 ///< greatest length asked for

  explicit operator bool() const { return refused > 0; }
};

namespace detail {

/// "1100 entries", with their MiB where their size is known.
inline std::string entries(index_t slots, RowOptions const& options)
{
  auto const bytes = static_cast<double>(slots) * static_cast<double>(options.slot_bytes);
  return std::to_string(slots) + " entries" +
         (bytes > 0 ? " (" + std::to_string(std::llround(bytes / (1 << 20))) + " MiB)"
                    : std::string());
}

} // namespace detail

/// Throws when `slots` are more than the options allow.
inline void check_slots(std::string const& label, index_t slots, RowOptions const& options)
{
  if (slots > options.max_slots)
    throw std::length_error("'" + label + "' needs room for " +
                            detail::entries(slots, options) + " and may have " +
                            detail::entries(options.max_slots, options));
}

/// Throws when entries that find no room should spill, by a structure that has no buffers.
inline void refuse_spill(std::string const& label, RowOptions const& options)
{
  if (options.overflow == Overflow::spill)
    throw std::invalid_argument("'" + label +
                                "' has no buffers to spill from: its overflow grows or fails");
}

/// Room that was asked for with a quarter to spare, in eights.
inline index_t with_headroom(index_t demand)
{
  return (demand + demand / 4 + 7) / 8 * 8;
}

/// Bytes that arrays occupy.
template <class... A>
index_t bytes_of(A const&... arrays)
{
  return (arrays.bytes_for(arrays.mapping()) + ... + 0);
}

/// All elements become `value`; returns before they have.
template <class T, class Space>
void fill(EntryValues<T, Space> const& values, T value)
{
  auto const to = values.write();
  for_each<typename Space::execution_space>(values.size(), Set<decltype(to)>{to, value});
}

/// One of the values, fetched from wherever they are; launches before it are waited for.
template <class T, class Space>
T value_at(EntryValues<T, Space> const& values, index_t entry)
{
  T value{};
  Kokkos::fence();
  Kokkos::deep_copy(
      value, Kokkos::View<T const, Space, Kokkos::MemoryUnmanaged>(values.data() + entry));
  return value;
}

/// Gives an array at least `slots` elements; their values are lost where it had fewer.
template <class T, class Space>
void reserve(EntryValues<T, Space>& values, index_t slots)
{
  if (values.size() < slots)
    values = EntryValues<T, Space>(values.label(), Dynamic<1>(slots));
}

/// Gives an array `slots` elements, keeping the values of those it had.
template <class T, class Space>
void enlarge(EntryValues<T, Space>& values, index_t slots)
{
  EntryValues<T, Space> const larger(values.label(), Dynamic<1>(slots));
  auto const kept =
      std::pair<std::size_t, std::size_t>(0, std::min(values.size(), slots) * sizeof(T));
  Kokkos::fence();
  Kokkos::deep_copy(Kokkos::subview(larger.memory(), kept),
                    Kokkos::subview(values.memory(), kept));
  values = larger;
}

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

template <class View>
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

/// What rows that lack entries have when their kernel is launched again.
enum class Relaunch
{
  from_empty, ///< no entries
  from_kept   ///< those that found room: the kernel must append only what is not there
};

/// After a launch of `kernel_of()` for every row: as long as rows lack entries, makes room and
/// launches a new `kernel_of()` for those rows; done when it returns. A new one, because views
/// and value arrays have changed. Returns how many entries found no room on the way.
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
