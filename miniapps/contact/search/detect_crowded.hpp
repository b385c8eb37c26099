#pragma once

#include "crowded_candidates.hpp"
#include "detect_together.hpp"

#include "array/access/access.hpp"
#include "grid/coarse.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strata::contact {

/// The rows that a DetectTogether leaves, which have more candidates than KeptBits has bits.
/// Members of a team test neighbouring candidates of rows whose slots are in one cell, so that
/// each is loaded once for these rows, and set neighbouring entries of one row. Launched in the
/// order of slots: candidates stay in caches.
template <class Kernel, class Coarsely = NoCoarse>
struct DetectCrowded
{
  static constexpr char const* name() { return "strata::contact::DetectCrowded"; }
  static constexpr int members = 32;
  static constexpr int abreast = 4;             ///< rows
  static constexpr int tests = 16;              ///< of a member, one after another
  static constexpr int unrolled = 4;            ///< tests listed in one unrolled step
  static constexpr unsigned teams_at_once = 24; ///< by their registers

  template <class Team>
  using Candidates = CrowdedCandidates<Team, tests>;
  /// What a team of so many members shares.
  template <class Team>
  struct Shared
  {
    typename Candidates<Team>::Shared candidates;
    std::uint16_t is_entry[abreast][Team::size]; ///< of each member, a bit for each test
    std::uint16_t found[tests * Team::size]; ///< entries of a row, counted from the first test
  };
  static_assert(tests <= 16 && tests % unrolled == 0 && tests % CoarseSpheres::at_once == 0);
  struct Members
  {
    static constexpr int size = members;
  };
  static constexpr std::size_t scratch_bytes = (sizeof(Shared<Members>) + 15) / 16 * 16;
  static_assert(scratch_bytes <= 2048, "four teams share a block of threads");

  Kernel detect;
  Coarsely coarse;
  index_t slots;
  index_t rows;

  /// How many teams share the slots of one of DetectTogether.
  static constexpr KOKKOS_FUNCTION index_t parts_of(index_t size)
  {
    return (size + abreast - 1) / abreast;
  }
  [[nodiscard]] static index_t teams(index_t slots)
  {
    return parts_of(device_is_host ? 1 : members) * search_teams(slots);
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    constexpr index_t parts = parts_of(Team::size);
    index_t const together = team.index() / parts;
    if (detect.view.crowded.is[together] != 0)
      visit(team, *static_cast<Shared<Team>*>(team.scratch()),
            together * Team::size + team.index() % parts * abreast);
  }

private:
  using ReadOnly = AccessReadOnly::accessor<std::int32_t const>;

  /// Sets the rows of `abreast` slots from the first one on that are crowded.
  template <class Team>
  KOKKOS_FUNCTION void visit(Team const& team, Shared<Team>& shared, index_t first) const
  {
    auto const& in = detect.touch.in;
    auto const& view = detect.view;
    index_t const slot = first + team.rank();
    index_t const own = slot < slots ? slot : slots - 1; // that may be read
    index_t const row = in.order[own];
    bool crowded = team.rank() < abreast && slot < slots && row < rows;
    index_t begin = 0;
    int room = 0; // for entries: as many as were counted
    if (crowded) {
      crowded = !KeptQueue(view.kept(own)).fits();
      begin = view.entry(row, 0);
      room = static_cast<int>(view.capacity(row));
    }
    std::int32_t cell[3];
    for (int k = 0; k < 3; ++k)
      cell[k] = static_cast<std::int32_t>(detect.cells.along(k, in.at[k][own]));
    int done = 0; // entries of this member's row
    for (auto left = team.ballot(crowded); left != 0;) {
      int const lead = lowest_bit(left);
      bool alike = crowded;
      for (int k = 0; k < 3; ++k) {
        auto const of_lead = team.template value_of<Team::size>(cell[k], lead); // called by all
        alike = alike && cell[k] == of_lead;
      }
      auto const now = team.ballot(alike) & left;
      fill(team, shared, first, now, begin, room, done);
      left &= ~now;
    }
  }
  /// Sets the rows of a cell's slots, a bit each of `now`. Members of those ranks know where
  /// their row begins and how many of its entries are set.
  template <class Team>
  KOKKOS_FUNCTION void fill(Team const& team, Shared<Team>& shared, index_t first,
                            std::uint32_t now, index_t begin, int room, int& done) const
  {
    auto const& in = detect.touch.in;
    index_t const slot = first + lowest_bit(now);
    Candidates<Team> const candidates(
        team, shared.candidates, slot,
        NearStretches(detect.cells, in.at[0][slot], in.at[1][slot], in.at[2][slot]));
    auto cursor = candidates.cursor();
    auto const few = few_of(first);
    for (std::int32_t from = 0; from < candidates.count(); from += Candidates<Team>::round) {
      test(team, few, candidates, cursor, first, now, from, shared);
      team.barrier(); // shows candidates' stretches, and joins members that tested in doubt
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
      for (auto left = now; left != 0; left &= left - 1) {
        int const r = lowest_bit(left);
        int const count = list_entries(team, shared, r, candidates.steps(from));
        index_t const to = team.template value_of<Team::size>(begin + done, r);
        int const left_room = team.template value_of<Team::size>(room - done, r);
        if (team.rank() == r)
          done += count;
        team.barrier();
        set(team, shared, candidates, first + r, from, count < left_room ? count : left_room,
            to);
        team.barrier(); // before others are found
      }
    }
  }
  /// Lists the entries of a row that so many steps have found, in their order; returns how many
  /// there are.
  template <class Team>
  KOKKOS_FUNCTION int list_entries(Team const& team, Shared<Team>& shared, int r,
                                   int steps) const
  {
    std::uint32_t const before = (std::uint32_t{1} << team.rank()) - 1;
    std::uint32_t const entries = shared.is_entry[r][team.rank()];
    int count = 0; // tests from `steps` on have no bits
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int first = 0; first < tests; first += unrolled) {
      if (first >= steps)
        break;
      for (int step = first; step < first + unrolled; ++step) {
        // By the sign: of `entries >> step & 1`, nvcc 13.0 makes two predicates.
        bool const is = static_cast<std::int32_t>(entries << (31 - step)) < 0;
        auto const votes = team.ballot(is);
        if (is)
          shared.found[count + bits_set(votes & before)] =
              static_cast<std::uint16_t>(step * Team::size + team.rank());
        count += bits_set(votes);
      }
    }
    return count;
  }
  template <class Team>
  KOKKOS_FUNCTION void set(Team const& team, Shared<Team> const& shared,
                           Candidates<Team> const& candidates, index_t slot, std::int32_t from,
                           int count, index_t to) const
  {
    auto const& in = detect.touch.in;
    auto const set_by = [&](auto const& gap_of) {
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
      for (int k = team.rank(); k < count; k += Team::size) {
        index_t const j = candidates.slot(from, shared.found[k]);
        // A read-only load: the compiler keeps it ahead of the gap's square root.
        auto const neighbour = ReadOnly::access(in.order, static_cast<std::size_t>(j));
        detect.view.set(to + k, gap_of(j), neighbour, detect.step);
      }
    };
    if constexpr (requires { detect.touch.of(slot); })
      set_by([&, one = detect.touch.of(slot)](index_t j) { return one.gap(slot, j); });
    else
      set_by([&](index_t j) { return detect.touch.gap(slot, j); });
  }

  KOKKOS_FUNCTION auto few_of([[maybe_unused]] index_t first) const
  {
    if constexpr (std::is_same_v<Coarsely, NoCoarse>)
      return NoCoarse{};
    else
      return coarse.template few<abreast>(first, slots);
  }
  /// Sets bits for this member's next candidates, those that are entries of each of the rows.
  template <class Team, class Few>
  KOKKOS_FUNCTION void test(Team const& team, Few const& few,
                            Candidates<Team> const& candidates,
                            typename Candidates<Team>::Cursor& cursor, index_t first,
                            std::uint32_t now, std::int32_t from, Shared<Team>& shared) const
  {
    int const rank = team.rank();
    std::uint32_t in_doubt = ~std::uint32_t{0}; // a bit for each row
    std::uint32_t near[abreast] = {};
    int const steps = candidates.steps(from);
    if constexpr (std::is_same_v<Coarsely, NoCoarse>)
      for (int step = 0; step < steps; ++step)
        cursor.next();
    else
      in_doubt = coarse.near(few, steps, [&] { return cursor.next(); }, near);
    for (int r = 0; r < abreast; ++r)
      if ((now >> r & 1) != 0) {
        auto const there = candidates.there(from, first + r);
        shared.is_entry[r][rank] =
            static_cast<std::uint16_t>((in_doubt >> r & 1) != 0 ? there : near[r] & there);
      }
    // All members take this branch or none: where each took it by itself, code of nvcc 13.0 did
    // not join them before the ballots that follow.
    if (team.any(in_doubt != 0) || !detect.near_is_entry())
      for (auto rest = now; rest != 0; rest &= rest - 1) {
        int const r = lowest_bit(rest);
        bool const sure = (in_doubt >> r & 1) == 0;
        if (!sure || !detect.near_is_entry())
          shared.is_entry[r][rank] = static_cast<std::uint16_t>(
              tested(candidates, shared.is_entry[r][rank], from, rank, first + r, sure));
      }
  }
  /// Of this member's candidates that may be entries, a bit for each test, those that are.
  template <class Team>
  KOKKOS_FUNCTION std::uint32_t tested(Candidates<Team> const& candidates, std::uint32_t may_be,
                                       std::int32_t from, int rank, index_t slot,
                                       bool are_near) const
  {
    index_t const row = detect.touch.in.order[slot];
    auto are = may_be;
    for (auto left = may_be; left != 0; left &= left - 1) {
      index_t const j = candidates.slot(from, rank + lowest_bit(left) * Team::size);
      if (!(are_near || detect.touch.near(slot, j)) ||
          !(detect.near_is_entry() || detect.is_entry(row, slot, j)))
        are ^= left & -left;
    }
    return are;
  }
};

} // namespace strata::contact
