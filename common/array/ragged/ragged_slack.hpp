#pragma once

#include "buffered_rows.hpp"
#include "ragged_array.hpp"

#include "../launch/scan.hpp"

#include <algorithm>

namespace strata {

/// Where entries of rows with room of their own lie: from offsets[row] on.
struct SlackPlace
{
  static constexpr bool contiguous = true;
  static constexpr bool padded = false; // by a few entries
  index_t const* offsets = nullptr;

  KOKKOS_FUNCTION index_t capacity(index_t row) const
  {
    return offsets[row + 1] - offsets[row];
  }
  KOKKOS_FUNCTION index_t entry(index_t row, index_t k) const { return offsets[row] + k; }
};

namespace detail {

/// Room for n entries and as many as come until the next repack: n + max(2, n/4).
KOKKOS_FUNCTION inline index_t with_slack(index_t n)
{
  return n + (n / 4 > 2 ? n / 4 : 2);
}

template <class Counts>
struct SlackOf
{
  Counts counts;

  KOKKOS_FUNCTION index_t operator()(index_t row) const
  {
    return with_slack(static_cast<index_t>(counts(row)));
  }
};

/// What a row has and was refused.
struct Wanted
{
  std::int32_t const* lengths;
  OverflowCountsView overflow_counts;

  KOKKOS_FUNCTION index_t operator()(index_t row) const
  {
    return lengths[row] + overflow_counts.of(row);
  }
};

struct NoEntries
{
  KOKKOS_FUNCTION index_t operator()(index_t) const { return 0; }
};

} // namespace detail

/// Rows one after another, each with room for n + max(2, n/4) entries and an int32 length, so
/// that entries are added and removed in place. The overflow policies: `grow` repacks all rows,
/// each with slack for its present length; `spill` does so too, and from the first repack on
/// gives the rows a shared pool of max(`options.pool`, rows/32) entries for what finds its row
/// full, so that rows are repacked again only when the pool is full as well; `fail` throws.
/// Copies are shallow.
template <class Space = DeviceSpace>
class SlackRows
{
public:
  using memory_space = Space;
  using execution_space = typename Space::execution_space;
  using view_type = BufferedRowsView<SlackPlace>;

  SlackRows() = default;
  /// Empty rows with room for two entries each.
  SlackRows(std::string const& label, index_t rows, RowOptions const& options = {})
      : SlackRows(label, rows, detail::NoEntries{}, options)
  {
  }
  /// Empty rows with room for `counts(i)` entries and slack; a span or functor for the device.
  template <class Counts>
  SlackRows(std::string const& label, index_t rows, Counts const& counts,
            RowOptions const& options = {})
      : options_(options)
      , offsets_(label + " offsets", Dynamic<1>(rows + 1))
      , lengths_(label + " lengths", Dynamic<1>(rows))
      , overflow_counts_(label, rows)
      , buffered_(
            exclusive_scan<execution_space>(detail::SlackOf<Counts>{counts}, offsets_.write()))
  {
    check_slots(label, slots(), options_);
    clear();
  }

  [[nodiscard]] index_t rows() const { return lengths_.size(); }
  /// Elements that value arrays must have.
  [[nodiscard]] index_t slots() const { return buffered_ + pool_.capacity(); }
  [[nodiscard]] view_type view() const
  {
    return {rows(),        place(),      lengths_.data(), overflow_counts_.view(),
            heads_.data(), pool_.view(), buffered_};
  }
  /// Empties all rows; returns before it has.
  void clear() const
  {
    fill(lengths_, 0);
    overflow_counts_.clear();
    empty_pool();
  }

  /// Makes room where entries found none (rows.hpp); `values` are all arrays over these rows.
  template <class... T>
  OverflowedRows<Space> resolve_overflow(EntryValues<T, Space>&... values)
  {
    pool_.reclaim();
    return overflow_counts_.resolve(view(), options_.overflow,
                                    [&](RowDemand const&) { repack(values...); });
  }
  /// Gives every row room by what it has and lacks, and the pool none; done when it returns.
  template <class... T>
  void repack(EntryValues<T, Space>&... values)
  {
    using Wanted = detail::SlackOf<detail::Wanted>;
    EntryValues<index_t, Space> const offsets(offsets_.label(), offsets_.extents());
    index_t const buffered = exclusive_scan<execution_space>(
        Wanted{{lengths_.data(), overflow_counts_.view()}}, offsets.write());
    bool const spills = options_.overflow == Overflow::spill;
    index_t const shared = spills ? std::max(options_.pool, rows() / 32) : 0;
    index_t const slots = buffered + shared;
    check_slots(label(), slots, options_);
    (detail::move_rows(values, SlackPlace{offsets.data()}, slots, view()), ...);
    offsets_ = offsets;
    buffered_ = buffered;
    if (spills && pool_.is_null()) {
      heads_ = EntryValues<std::int32_t, Space>(label() + " heads", Dynamic<1>(rows()));
      pool_ = NodePool<Space>(label() + " pool", shared);
    }
    empty_pool();
    ++regrows_;
  }

  /// How often the rows have been repacked.
  [[nodiscard]] index_t regrows() const { return regrows_; }
  /// Bytes of the structure, not of its values.
  [[nodiscard]] index_t memory_bytes() const
  {
    return bytes_of(offsets_, lengths_, heads_) + overflow_counts_.memory_bytes() +
           pool_.memory_bytes();
  }

private:
  [[nodiscard]] std::string const& label() const { return overflow_counts_.label(); }
  [[nodiscard]] SlackPlace place() const { return {offsets_.data()}; }
  void empty_pool() const
  {
    if (pool_.is_null())
      return;
    fill(heads_, -1);
    pool_.clear();
  }

  RowOptions options_;
  EntryValues<index_t, Space> offsets_;
  EntryValues<std::int32_t, Space> lengths_;
  OverflowCounts<Space> overflow_counts_;
  index_t buffered_ = 0; ///< entries that rows have room for
  EntryValues<std::int32_t, Space> heads_;
  NodePool<Space> pool_;
  index_t regrows_ = 0;
};

/// Rows with slack, of one value each: element (i,j) is entry j of row i.
template <class T, class Space = DeviceSpace>
using RaggedSlack = RaggedArray<T, SlackRows<Space>, Lines::rows>;

} // namespace strata
