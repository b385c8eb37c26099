#pragma once

#include "columns.hpp"

#include "array/dynamic_ragged.hpp"
#include "array/linked_pool.hpp"
#include "array/paged.hpp"
#include "array/ragged.hpp"
#include "array/ragged_slack.hpp"
#include "array/rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace strata::contact {

/// Rows of contacts as kernels see them: where entries lie, by a structure's view, and what
/// they are, three arrays side by side. An entry of row i is a neighbour of element i.
template <class RowsView>
struct ContactsView : RowsView
{
  double* gaps;
  std::int32_t* neighbours;
  std::int32_t* births;

  KOKKOS_FUNCTION double& gap(index_t entry) const { return gaps[entry]; }
  KOKKOS_FUNCTION std::int32_t& neighbour(index_t entry) const { return neighbours[entry]; }
  KOKKOS_FUNCTION std::int32_t& born(index_t entry) const { return births[entry]; }

  /// A new entry of a row, by its owner; false where it found no room, which is counted.
  KOKKOS_FUNCTION bool add(index_t row, double gap, std::int32_t neighbour,
                           std::int32_t born) const
  {
    index_t const entry = this->append(row);
    if (entry < 0)
      return false;
    gaps[entry] = gap;
    neighbours[entry] = neighbour;
    births[entry] = born;
    return true;
  }
  KOKKOS_FUNCTION void move(index_t to, index_t from) const
  {
    gaps[to] = gaps[from];
    neighbours[to] = neighbours[from];
    births[to] = births[from];
  }
};

/// The first entry of the first row that has one.
struct FirstEntry
{
  index_t row = INT64_MAX;
  index_t entry = 0;

  KOKKOS_FUNCTION FirstEntry& operator+=(FirstEntry const& other)
  {
    if (other.row < row)
      *this = other;
    return *this;
  }
};

template <class View>
struct FindFirstEntry
{
  static constexpr char const* name() { return "strata::contact::FindFirstEntry"; }
  View view;

  KOKKOS_FUNCTION void operator()(FirstEntry& first, index_t row) const
  {
    if (row >= first.row)
      return;
    FirstEntry mine;
    view.for_each_entry(row, [&](index_t entry) {
      if (mine.row != row)
        mine = {row, entry};
    });
    first += mine;
  }
};

template <class View>
struct LengthOf
{
  View view;
  KOKKOS_FUNCTION index_t operator()(index_t row) const { return view.length(row); }
};

template <class View>
struct CopyLengths
{
  static constexpr char const* name() { return "strata::contact::CopyLengths"; }
  View view;
  index_t* lengths;

  KOKKOS_FUNCTION void operator()(index_t row) const { lengths[row] = view.length(row); }
};

/// Gaps of all rows one after another.
template <class View>
struct CopyGaps
{
  static constexpr char const* name() { return "strata::contact::CopyGaps"; }
  View view;
  RaggedRowsView flat;
  double* gaps;
  index_t* offsets;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    index_t to = flat.begin(row);
    offsets[row] = to;
    offsets[row + 1] = flat.end(row);
    view.for_each_entry(row, [&](index_t entry) { gaps[to++] = view.gap(entry); });
  }
};

/// Contacts over one of the core's structures of rows.
template <class Rows>
class Contacts
{
public:
  using rows_type = Rows;
  /// Whether entries come and go in place; else every change rewrites all rows.
  static constexpr bool dynamic = !std::is_same_v<Rows, RaggedRows<>>;

  Contacts(index_t rows, RowOptions const& options)
      : options_(options)
      , rows_(make(rows, options))
      , gaps_("strata::contact gaps", Dynamic<1>(rows_.slots()))
      , neighbours_("strata::contact neighbours", Dynamic<1>(rows_.slots()))
      , births_("strata::contact births", Dynamic<1>(rows_.slots()))
  {
  }
  [[nodiscard]] index_t rows() const { return rows_.rows(); }
  [[nodiscard]] auto view() const { return with(rows_.view()); }

  /// Empties all rows and launches `kernel_of(view)` for each, which adds what it has; twice
  /// where entries are counted first.
  template <class KernelOf>
  void build(KernelOf const& kernel_of)
  {
    if constexpr (dynamic) {
      rows_.clear();
      for_each_row(
          rows_, Redo::from_nothing, [&] { return kernel_of(view()); }, gaps_, neighbours_,
          births_);
    } else {
      for_each(rows(), kernel_of(with(rows_.counting())));
      index_t const entries = rows_.index();
      check_slots("strata::contact rows", entries, options_);
      reserve(gaps_, entries);
      reserve(neighbours_, entries);
      reserve(births_, entries);
      for_each(rows(), kernel_of(with(rows_.filling())));
    }
  }
  /// Launches `kernel_of(view)`, which removes and adds entries of every row.
  template <class KernelOf>
  void update(KernelOf const& kernel_of)
    requires dynamic
  {
    for_each_row(
        rows_, Redo::from_kept, [&] { return kernel_of(view()); }, gaps_, neighbours_, births_);
  }
  /// No entry that a check would let pass.
  void spoil() const
  {
    fill(gaps_, static_cast<double>(NAN));
    if constexpr (dynamic)
      rows_.clear();
  }
  /// Of every row, on the host.
  [[nodiscard]] std::vector<index_t> lengths() const
  {
    Column<index_t> copied("copied lengths");
    copied.reserve(rows());
    for_each(rows(), CopyLengths<decltype(view())>{view(), copied.data()});
    return copied.download(rows());
  }
  /// The gaps of every row, on the host.
  [[nodiscard]] std::vector<std::vector<double>> gaps_by_row() const
  {
    RaggedRows<> const flat("strata::contact copy", rows(), LengthOf<decltype(view())>{view()});
    Column<double> gaps("copied gaps");
    Column<index_t> offsets("copied offsets");
    gaps.reserve(flat.entries());
    offsets.reserve(rows() + 1);
    for_each(rows(),
             CopyGaps<decltype(view())>{view(), flat.view(), gaps.data(), offsets.data()});
    auto const values = gaps.download(flat.entries());
    auto const starts = offsets.download(rows() + 1);
    std::vector<std::vector<double>> by_row;
    for (std::size_t row = 0; row + 1 < starts.size(); ++row)
      by_row.emplace_back(values.begin() + starts[row], values.begin() + starts[row + 1]);
    return by_row;
  }
  [[nodiscard]] RowTotals totals() const { return row_totals(rows_); }
  /// The gaps from the first row's first entry on: at least two where there are as many.
  [[nodiscard]] std::pair<double*, index_t> first_gaps() const
  {
    auto const first = reduced<FirstEntry>(in_order_of<LayoutRight>(Dynamic<1>(rows())),
                                           FindFirstEntry<decltype(view())>{view()});
    return {gaps_.data() + first.entry, std::min<index_t>(2, slots() - first.entry)};
  }
  [[nodiscard]] index_t regrows() const
  {
    if constexpr (dynamic)
      return rows_.regrows();
    else
      return 0;
  }
  /// Room for entries.
  [[nodiscard]] index_t slots() const { return gaps_.size(); }
  [[nodiscard]] index_t bytes() const
  {
    return rows_.memory_bytes() + gaps_.bytes_for(gaps_.mapping()) +
           neighbours_.bytes_for(neighbours_.mapping()) + births_.bytes_for(births_.mapping());
  }

private:
  static Rows make(index_t rows, RowOptions const& options)
  {
    if constexpr (dynamic)
      return Rows("strata::contact rows", rows, options);
    else
      return Rows("strata::contact rows", rows);
  }
  template <class View>
  [[nodiscard]] ContactsView<View> with(View const& view) const
  {
    return {view, gaps_.data(), neighbours_.data(), births_.data()};
  }

  RowOptions options_;
  Rows rows_;
  EntryValues<double> gaps_;
  EntryValues<std::int32_t> neighbours_;
  EntryValues<std::int32_t> births_;
};

} // namespace strata::contact
