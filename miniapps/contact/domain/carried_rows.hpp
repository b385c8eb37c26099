#pragma once

#include "array/launch/for_each.hpp"
#include "array/ragged/ragged.hpp"
#include "rows/row_kernels.hpp"
#include "search/candidates.hpp"

#include <cstdint>
#include <vector>

namespace strata::contact {

/// Rows of contacts in transit between ranks: one after another on the host, in no structure,
/// with neighbours by gid.
struct CarriedRows
{
  struct Entry
  {
    index_t neighbour;
    double gap;
    std::int64_t born;
  };
  std::vector<index_t> start; ///< of a row's entries; one more than there are rows
  std::vector<Entry> entries;
};

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
    start[row] = to;
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

/// Copies rows to the host; all neighbours must be present. `gid` is by local index.
template <class View>
CarriedRows carried(View const& view, index_t const* gid)
{
  RaggedRows<> const flat("strata::contact carried rows", view.rows(), LengthOf<View>{view});
  DeviceVector<CarriedRows::Entry> entries("carried entries");
  DeviceVector<index_t> start("carried rows");
  entries.reserve(flat.entries());
  start.upload({0}); // where there are no rows
  start.reserve(view.rows() + 1, 1);
  for_each(view.rows(),
           CopyEntries<View>{view, flat.view(), gid, entries.data(), start.data()});
  return {start.download(view.rows() + 1), entries.download(flat.entries())};
}

/// Writes carried rows into a structure whose candidates are known.
template <class Rows>
void take(Rows& rows, CarriedRows const& carried, CandidatesView const& candidates,
          index_t const* gid)
{
  DeviceVector<CarriedRows::Entry> entries("carried entries");
  DeviceVector<index_t> start("carried rows");
  entries.upload(carried.entries);
  start.upload(carried.start);
  rows.build([&](auto const& view) {
    return TakeEntries<std::decay_t<decltype(view)>>{view, candidates, gid, entries.data(),
                                                     start.data()};
  });
  Kokkos::fence();
}

} // namespace strata::contact
