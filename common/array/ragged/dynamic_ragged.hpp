#pragma once

#include "buffered_rows.hpp"
#include "ragged_array.hpp"

#include <type_traits>

namespace strata {

/// Where entries of rows of equal capacity lie: a dense block in a layout's order.
template <class Layout>
struct DensePlace
{
  static constexpr bool contiguous = std::is_same_v<Layout, LayoutRight>;
  static constexpr bool padded = contiguous;
  typename Layout::template mapping<Dynamic<2>> mapping = {};

  KOKKOS_FUNCTION index_t capacity(index_t) const { return mapping.extents().extent(1); }
  KOKKOS_FUNCTION index_t entry(index_t row, index_t k) const { return mapping(row, k); }
};

/// Rows of equal capacity and an int32 length each, over a dense block of rows × capacity
/// entries: LayoutRight keeps a row together (S5's DynamicRaggedRight), LayoutLeft the k-th
/// entries of neighbouring rows (for a GPU's work item per row), LayoutTiled both in part.
/// Entries past a row's capacity grow the block (new capacity: 1.25 × the greatest demand, in
/// eights), spill to a pool or fail. Copies are shallow. Source: S5 section 4.3.2.
template <class Layout = LayoutRight, class Space = DeviceSpace>
class DynamicRaggedRows
{
public:
  using memory_space = Space;
  using execution_space = typename Space::execution_space;
  using view_type = BufferedRowsView<DensePlace<Layout>>;

  DynamicRaggedRows() = default;
  /// Empty rows.
  DynamicRaggedRows(std::string const& label, index_t rows, RowOptions const& options = {})
      : options_(options)
      , place_{Dynamic<2>(rows, options.capacity)}
      , lengths_(label + " lengths", Dynamic<1>(rows))
      , overflow_counts_(label, rows)
  {
    if (options.overflow == Overflow::spill) {
      heads_ = EntryValues<std::int32_t, Space>(label + " heads", Dynamic<1>(rows));
      pool_ = NodePool<Space>(label + " pool", options.pool);
    }
    check_slots(label, slots(), options);
    clear();
  }

  [[nodiscard]] index_t rows() const { return place_.mapping.extents().extent(0); }
  [[nodiscard]] index_t capacity() const { return place_.capacity(0); }
  /// Elements that value arrays must have.
  [[nodiscard]] index_t slots() const { return dense_slots() + pool_.capacity(); }
  [[nodiscard]] view_type view() const
  {
    return {rows(),        place_,       lengths_.data(), overflow_counts_.view(),
            heads_.data(), pool_.view(), dense_slots()};
  }
  /// Empties all rows; returns before it has.
  void clear() const
  {
    fill(lengths_, 0);
    overflow_counts_.clear();
    if (!pool_.is_null()) {
      fill(heads_, -1);
      pool_.clear();
    }
  }

  /// Makes room where entries found none (rows.hpp); `values` are all arrays over these rows.
  template <class... T>
  OverflowedRows<Space> resolve_overflow(EntryValues<T, Space>&... values)
  {
    pool_.reclaim();
    return overflow_counts_.resolve(view(), options_.overflow, [&](RowDemand const& demand) {
      if (options_.overflow == Overflow::spill)
        grow_pool(demand, values...);
      else
        grow_rows(demand, values...);
      ++regrows_;
    });
  }

  /// Empty rows in another space, with the same room.
  template <class Other>
  [[nodiscard]] DynamicRaggedRows<Layout, Other> mirror() const
  {
    auto options = options_;
    options.capacity = capacity();
    options.pool = pool_.capacity();
    return {overflow_counts_.label() + " (mirror)", rows(), options};
  }
  /// Copies the lengths, and the pool where there is one, of rows of the same room.
  template <class Other>
  void copy_from(DynamicRaggedRows<Layout, Other> const& from) const
  {
    detail::require(rows() == from.rows() && slots() == from.slots() &&
                        dense_slots() == from.dense_slots(),
                    "'%s' has %lld rows with room for %lld entries, what is copied to it has "
                    "others",
                    overflow_counts_.label().c_str(), static_cast<long long>(rows()),
                    static_cast<long long>(slots()));
    copy(lengths_, from.lengths_);
    if (!pool_.is_null()) {
      copy(heads_, from.heads_);
      pool_.copy_from(from.pool_);
    }
  }

  /// How often there was too little room.
  [[nodiscard]] index_t regrows() const { return regrows_; }
  /// Bytes of the structure, not of its values.
  [[nodiscard]] index_t memory_bytes() const
  {
    return bytes_of(lengths_, heads_) + overflow_counts_.memory_bytes() + pool_.memory_bytes();
  }

private:
  template <class OtherLayout, class Other>
  friend class DynamicRaggedRows;

  template <class... Values>
  void grow_pool(RowDemand const& demand, Values&... values)
  {
    index_t const nodes = pool_.capacity_for(pool_.capacity() + demand.refused);
    check_slots(overflow_counts_.label(), dense_slots() + nodes, options_);
    pool_.grow(nodes);
    (enlarge(values, slots()), ...);
  }
  template <class... Values>
  void grow_rows(RowDemand const& demand, Values&... values)
  {
    DensePlace<Layout> const place{Dynamic<2>(rows(), with_headroom(demand.greatest))};
    auto const slots = static_cast<index_t>(place.mapping.required_span_size());
    check_slots(overflow_counts_.label(), slots, options_);
    (detail::move_rows(values, place, slots, view()), ...);
    place_ = place;
  }
  [[nodiscard]] index_t dense_slots() const
  {
    return static_cast<index_t>(place_.mapping.required_span_size());
  }

  RowOptions options_;
  DensePlace<Layout> place_;
  EntryValues<std::int32_t, Space> lengths_;
  OverflowCounts<Space> overflow_counts_;
  EntryValues<std::int32_t, Space> heads_;
  NodePool<Space> pool_;
  index_t regrows_ = 0;
};

/// Rows that can grow, of one value each: element (i,j) is entry j of row i.
/// Source: S5 (DynamicRaggedRightArray).
template <class T, class Space = DeviceSpace, class Layout = LayoutRight>
using DynamicRaggedRight = RaggedArray<T, DynamicRaggedRows<Layout, Space>, Lines::rows>;
/// Columns that can grow: element (i,j) is entry i of column j. Source: S5
/// (DynamicRaggedDownArray).
template <class T, class Space = DeviceSpace, class Layout = LayoutRight>
using DynamicRaggedDown = RaggedArray<T, DynamicRaggedRows<Layout, Space>, Lines::columns>;

} // namespace strata
