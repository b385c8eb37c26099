#pragma once

#include "row_kernels.hpp"

#include "array/access/prefetch.hpp"
#include "array/ragged/dynamic_ragged.hpp"
#include "array/ragged/for_each_row.hpp"
#include "array/ragged/linked_pool.hpp"
#include "array/ragged/paged.hpp"
#include "array/ragged/ragged.hpp"
#include "array/ragged/ragged_slack.hpp"
#include "array/ragged/rows.hpp"
#include "verify/fill.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace strata::contact {

/// The view of rows of contacts: a structure's view says where entries lie; three arrays hold
/// gap, neighbour and birth. An entry of row i is a neighbour of element i. Without SetsBirths,
/// the births of all entries have been set before.
template <class RowsView, bool SetsBirths = true>
struct ContactsView : RowsView
{
  double* gaps;
  std::int32_t* neighbours;
  std::int32_t* births;

  KOKKOS_FUNCTION double& gap(index_t entry) const { return gaps[entry]; }
  KOKKOS_FUNCTION std::int32_t& neighbour(index_t entry) const { return neighbours[entry]; }
  KOKKOS_FUNCTION std::int32_t& born(index_t entry) const { return births[entry]; }

  /// Adds an entry; called by the row's owner only. Returns false if there was no room, which
  /// is counted.
  KOKKOS_FORCEINLINE_FUNCTION bool add(index_t row, double gap, std::int32_t neighbour,
                                       std::int32_t born) const
  {
    return set(this->append(row), gap, neighbour, born);
  }
  /// The same by any work item.
  KOKKOS_FUNCTION bool add_atomic(index_t row, double gap, std::int32_t neighbour,
                                  std::int32_t born) const
  {
    return set(this->append_atomic(row), gap, neighbour, born);
  }
  KOKKOS_FUNCTION bool set(index_t entry, double gap, std::int32_t neighbour,
                           std::int32_t born) const
  {
    if (entry < 0)
      return false;
    gaps[entry] = gap;
    neighbours[entry] = neighbour;
    if constexpr (SetsBirths)
      births[entry] = born;
    return true;
  }
  /// Of an entry that is to be set.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch(index_t entry) const
  {
    strata::prefetch<true>(gaps + entry);
    strata::prefetch<true>(neighbours + entry);
    if constexpr (SetsBirths)
      strata::prefetch<true>(births + entry);
  }
  KOKKOS_FUNCTION void move(index_t to, index_t from) const
  {
    gaps[to] = gaps[from];
    neighbours[to] = neighbours[from];
    births[to] = births[from];
  }
};

/// The length of all rows.
struct AlikeRows
{
  index_t length;
  KOKKOS_FUNCTION index_t operator()(index_t) const { return length; }
};

/// Contacts over one of the core's structures of rows.
template <class Rows>
class Contacts
{
public:
  using execution_space = typename Rows::execution_space;
  /// Whether entries are added and removed in place; else every change rewrites all rows.
  static constexpr bool dynamic = !std::is_same_v<Rows, RaggedRows<>>;
  /// Whether all entries come from a shared pool.
  static constexpr bool pooled =
      std::is_same_v<Rows, PagedRows<>> || std::is_same_v<Rows, LinkedRows<>>;

  Contacts(index_t rows, RowOptions const& options)
      : options_(options)
      , rows_(make(rows, options))
      , gaps_("strata::contact gaps", Dynamic<1>(rows_.slots()))
      , neighbours_("strata::contact neighbours", Dynamic<1>(rows_.slots()))
      , births_("strata::contact births", Dynamic<1>(rows_.slots()))
  {
    if constexpr (dynamic) { // packs and copies load slots that no entry has yet
      fill(gaps_, 0.0);
      fill(neighbours_, 0);
      fill(births_, 0);
    }
  }
  [[nodiscard]] index_t rows() const { return rows_.rows(); }
  [[nodiscard]] auto view() const { return with(rows_.view()); }

  /// Empties all rows and launches `kernel_of(view)` for each, which adds what it has; twice
  /// where entries are counted first. `each(rows, kernel)` does so in an order of its own.
  template <class KernelOf, class Each = EachRow>
  void build(KernelOf const& kernel_of, Each const& each = {})
  {
    if constexpr (dynamic) {
      rows_.clear();
      each(rows(), kernel_of(view()));
      relaunch_overflowed(
          rows_, Relaunch::from_empty, [&] { return kernel_of(view()); }, gaps_, neighbours_,
          births_);
    } else {
      count(kernel_of, each);
      each(rows(), kernel_of(with(rows_.filling())));
    }
  }
  /// The same, of entries that are all born in one step. Where entries are counted first, a
  /// host sets their births before it fills the rows, in the order of memory: rows are filled
  /// in another, so that each touches cache lines of its own in every array.
  template <class KernelOf, class Each>
  void build_born(std::int32_t step, KernelOf const& kernel_of, Each const& each)
  {
    if constexpr (dynamic || !device_is_host)
      build(kernel_of, each);
    else {
      count(kernel_of, each);
      fill(births_, step);
      each(rows(), kernel_of(with<false>(rows_.filling())));
    }
  }
  /// Empties all rows and launches `kernel_of(view)` for each of `items`, which adds to any
  /// rows, until all entries have found room.
  template <class KernelOf>
  void build_from(index_t items, KernelOf const& kernel_of)
    requires dynamic
  {
    do {
      rows_.clear();
      for_each(items, kernel_of(view()));
    } while (rows_.resolve_overflow(gaps_, neighbours_, births_));
  }
  /// Launches `kernel_of(view)`, which removes and adds entries of every row.
  template <class KernelOf>
  void update(KernelOf const& kernel_of)
    requires dynamic
  {
    for_each_row(
        rows_, Relaunch::from_kept, [&] { return kernel_of(view()); }, gaps_, neighbours_,
        births_);
  }
  /// Makes the rows invalid, so that a check fails unless they are written again. Births as
  /// well: memory that was never written may have the step of a first build, 0.
  void spoil() const
  {
    verify::fill(gaps_.memory(), std::byte{0xff}); // NaNs
    verify::fill(births_.memory(), std::byte{0xff});
    if constexpr (dynamic)
      rows_.clear();
  }
  /// Entries that each row has room for, where that is the same for all.
  [[nodiscard]] index_t capacity() const
    requires requires(Rows const& rows) { rows.capacity(); }
  {
    return rows_.capacity();
  }
  /// The capacity for which the pool holds that many entries, however they are distributed over
  /// the rows.
  [[nodiscard]] index_t capacity_for(index_t entries) const
    requires pooled
  {
    index_t const units = (entries + (unit - 1) * rows()) / unit; // each row ends in one
    return (units + rows() - 1) / rows() * unit;
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
  /// Of memory, on this rank.
  [[nodiscard]] index_t bytes() const
  {
    return rows_.memory_bytes() + gaps_.bytes_for(gaps_.mapping()) +
           neighbours_.bytes_for(neighbours_.mapping()) + births_.bytes_for(births_.mapping());
  }

private:
  /// The number of entries that a pool hands out at once.
  static constexpr index_t unit = [] {
    if constexpr (requires { Rows::page_size; })
      return index_t{Rows::page_size};
    else
      return index_t{1};
  }();

  /// Makes rows with the capacity of the options. Structures that would start with less and
  /// grow get it at once if overflow must fail.
  static Rows make(index_t rows, RowOptions options)
  {
    char const* const label = "strata::contact rows";
    bool const stays = options.overflow == Overflow::fail;
    if (stays)
      options.pool = rows * ((options.capacity + unit - 1) / unit * unit);
    if constexpr (std::is_same_v<Rows, SlackRows<>>) {
      if (stays)
        return Rows(label, rows, AlikeRows{options.capacity}, options);
      options.overflow = Overflow::spill; // a few full rows are no reason to move all
    }
    if constexpr (dynamic)
      return Rows(label, rows, options);
    else
      return Rows(label, rows);
  }
  /// Counts the rows' entries, and makes room for them.
  template <class KernelOf, class Each>
  void count(KernelOf const& kernel_of, Each const& each)
  {
    each(rows(), kernel_of(with(rows_.counting())));
    index_t const entries = rows_.index();
    check_slots("strata::contact rows", entries, options_);
    reserve(gaps_, entries);
    reserve(neighbours_, entries);
    reserve(births_, entries);
  }
  template <bool SetsBirths = true, class View>
  [[nodiscard]] ContactsView<View, SetsBirths> with(View const& view) const
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
