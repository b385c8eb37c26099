#pragma once

#include "base/bit_word.hpp"
#include "grid/cell_table.hpp"

#include <cstdint>
#include <limits>

// The candidates of crowded rows, which are more than KeptBits has bits, on a device.

namespace strata::contact {

/// The candidates of the slots of a cell in one sequence of places, stretch after stretch, for
/// all members of a team: each has every `Team::size`-th place, from its rank on. Members go
/// through them in rounds of `Each` places a member.
template <class Team, int Each>
class CrowdedCandidates
{
public:
  static constexpr int stretches = 32; ///< NearStretches and, behind them, an endless one
  static_assert(NearStretches::most < stretches);
  static constexpr std::int32_t endless = std::numeric_limits<std::int32_t>::max();
  static constexpr int round = Each * Team::size; ///< places
  static_assert(Each < 32);

  /// What the members share.
  struct Shared
  {
    std::int32_t end[stretches];   ///< place behind a stretch
    std::int32_t shift[stretches]; ///< from a place in it to the slot
    std::uint8_t stretch[round];   ///< of each place of the round that a cursor has passed
  };

  /// `slot` is in the cell. Called by all members.
  KOKKOS_FUNCTION CrowdedCandidates(Team const& team, Shared& shared, index_t slot,
                                    NearStretches const& near)
      : shared_(shared)
      , rank_(team.rank())
  {
    for (int base = 0; base < stretches; base += Team::size) {
      int const n = base + team.rank();
      bool const is_one = n < near.count();
      std::int32_t first = 0;
      std::int32_t last = 0;
      if (is_one)
        near.get(n, first, last);
      std::int32_t const begin = count_ + team.before(last - first);
      shared.end[n] = is_one ? begin + last - first : endless;
      shared.shift[n] = is_one ? first - begin : 0;
      auto const has_slot = team.ballot(first <= slot && slot < last);
      if (has_slot != 0)
        shift_of_cell_ =
            team.template value_of<Team::size>(first - begin, lowest_bit(has_slot));
      count_ = team.template value_of<Team::size>(begin + last - first, Team::size - 1);
    }
    team.barrier();
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int32_t count() const { return count_; }

  /// Gives the slots of this member's places one after another, and notes their stretches;
  /// behind the last candidate, any number up to that of the places.
  class Cursor
  {
  public:
    KOKKOS_FUNCTION Cursor(Shared& shared, std::int32_t place)
        : shared_(shared)
        , place_(place)
        , end_(shared.end[0])
        , shift_(shared.shift[0])
    {
    }
    KOKKOS_FUNCTION std::int32_t next()
    {
      while (place_ >= end_) {
        ++stretch_;
        end_ = shared_.end[stretch_];
        shift_ = shared_.shift[stretch_];
      }
      std::int32_t const slot = place_ + shift_;
      shared_.stretch[place_ % round] = static_cast<std::uint8_t>(stretch_);
      place_ += Team::size;
      return slot;
    }

  private:
    Shared& shared_;
    std::int32_t place_;
    std::int32_t end_;
    std::int32_t shift_;
    int stretch_ = 0;
  };
  /// From the first place of this member on.
  [[nodiscard]] KOKKOS_FUNCTION Cursor cursor() const { return {shared_, rank_}; }

  /// How many places a member has in the round that begins at `from`, at most.
  [[nodiscard]] KOKKOS_FUNCTION int steps(std::int32_t from) const
  {
    std::int32_t const left = (count_ - from + Team::size - 1) / Team::size;
    return left < Each ? left : Each;
  }
  /// Of this member's places of the round that begins at `from`, a bit for each that is a
  /// candidate of a slot of the cell, and not that slot.
  [[nodiscard]] KOKKOS_FUNCTION std::uint32_t there(std::int32_t from, index_t slot) const
  {
    std::int32_t const first = from + rank_;
    std::int32_t const left = (count_ - first + Team::size - 1) / Team::size;
    int const count = left < Each ? (left > 0 ? left : 0) : Each;
    std::uint32_t bits = (std::uint32_t{1} << count) - 1;
    std::int32_t const to_own = static_cast<std::int32_t>(slot) - shift_of_cell_ - first;
    if (to_own >= 0 && to_own % Team::size == 0 && to_own / Team::size < Each)
      bits &= ~(std::uint32_t{1} << to_own / Team::size);
    return bits;
  }
  /// The slot of place `from + number` of the present round, which begins at `from`. A cursor
  /// has passed it; if that was another member's, a barrier followed.
  [[nodiscard]] KOKKOS_FUNCTION std::int32_t slot(std::int32_t from, int number) const
  {
    return from + number + shared_.shift[shared_.stretch[number]];
  }

private:
  Shared& shared_;
  int rank_;
  std::int32_t count_ = 0;
  std::int32_t shift_of_cell_ = 0;
};

} // namespace strata::contact
