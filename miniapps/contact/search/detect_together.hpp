#pragma once

#include "kept_queue.hpp"
#include "kept_rows.hpp"
#include "row_views.hpp"

#include "array/launch/team.hpp"
#include "base/bit_word.hpp"
#include "grid/cell_table.hpp"
#include "grid/coarse.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// A search on a device by teams: each member tests the candidates of one slot, and all set the
// entries that were found together.

namespace strata::contact {

/// How many teams of this device go through so many slots.
inline index_t search_teams(index_t slots)
{
  constexpr index_t size = device_is_host ? 1 : 32;
  return (slots + size - 1) / size;
}

/// A test without a coarse one.
struct NoCoarse
{
};

/// Kernel is a Detect, whose rows were empty before. Members go through the stretches of cells
/// together and keep the slots that touch in scratch memory. Entries, whose gaps take a root,
/// are set by all members in the order of memory, as many at once as there are members: of one
/// row after another each would wait for the longest, and store in pieces of cache lines.
template <class Kernel, class Coarsely = NoCoarse>
struct DetectTogether
{
  using View = decltype(Kernel::view);
  static constexpr int members = 32;
  static constexpr bool counts = OnlyCounts<View>;
  static constexpr bool keeps = counts && Keeps<View>;
  static constexpr bool recalls = !counts && Keeps<View>;
  /// To DetectCrowded, which is for devices whose teams have groups, and for their tests.
  static constexpr bool leaves_crowded = device_is_host || team_has_groups;

  /// Where the entries of a row that are not yet set begin.
  struct NextEntry
  {
    std::int32_t row;
    std::int32_t number;
  };
  static constexpr bool rows_are_contiguous = [] {
    if constexpr (SetsByNumber<View>)
      return View::contiguous;
    else
      return false;
  }();

  /// What a team has found of its rows and not yet set.
  struct Found
  {
    static constexpr int room = 32; ///< entries of a row
    static constexpr int some = 16; ///< candidates of a row that are tested at once

    std::int32_t slot[members][room + 1]; ///< one more, for other memory banks
    std::conditional_t<rows_are_contiguous, index_t, NextEntry> next[members];
    std::int16_t before[members + 1]; ///< entries of the rows before each; at last all
  };

  static constexpr char const* name() { return Kernel::name(); }
  static constexpr unsigned teams_at_once = counts    ? 32
                                            : recalls ? 24
                                                      : 28; ///< by their registers
  static constexpr std::size_t scratch_bytes = counts ? 0 : (sizeof(Found) + 15) / 16 * 16;

  Kernel detect;
  Coarsely coarse;
  index_t slots;
  index_t rows;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    auto const& in = detect.touch.in;
    index_t const slot = team.index() * Team::size + team.rank();
    index_t const own = slot < slots ? slot : slots - 1; // that may be read
    index_t const row = in.order[own];
    bool more = slot < slots && row < rows; // others' objects and images have no row
    Found* found = nullptr;
    if constexpr (!counts)
      found = static_cast<Found*>(team.scratch());
    NearStretches stretches(detect.cells, in.at[0][own], in.at[1][own], in.at[2][own]);
    auto const one = one_of(own);
    KeptQueue kept; // of the row, for its second launch
    if constexpr (recalls)
      if (more) {
        kept = KeptQueue(detect.view.kept(own));
        more = kept.fits() || !leaves_crowded;
      }
    std::int32_t first = 0;
    std::int32_t last = 0;
    std::int32_t first_ahead = 0; // of the next stretch, read while there is one
    std::int32_t last_ahead = 0;
    bool ahead = !counts && more && stretches.next(first_ahead, last_ahead);
    int count = 0; // entries found, of those not yet set
    index_t done = 0;
    for (bool any = true; any;) {
      if (more && first == last) {
        if constexpr (counts) { // has no registers for more
          more = stretches.next(first, last);
        } else {
          more = ahead;
          first = first_ahead;
          last = last_ahead;
          ahead = more && stretches.next(first_ahead, last_ahead);
        }
      }
      any = team.any(more);
      int const left = more ? last - first : 0;
      int const some = left < Found::some ? left : Found::some;
      if constexpr (!counts)
        if (!any || team.any(count + some > Found::room)) {
          done += set_found(team, *found, row, own, count, done);
          count = 0;
        }
      bool const is_known = recalls && (leaves_crowded || kept.fits());
      auto bits = is_known ? kept.take(some) : tested(one, own, row, first, some);
      if constexpr (keeps)
        kept.put(bits, some);
      if constexpr (counts)
        count += bits_set(bits);
      else
        for (; bits != 0; bits &= bits - 1)
          found->slot[team.rank()][count++] = first + lowest_bit(bits);
      first += some;
    }
    bool const has_row = slot < slots && row < rows;
    if constexpr (keeps) {
      bool const is_crowded = team.any(has_row && !kept.fits());
      if (team.rank() == 0)
        detect.view.crowded.set(team.index(), is_crowded);
    }
    if (!has_row)
      return;
    if constexpr (keeps)
      detect.view.kept(own) = kept.kept();
    if constexpr (counts)
      detect.view.count(row, count);
  }

private:
  KOKKOS_FUNCTION auto one_of([[maybe_unused]] index_t slot) const
  {
    if constexpr (std::is_same_v<Coarsely, NoCoarse>)
      return NoCoarse{};
    else
      return coarse.of(slot);
  }

  /// Of the slots [first, first + some), a bit for each that is an entry of the row.
  template <class One>
  KOKKOS_FUNCTION std::uint32_t tested(One const& one, index_t slot, index_t row,
                                       std::int32_t first, int some) const
  {
    std::uint32_t near = 0;
    if constexpr (std::is_same_v<Coarsely, NoCoarse>)
      near = exactly(slot, first, some);
    else if (!coarse.near(one, first, some, near))
      near = exactly(slot, first, some);
    auto const self = static_cast<std::uint32_t>(slot) - static_cast<std::uint32_t>(first);
    if (self < static_cast<std::uint32_t>(some))
      near &= ~(std::uint32_t{1} << self);
    if (!detect.near_is_entry())
      for (auto left = near; left != 0; left &= left - 1)
        if (!detect.is_entry(row, slot, first + lowest_bit(left)))
          near ^= left & -left;
    return near;
  }
  KOKKOS_FUNCTION std::uint32_t exactly(index_t slot, index_t first, int some) const
  {
    std::uint32_t near = 0;
    for (int k = 0; k < some; ++k)
      near |= static_cast<std::uint32_t>(detect.touch.near(slot, first + k)) << k;
    return near;
  }

  /// Sets `count` entries of each member's row; returns how many of this member's were set by
  /// number. Those for which its row has no room follow one by one.
  template <class Team>
  KOKKOS_FUNCTION index_t set_found(Team const& team, Found& found, index_t row, index_t slot,
                                    int count, index_t done) const
  {
    auto const& view = detect.view;
    int numbered = 0;
    if constexpr (SetsByNumber<View>) {
      if (count > 0) {
        index_t const room = view.capacity(row) - done;
        numbered = static_cast<int>(count < room ? count : room);
      }
      int const before = team.before(numbered);
      found.before[team.rank()] = static_cast<std::int16_t>(before);
      if (team.rank() == Team::size - 1)
        found.before[Team::size] = static_cast<std::int16_t>(before + numbered);
      if constexpr (rows_are_contiguous)
        found.next[team.rank()] = count > 0 ? view.entry(row, done) : 0;
      else
        found.next[team.rank()] = {static_cast<std::int32_t>(row),
                                   static_cast<std::int32_t>(done)};
      team.barrier();
      set_by_number(team, found);
      if constexpr (Extends<View>)
        if (numbered > 0)
          view.extend(row, numbered);
    }
    if constexpr (!recalls) // a second pass has room for what the first one counted
      for (int k = numbered; k < count; ++k)
        detect.add(detect.touch, row, slot, found.slot[team.rank()][k]);
    team.barrier(); // before others' are found
    return numbered;
  }
  template <class Team>
  KOKKOS_FUNCTION void set_by_number(Team const& team, Found const& found) const
  {
    auto const& in = detect.touch.in;
    index_t const first_slot = team.index() * Team::size;
    int const all = found.before[Team::size];
    for (int entry = team.rank(); entry < all; entry += Team::size) {
      int member = 0; // the last that begins before or here
      for (int half = Team::size / 2; half > 0; half /= 2)
        member += found.before[member + half] <= entry ? half : 0;
      int const k = entry - found.before[member];
      index_t const j = found.slot[member][k];
      auto const next = found.next[member];
      index_t place = 0;
      if constexpr (rows_are_contiguous)
        place = next + k;
      else
        place = detect.view.entry(next.row, next.number + k);
      detect.view.set(place, detect.touch.gap(first_slot + member, j), in.order[j],
                      detect.step);
    }
  }
};

} // namespace strata::contact
