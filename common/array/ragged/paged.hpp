#pragma once

#include "node_pool.hpp"
#include "overflow_counts.hpp"

namespace strata {

/// What a kernel sees of rows made of pages of 8 entries, which lie together. The first page of
/// a row's list is the only one that is not full.
class PagedRowsView
{
public:
  static constexpr index_t page_size = 8;

  KOKKOS_DEFAULTED_FUNCTION PagedRowsView() = default;
  KOKKOS_FUNCTION PagedRowsView(index_t rows, std::int32_t* lengths, std::int32_t* heads,
                                NodePoolView const& pages,
                                OverflowCountsView const& overflow_counts)
      : rows_(rows)
      , lengths_(lengths)
      , heads_(heads)
      , pages_(pages)
      , overflow_counts_(overflow_counts)
  {
  }
  KOKKOS_FUNCTION index_t rows() const { return rows_; }
  KOKKOS_FUNCTION index_t length(index_t row) const { return lengths_[row]; }

  template <class F>
  KOKKOS_FUNCTION void for_each_entry(index_t row, F const& f) const
  {
    index_t left = length(row);
    auto page = heads_[row];
    for (index_t used = in_first_page(left); left > 0; used = page_size) {
      for (index_t k = 0; k < used; ++k)
        f(page * page_size + k);
      left -= used;
      page = left > 0 ? pages_.link(page) : -1;
    }
  }

  KOKKOS_FUNCTION void clear(index_t row) const
  {
    while (length(row) > 0) {
      lengths_[row] -= static_cast<std::int32_t>(in_first_page(length(row)));
      drop_page(row);
    }
  }

  KOKKOS_FUNCTION index_t append(index_t row) const
  {
    index_t const k = length(row) % page_size;
    if (k == 0) {
      std::int32_t const page = pages_.take();
      if (page < 0) {
        overflow_counts_.add(row);
        return -1;
      }
      pages_.link(page) = heads_[row];
      heads_[row] = page;
    }
    ++lengths_[row];
    return heads_[row] * page_size + k;
  }

  template <class Move>
  KOKKOS_FUNCTION void remove(index_t row, index_t entry, Move const& move) const
  {
    index_t const used = in_first_page(length(row));
    index_t const last = heads_[row] * page_size + used - 1;
    if (entry != last)
      move(entry, last);
    --lengths_[row];
    if (used == 1)
      drop_page(row);
  }

  /// Starts at the end of the partly filled page, so that the entry that fills a gap has
  /// already been tested.
  template <class Ended, class Move>
  KOKKOS_FUNCTION index_t remove_if(index_t row, Ended const& ended, Move const& move) const
  {
    index_t const before = length(row);
    index_t left = before;
    auto page = heads_[row];
    for (index_t used = in_first_page(left); left > 0; used = page_size) {
      left -= used;
      auto const next = left > 0 ? pages_.link(page) : -1;
      for (index_t k = used - 1; k >= 0; --k)
        if (ended(page * page_size + k))
          remove(row, page * page_size + k, move);
      page = next;
    }
    return before - length(row);
  }

private:
  /// Entries in the first page of a row of that length.
  static KOKKOS_FUNCTION index_t in_first_page(index_t length)
  {
    return length == 0 ? 0 : (length - 1) % page_size + 1;
  }
  KOKKOS_FUNCTION void drop_page(index_t row) const
  {
    auto const page = heads_[row];
    heads_[row] = pages_.link(page);
    pages_.give(page);
  }

  index_t rows_ = 0;
  std::int32_t* lengths_ = nullptr;
  std::int32_t* heads_ = nullptr;
  NodePoolView pages_;
  OverflowCountsView overflow_counts_;
};

/// Rows made of pages of 8 entries from a pool that all rows share, with int32 links. Overflow
/// grows the pool or fails; `options.pool` is its first size in entries. Copies are shallow.
template <class Space = DeviceSpace>
class PagedRows
{
public:
  using memory_space = Space;
  using execution_space = typename Space::execution_space;
  using view_type = PagedRowsView;
  static constexpr index_t page_size = PagedRowsView::page_size;

  PagedRows() = default;
  /// Empty rows.
  PagedRows(std::string const& label, index_t rows, RowOptions const& options = {})
      : options_(options)
      , lengths_(label + " lengths", Dynamic<1>(rows))
      , heads_(label + " heads", Dynamic<1>(rows))
      , pages_(label + " pages", (options.pool + page_size - 1) / page_size)
      , overflow_counts_(label, rows)
  {
    refuse_spill(label, options);
    check_slots(label, slots(), options_);
    clear();
  }

  [[nodiscard]] index_t rows() const { return lengths_.size(); }
  /// Elements that value arrays must have.
  [[nodiscard]] index_t slots() const { return pages_.capacity() * page_size; }
  [[nodiscard]] view_type view() const
  {
    return {rows(), lengths_.data(), heads_.data(), pages_.view(), overflow_counts_.view()};
  }
  /// Empties all rows; returns before it has.
  void clear() const
  {
    fill(lengths_, 0);
    fill(heads_, -1);
    pages_.clear();
    overflow_counts_.clear();
  }

  /// Makes room where entries found none (rows.hpp); `values` are all arrays over these rows.
  template <class... T>
  OverflowedRows<Space> resolve_overflow(EntryValues<T, Space>&... values)
  {
    pages_.reclaim();
    return overflow_counts_.resolve(view(), options_.overflow, [&](RowDemand const& demand) {
      index_t const begun = demand.refused / page_size + demand.rows; // each row ends in one
      index_t const pages = pages_.capacity_for(pages_.capacity() + begun);
      check_slots(overflow_counts_.label(), pages * page_size, options_);
      pages_.grow(pages);
      (enlarge(values, slots()), ...);
      ++regrows_;
    });
  }

  /// How often the pool has grown.
  [[nodiscard]] index_t regrows() const { return regrows_; }
  /// Bytes of the structure, not of its values.
  [[nodiscard]] index_t memory_bytes() const
  {
    return bytes_of(lengths_, heads_) + pages_.memory_bytes() + overflow_counts_.memory_bytes();
  }

private:
  RowOptions options_;
  EntryValues<std::int32_t, Space> lengths_;
  EntryValues<std::int32_t, Space> heads_;
  NodePool<Space> pages_;
  OverflowCounts<Space> overflow_counts_;
  index_t regrows_ = 0;
};

} // namespace strata
