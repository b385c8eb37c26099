#pragma once

#include "node_pool.hpp"
#include "overflow_counts.hpp"

// Rarely executed paths are kept out of line on a host, so that hot loops stay small; a device
// inlines everything.
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__) &&                        \
    !defined(__SYCL_DEVICE_ONLY__)
#define STRATA_OUT_OF_LINE [[gnu::noinline]]
#else
#define STRATA_OUT_OF_LINE
#endif

namespace strata {

/// A kernel's view of rows with a buffer each: entry k of a row lies at place.entry(row, k),
/// for k below `capacity(row)`. If the rows share a pool, further (spilled) entries are nodes
/// of it, in a linked list from `heads[row]`, which is -1 if empty.
template <class Place>
class BufferedRowsView
{
public:
  static constexpr bool contiguous = Place::contiguous; ///< entry(row, k) is entry(row, 0) + k
  static constexpr bool padded = Place::padded;         ///< unused entries lie between rows

  KOKKOS_DEFAULTED_FUNCTION BufferedRowsView() = default;
  KOKKOS_FUNCTION BufferedRowsView(index_t rows, Place const& place, std::int32_t* lengths,
                                   OverflowCountsView const& overflow_counts)
      : rows_(rows)
      , place_(place)
      , lengths_(lengths)
      , overflow_counts_(overflow_counts)
  {
  }
  /// Spilled entries are the pool's nodes, counted from `first_spilled`.
  KOKKOS_FUNCTION BufferedRowsView(index_t rows, Place const& place, std::int32_t* lengths,
                                   OverflowCountsView const& overflow_counts,
                                   std::int32_t* heads, NodePoolView const& pool,
                                   index_t first_spilled)
      : BufferedRowsView(rows, place, lengths, overflow_counts)
  {
    heads_ = heads;
    pool_ = pool;
    first_spilled_ = first_spilled;
  }

  KOKKOS_FUNCTION index_t rows() const { return rows_; }
  KOKKOS_FUNCTION index_t capacity(index_t row) const { return place_.capacity(row); }
  KOKKOS_FUNCTION index_t length(index_t row) const { return lengths_[row]; }
  /// Entry k, not a spilled one.
  KOKKOS_FUNCTION index_t entry(index_t row, index_t k) const { return place_.entry(row, k); }

  /// How many entries are not spilled.
  KOKKOS_FUNCTION index_t numbered(index_t row) const { return buffered_of(row, length(row)); }
  /// Whether rows may have spilled entries.
  KOKKOS_FUNCTION bool has_others() const { return heads_ != nullptr; }
  /// Calls f(entry) for those.
  template <class F>
  KOKKOS_FUNCTION void for_each_other(index_t row, F const& f) const
  {
    if (is_spilled(row, length(row)))
      for (auto node = heads_[row]; node >= 0; node = pool_.link(node))
        f(first_spilled_ + node);
  }

  template <class F>
  KOKKOS_FUNCTION void for_each_entry(index_t row, F const& f) const
  {
    index_t const buffered = numbered(row);
    for (index_t k = 0; k < buffered; ++k)
      f(entry(row, k));
    for_each_other(row, f);
  }

  KOKKOS_FUNCTION void clear(index_t row) const
  {
    while (is_spilled(row, length(row)))
      drop_spilled(row);
    lengths_[row] = 0;
  }

  KOKKOS_FUNCTION index_t append(index_t row) const
  {
    index_t const k = length(row);
    if (k < capacity(row)) [[likely]] {
      ++lengths_[row];
      return entry(row, k);
    }
    return append_spilled(*this, row);
  }

  /// So many more entries than its length, for which there is room, are the row's, whoever sets
  /// them by number.
  KOKKOS_FUNCTION void extend(index_t row, index_t entries) const
  {
    lengths_[row] += static_cast<std::int32_t>(entries);
  }

  KOKKOS_FUNCTION index_t append_atomic(index_t row) const
  {
    index_t const k = Kokkos::atomic_fetch_add(lengths_ + row, 1);
    if (k < capacity(row))
      return entry(row, k);
    std::int32_t const node = heads_ == nullptr ? -1 : pool_.take();
    if (node < 0) {
      Kokkos::atomic_sub(lengths_ + row, 1); // each takes its own back: never below capacity
      overflow_counts_.add(row);
      return -1;
    }
    pool_.link(node) = Kokkos::atomic_exchange(heads_ + row, node);
    return first_spilled_ + node;
  }

  template <class Move>
  KOKKOS_FUNCTION void remove(index_t row, index_t entry, Move const& move) const
  {
    index_t const last = last_entry(row);
    if (entry != last)
      move(entry, last);
    drop_last(row);
  }

  /// Goes from the last entry to the first, so that the entry that fills a gap has already been
  /// tested.
  template <class Ended, class Move>
  KOKKOS_FUNCTION index_t remove_if(index_t row, Ended const& ended, Move const& move) const
  {
    index_t const before = length(row);
    if (is_spilled(row, before))
      for (auto node = heads_[row]; node >= 0;) {
        auto const next = pool_.link(node);
        if (ended(first_spilled_ + node))
          remove(row, first_spilled_ + node, move);
        node = next;
      }
    for (index_t k = buffered_of(row, before) - 1; k >= 0; --k)
      if (ended(entry(row, k)))
        remove(row, entry(row, k), move);
    return before - length(row);
  }

private:
  /// By value and out of line on hosts: the compiler keeps the members of a view in registers
  /// only if no reference to the view escapes.
  STRATA_OUT_OF_LINE static KOKKOS_FUNCTION index_t append_spilled(BufferedRowsView view,
                                                                   index_t row)
  {
    std::int32_t const node = view.heads_ == nullptr ? -1 : view.pool_.take();
    if (node < 0) {
      view.overflow_counts_.add(row);
      return -1;
    }
    view.pool_.link(node) = view.heads_[row];
    view.heads_[row] = node;
    ++view.lengths_[row];
    return view.first_spilled_ + node;
  }
  KOKKOS_FUNCTION bool is_spilled(index_t row, index_t length) const
  {
    return length > capacity(row);
  }
  KOKKOS_FUNCTION index_t buffered_of(index_t row, index_t length) const
  {
    return is_spilled(row, length) ? capacity(row) : length;
  }
  KOKKOS_FUNCTION index_t last_entry(index_t row) const
  {
    return is_spilled(row, length(row)) ? first_spilled_ + heads_[row]
                                        : entry(row, length(row) - 1);
  }
  KOKKOS_FUNCTION void drop_spilled(index_t row) const
  {
    auto const node = heads_[row];
    heads_[row] = pool_.link(node);
    pool_.give(node);
    --lengths_[row];
  }
  KOKKOS_FUNCTION void drop_last(index_t row) const
  {
    if (is_spilled(row, length(row)))
      drop_spilled(row);
    else
      --lengths_[row];
  }

  index_t rows_ = 0;
  Place place_ = {};
  std::int32_t* lengths_ = nullptr;
  OverflowCountsView overflow_counts_;
  std::int32_t* heads_ = nullptr;
  NodePoolView pool_;
  index_t first_spilled_ = 0;
};

namespace detail {

/// to(entry k of a row there) = from(entry of the row here), for all entries that it has.
template <class Place, class To, class From>
struct MoveRows
{
  static constexpr char const* name() { return "strata::MoveRows"; }
  Place there;
  BufferedRowsView<Place> here;
  To to;
  From from;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    index_t k = 0;
    here.for_each_entry(row, [&](index_t entry) { to(there.entry(row, k++)) = from(entry); });
  }
};

/// Moves the entries of all rows, spilled ones among them, to an array of `slots` elements in
/// which each row has a buffer for all of its own; those that no entry takes are 0.
template <class Place, class T, class Space>
void move_rows(EntryValues<T, Space>& values, Place const& there, index_t slots,
               BufferedRowsView<Place> const& here)
{
  EntryValues<T, Space> const moved(values.label(), Dynamic<1>(slots));
  fill(moved, T{});
  auto const to = moved.write();
  auto const from = values.read();
  for_each<typename Space::execution_space>(
      here.rows(), MoveRows<Place, decltype(to), decltype(from)>{there, here, to, from});
  Kokkos::fence();
  values = moved;
}

} // namespace detail

} // namespace strata
