#pragma once

#include "array/launch/for_each.hpp"
#include "array/ragged/ragged.hpp"
#include "rows/row_kernels.hpp"
#include "runtime/mpi/exchange.hpp"
#include "search/candidates.hpp"

#include <cstdint>
#include <vector>

namespace strata::contact {

/// Rows of contacts between two populations: one after another in device memory, in no
/// structure, with neighbours by gid.
struct CarriedRows
{
  struct Entry
  {
    index_t neighbour;
    double gap;
    std::int64_t born;
  };

  /// Room for rows whose entries are known in number; start is that of no rows.
  CarriedRows(index_t rows, index_t entries);

  index_t rows;
  index_t count;                               ///< of all entries
  DeviceVector<index_t> start{"carried rows"}; ///< of a row's entries; rows + 1 of them
  DeviceVector<Entry> entries{"carried entries"};
};

/// The rows that are listed, in that order.
CarriedRows listed(CarriedRows const& rows, std::vector<index_t> const& list);

/// Hands over the first rows_for[0] rows to rank 0, the next rows_for[1] to rank 1 and so on,
/// and returns those that arrive, by the number of the rank that had them and in its order.
/// Collective.
CarriedRows handed_over(CarriedRows const& rows, std::vector<index_t> const& rows_for,
                        runtime::Exchange& exchange, runtime::Communicator const& world);

template <class View>
struct CopyEntries
{
  static constexpr char const* name() { return "strata::contact::CopyEntries"; }
  View view;
  RaggedRowsView flat;
  index_t const* gid;
  CarriedRows::Entry* entries;
  index_t* start;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    index_t to = flat.begin(row);
    start[row + 1] = flat.end(row);
    view.for_each_entry(row, [&](auto entry) {
      entries[to++] = {gid[view.neighbour(entry)], view.gap(entry), view.born(entry)};
    });
  }
};

/// Adds the entries of a row, with neighbours looked up by gid among its candidates; −1 if
/// absent.
template <class View>
struct TakeEntries
{
  static constexpr char const* name() { return "strata::contact::TakeEntries"; }
  View view;
  CandidatesView candidates;
  index_t const* gid;
  CarriedRows::Entry const* entries;
  index_t const* start;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    for (index_t entry = start[row]; entry < start[row + 1]; ++entry) {
      std::int32_t neighbour = -1;
      candidates.for_each_entry(row, [&](index_t candidate) {
        std::int32_t const j = candidates.neighbour(candidate);
        if (gid[j] == entries[entry].neighbour)
          neighbour = j;
      });
      view.add(row, entries[entry].gap, neighbour,
               static_cast<std::int32_t>(entries[entry].born));
    }
  }
};

/// Copies rows out of their structure; all neighbours must be present. `gid` is by local index.
template <class View>
CarriedRows carried(View const& view, index_t const* gid)
{
  RaggedRows<> const flat("strata::contact carried rows", view.rows(), LengthOf<View>{view});
  CarriedRows rows(view.rows(), flat.entries());
  for_each(view.rows(),
           CopyEntries<View>{view, flat.view(), gid, rows.entries.data(), rows.start.data()});
  Kokkos::fence(); // before the offsets go
  return rows;
}

/// Writes carried rows into a structure whose candidates are known.
template <class Rows>
void take(Rows& rows, CarriedRows const& carried, CandidatesView const& candidates,
          index_t const* gid)
{
  rows.build([&](auto const& view) {
    return TakeEntries<std::decay_t<decltype(view)>>{
        view, candidates, gid, carried.entries.data(), carried.start.data()};
  });
  Kokkos::fence();
}

} // namespace strata::contact
