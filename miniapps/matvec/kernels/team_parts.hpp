#pragma once

#include "tuning.hpp"

#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

namespace strata::matvec {

/// Memory for the sums of teams of a GPU that share rows: each team stores its part of a sum,
/// and the last one adds all parts in the order of their numbers, so that one launch suffices.
/// A ticket is 0 before a launch and after it.
template <class T>
struct TeamParts
{
  T* values;         ///< of all parts
  unsigned* tickets; ///< one for each block of rows
  int parts = 1;     ///< that the columns are split into

  /// Whether this team is the last of `parts` teams that call it for the block; it then sees
  /// what all of them stored before. Every member calls it.
  template <class Team>
  KOKKOS_FUNCTION bool is_last(Team const& team, int block) const
  {
    Kokkos::memory_fence(); // of each member: its sums before the ticket
    team.barrier();
    bool last = false;
    if (team.rank() == 0) {
      unsigned const before = Kokkos::atomic_fetch_add(tickets + block, 1U);
      last = before + 1 == static_cast<unsigned>(parts);
      if (last)
        tickets[block] = 0;
    }
    last = team.any(last);
    Kokkos::memory_fence();
    return last;
  }
  /// Σ values[first + k step] over k = begin, begin + by, ... below `parts`, which other teams
  /// stored: past caches that do not see their stores. All loads of some parts come first.
  [[nodiscard]] KOKKOS_FUNCTION T sum(index_t first, index_t step, int begin, int by) const
  {
    constexpr int unroll = tuning::sums_at_once;
    T total{};
    for (int k = begin; k < parts; k += unroll * by) {
      T part[unroll];
      unrolled<unroll>([&](auto n) {
        int const at = k + n * by;
        part[n] = at < parts ? atomic_load(values + first + at * step) : T{};
      });
      for (int half = unroll / 2; half > 0; half /= 2)
        for (int n = 0; n < half; ++n)
          part[n] += part[n + half];
      total += part[0];
    }
    return total;
  }
};

} // namespace strata::matvec
