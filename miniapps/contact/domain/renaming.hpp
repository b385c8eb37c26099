#pragma once

#include "population.hpp"

#include "search/candidates.hpp"

#include <cstdint>

namespace strata::contact {

/// Looks up the new local indices of an entry's neighbours by gid among the row's candidates;
/// −1 if absent. Own objects keep their index, unless one may have wrapped around a periodic
/// box and its ghost is the neighbour now.
template <class View>
struct RenameNeighbours
{
  static constexpr char const* name() { return "strata::contact::RenameNeighbours"; }
  View view;
  CandidatesView candidates;
  GhostGids before;
  index_t const* gid;
  bool periodic;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    view.for_each_entry(row, [&](auto entry) {
      std::int32_t& neighbour = view.neighbour(entry);
      bool const ghost = neighbour >= before.first;
      if (neighbour < 0 || (!ghost && !periodic))
        return;
      index_t const number = neighbour - before.first;
      if (number >= before.count) { // nobody's: a fault, which no check may trip over
        neighbour = -1;
        return;
      }
      index_t const sought = ghost ? before.gid[number] : gid[neighbour];
      neighbour = -1;
      candidates.for_each_entry(row, [&](index_t candidate) {
        std::int32_t const j = candidates.neighbour(candidate);
        if (gid[j] == sought)
          neighbour = j;
      });
    });
  }
};

} // namespace strata::contact
