#pragma once

#include "rows.hpp"

namespace strata {

// Entries that found no room in their row, counted.

/// Kept by the views of rows that can change. Touched only by entries that find no room.
class OverflowCountsView
{
public:
  KOKKOS_DEFAULTED_FUNCTION OverflowCountsView() = default;
  KOKKOS_FUNCTION OverflowCountsView(std::int32_t* of_row, tally_t* total)
      : of_row_(of_row)
      , total_(total)
  {
  }
  /// An entry of `row` found no room.
  KOKKOS_FUNCTION void add(index_t row) const
  {
    Kokkos::atomic_add(of_row_ + row, 1);
    Kokkos::atomic_add(total_, tally_t{1});
  }
  KOKKOS_FUNCTION index_t of(index_t row) const { return of_row_[row]; }
  KOKKOS_FUNCTION void forget(index_t row) const { of_row_[row] = 0; }

private:
  std::int32_t* of_row_ = nullptr;
  tally_t* total_ = nullptr;
};

/// Demand of the rows that overflowed, and the row with the greatest.
struct RowDemand
{
  index_t greatest = 0; ///< length that row `row` needs
  index_t row = -1;     ///< the first one if several need as much
  index_t room = 0;     ///< entries that this row holds
  index_t rows = 0;     ///< number of rows that overflowed
  index_t refused = 0;  ///< entries that found no room, in all rows

  KOKKOS_FUNCTION RowDemand& operator+=(RowDemand const& other)
  {
    bool const greater = other.greatest > greatest ||
                         (other.greatest == greatest && other.rows > 0 && other.row < row);
    if (greater) {
      greatest = other.greatest;
      row = other.row;
      room = other.room;
    }
    rows += other.rows;
    refused += other.refused;
    return *this;
  }
};

namespace detail {

template <class View>
struct FindDemand
{
  static constexpr char const* name() { return "strata::OverflowCounts find"; }
  View view;
  OverflowCountsView counts;

  template <class Sum>
  KOKKOS_FUNCTION void operator()(Sum& sum, index_t row) const
  {
    if (counts.of(row) > 0) {
      index_t const room = view.length(row);
      sum += RowDemand{room + counts.of(row), row, room, 1, counts.of(row)};
    }
  }
};

/// Lists the rows that lack entries and forgets that they do.
struct ListRefused
{
  static constexpr char const* name() { return "strata::OverflowCounts list"; }
  OverflowCountsView counts;
  index_t* list;
  int* listed;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    if (counts.of(row) > 0) {
      list[Kokkos::atomic_fetch_add(listed, 1)] = row;
      counts.forget(row);
    }
  }
};

} // namespace detail

/// The counts themselves: one per row and their total.
template <class Space>
class OverflowCounts
{
public:
  OverflowCounts() = default;
  OverflowCounts(std::string const& label, index_t rows)
      : label_(label)
      , of_row_(label + " refused", Dynamic<1>(rows))
      , total_(label + " refused in all", Dynamic<1>(1))
  {
    clear();
  }
  void clear() const
  {
    fill(of_row_, 0);
    fill(total_, tally_t{0});
  }
  /// Label of the rows.
  [[nodiscard]] std::string const& label() const { return label_; }
  [[nodiscard]] OverflowCountsView view() const { return {of_row_.data(), total_.data()}; }

  /// Waits for launches. If entries of `rows`, a view, found no room: throws RowOverflow under
  /// `fail`, else calls make_room(RowDemand), resets the counts and returns the rows that
  /// overflowed.
  template <class View, class MakeRoom>
  [[nodiscard]] OverflowedRows<Space> resolve(View const& rows, Overflow overflow,
                                              MakeRoom const& make_room) const
  {
    if (of_row_.is_null())
      return {};
    auto const refused = static_cast<index_t>(value_at(total_, 0));
    if (refused == 0)
      return {};
    auto const demand =
        reduced<RowDemand, Execution>(walk(), detail::FindDemand<View>{rows, view()});
    if (overflow == Overflow::fail)
      throw RowOverflow(label_, demand.row, demand.greatest, demand.room);
    make_room(demand);
    return {list(demand.rows), refused, demand.greatest};
  }
  [[nodiscard]] index_t memory_bytes() const { return bytes_of(of_row_, total_); }

private:
  using Execution = typename Space::execution_space;
  [[nodiscard]] auto walk() const { return in_order_of<LayoutRight>(of_row_.extents()); }

  /// The rows that lack entries; afterwards none does.
  [[nodiscard]] EntryValues<index_t, Space> list(index_t rows) const
  {
    EntryValues<index_t, Space> const listed(label_ + " overflowed", Dynamic<1>(rows));
    EntryValues<int, Space> const count(label_ + " overflowed in all", Dynamic<1>(1));
    fill(count, 0);
    for_each<Execution>(walk(), detail::ListRefused{view(), listed.data(), count.data()});
    fill(total_, tally_t{0});
    Kokkos::fence();
    return listed;
  }

  std::string label_;
  EntryValues<std::int32_t, Space> of_row_;
  EntryValues<tally_t, Space> total_;
};

} // namespace strata
