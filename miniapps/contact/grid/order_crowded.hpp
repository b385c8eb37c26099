#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <cstdint>

namespace strata::contact {

/// Sorts the objects of cells that a list names, on a device: a team's members sort a cell
/// together. The result does not depend on the order of the list.
template <class Before>
struct OrderCrowdedCells
{
  static constexpr char const* name() { return "strata::contact::OrderCrowdedCells"; }
  static constexpr int members = 256;
  static constexpr unsigned teams_at_once = 4;

  Before before; ///< of two objects, none of which are equal
  std::int32_t const* start;
  std::int32_t* order;
  std::int32_t const* crowded;
  std::int32_t const* count;
  index_t teams;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    index_t const cells = *count;
    for (index_t n = team.index(); n < cells; n += teams) {
      std::int32_t const cell = crowded[n];
      sort(team, order + start[cell], start[cell + 1] - start[cell]);
    }
  }

private:
  /// Bitonic sort (K. E. Batcher, "Sorting networks and their applications", 1968), whose
  /// exchanges all go the same way: each merge begins with that of mirrored places. Places
  /// behind the last object would hold the greatest, which stay where they are.
  template <class Team>
  KOKKOS_FUNCTION void sort(Team const& team, std::int32_t* first, index_t objects) const
  {
    for (index_t half = 1; half < objects; half *= 2) {
      exchange(team, first, objects, half, 2 * half - 1);
      for (index_t distance = half / 2; distance > 0; distance /= 2)
        exchange(team, first, objects, distance, distance);
    }
  }
  /// Orders each place whose number has not the bit `lower` and the one whose number differs in
  /// the bits of `mask`.
  template <class Team>
  KOKKOS_FUNCTION void exchange(Team const& team, std::int32_t* first, index_t objects,
                                index_t lower, index_t mask) const
  {
    for (index_t pair = team.rank();; pair += Team::size) {
      index_t const low = (pair & ~(lower - 1)) * 2 | (pair & (lower - 1));
      index_t const high = low ^ mask;
      if (low >= objects)
        break;
      if (high < objects) {
        std::int32_t const a = first[low];
        std::int32_t const b = first[high];
        if (before(b, a)) {
          first[low] = b;
          first[high] = a;
        }
      }
    }
    team.barrier();
  }
};

} // namespace strata::contact
