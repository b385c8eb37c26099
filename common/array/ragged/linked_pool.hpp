#pragma once

#include "node_pool.hpp"
#include "overflow_counts.hpp"

namespace strata {

/// What a kernel sees of rows that are linked lists of entries.
class LinkedRowsView
{
public:
  KOKKOS_DEFAULTED_FUNCTION LinkedRowsView() = default;
  KOKKOS_FUNCTION LinkedRowsView(index_t rows, std::int32_t* heads, NodePoolView const& pool,
                                 OverflowCountsView const& overflow_counts)
      : rows_(rows)
      , heads_(heads)
      , pool_(pool)
      , overflow_counts_(overflow_counts)
  {
  }
  KOKKOS_FUNCTION index_t rows() const { return rows_; }
  /// By walking the row.
  KOKKOS_FUNCTION index_t length(index_t row) const
  {
    index_t length = 0;
    for (auto node = heads_[row]; node >= 0; node = pool_.link(node))
      ++length;
    return length;
  }

  template <class F>
  KOKKOS_FUNCTION void for_each_entry(index_t row, F const& f) const
  {
    for (auto node = heads_[row]; node >= 0; node = pool_.link(node))
      f(static_cast<index_t>(node));
  }

  KOKKOS_FUNCTION void clear(index_t row) const
  {
    while (heads_[row] >= 0)
      unlink(heads_ + row);
  }

  KOKKOS_FUNCTION index_t append(index_t row) const
  {
    std::int32_t const node = take(row);
    if (node >= 0) {
      pool_.link(node) = heads_[row];
      heads_[row] = node;
    }
    return node;
  }

  KOKKOS_FUNCTION index_t append_atomic(index_t row) const
  {
    std::int32_t const node = take(row);
    if (node >= 0)
      pool_.link(node) = Kokkos::atomic_exchange(heads_ + row, node);
    return node;
  }

  /// By walking the row; no entry takes the place of another.
  template <class Move>
  KOKKOS_FUNCTION void remove(index_t row, index_t entry, Move const&) const
  {
    auto* at = heads_ + row;
    while (*at != entry)
      at = &pool_.link(*at);
    unlink(at);
  }

  /// No entry takes the place of another.
  template <class Ended, class Move>
  KOKKOS_FUNCTION index_t remove_if(index_t row, Ended const& ended, Move const&) const
  {
    index_t removed = 0;
    for (auto* at = heads_ + row; *at >= 0;)
      if (ended(static_cast<index_t>(*at))) {
        unlink(at);
        ++removed;
      } else {
        at = &pool_.link(*at);
      }
    return removed;
  }

private:
  KOKKOS_FUNCTION std::int32_t take(index_t row) const
  {
    std::int32_t const node = pool_.take();
    if (node < 0)
      overflow_counts_.add(row);
    return node;
  }
  /// Takes the node that `at`, a head or link, names out of its row.
  KOKKOS_FUNCTION void unlink(std::int32_t* at) const
  {
    auto const node = *at;
    *at = pool_.link(node);
    pool_.give(node);
  }

  index_t rows_ = 0;
  std::int32_t* heads_ = nullptr;
  NodePoolView pool_;
  OverflowCountsView overflow_counts_;
};

/// Rows that are linked lists, with int32 heads and links, of entries from a pool that all rows
/// share. Overflow grows the pool or fails; `options.pool` is its first size in entries. Copies
/// are shallow.
template <class Space = DeviceSpace>
class LinkedRows
{
public:
  using memory_space = Space;
  using execution_space = typename Space::execution_space;
  using view_type = LinkedRowsView;

  LinkedRows() = default;
  /// Empty rows.
  LinkedRows(std::string const& label, index_t rows, RowOptions const& options = {})
      : options_(options)
      , heads_(label + " heads", Dynamic<1>(rows))
      , pool_(label + " pool", options.pool)
      , overflow_counts_(label, rows)
  {
    refuse_spill(label, options);
    check_slots(label, slots(), options_);
    clear();
  }

  [[nodiscard]] index_t rows() const { return heads_.size(); }
  /// Elements that value arrays must have.
  [[nodiscard]] index_t slots() const { return pool_.capacity(); }
  [[nodiscard]] view_type view() const
  {
    return {rows(), heads_.data(), pool_.view(), overflow_counts_.view()};
  }
  /// Empties all rows; returns before it has.
  void clear() const
  {
    fill(heads_, -1);
    pool_.clear();
    overflow_counts_.clear();
  }

  /// Makes room where entries found none (rows.hpp); `values` are all arrays over these rows.
  template <class... T>
  OverflowedRows<Space> resolve_overflow(EntryValues<T, Space>&... values)
  {
    pool_.reclaim();
    return overflow_counts_.resolve(view(), options_.overflow, [&](RowDemand const& demand) {
      index_t const nodes = pool_.capacity_for(pool_.capacity() + demand.refused);
      check_slots(overflow_counts_.label(), nodes, options_);
      pool_.grow(nodes);
      (enlarge(values, slots()), ...);
      ++regrows_;
    });
  }

  /// How often the pool has grown.
  [[nodiscard]] index_t regrows() const { return regrows_; }
  /// Bytes of the structure, not of its values.
  [[nodiscard]] index_t memory_bytes() const
  {
    return bytes_of(heads_) + pool_.memory_bytes() + overflow_counts_.memory_bytes();
  }

private:
  RowOptions options_;
  EntryValues<std::int32_t, Space> heads_;
  NodePool<Space> pool_;
  OverflowCounts<Space> overflow_counts_;
  index_t regrows_ = 0;
};

} // namespace strata
