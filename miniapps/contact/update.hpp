#pragma once

#include "candidates.hpp"
#include "contact_rows.hpp"
#include "geometry.hpp"
#include "population.hpp"

#include <type_traits>

namespace strata::contact {

/// Contacts that began and ended.
struct Changes
{
  tally_t began = 0;
  tally_t ended = 0;
};

/// The narrow phase as an update needs it: objects by local index.
template <class Touch>
struct Now
{
  Touch touch;

  KOKKOS_FUNCTION bool is(index_t i, index_t j) const
  {
    return touch.in.counts(i, j) && touch.near(i, j) && touch.touch(i, j);
  }
  KOKKOS_FUNCTION double gap(index_t i, index_t j) const
  {
    return touch.in.quantised(touch.distance(i, j));
  }
};

/// Entries find their neighbours under their new numbers among the row's candidates; −1 where
/// they are gone. Own objects keep theirs, unless one may have wrapped around a periodic box
/// and left its ghost where it was.
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
      if (!ghost && !periodic)
        return;
      index_t const sought = ghost ? before.gid[neighbour - before.first] : gid[neighbour];
      neighbour = -1;
      candidates.for_each_entry(row, [&](index_t candidate) {
        std::int32_t const j = candidates.neighbour(candidate);
        if (gid[j] == sought)
          neighbour = j;
      });
    });
  }
};

/// Entries of a row that have ended go, those that stay keep their birth, begun ones come.
template <class Touch, class View>
struct UpdateRow
{
  static constexpr char const* name() { return "strata::contact::UpdateRow"; }
  Now<Touch> now;
  CandidatesView candidates;
  View view;
  Changes* changes;
  std::int32_t step;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    index_t const ended = view.remove_if(
        row,
        [&](auto entry) {
          index_t const j = view.neighbour(entry);
          if (j < 0 || !now.is(row, j))
            return true;
          view.gap(entry) = now.gap(row, j);
          return false;
        },
        [&](auto to, auto from) { view.move(to, from); });
    index_t began = 0;
    candidates.for_each_entry(row, [&](index_t candidate) {
      index_t const j = candidates.neighbour(candidate);
      if (!now.is(row, j))
        return;
      bool there = false;
      view.for_each_entry(row, [&](auto entry) { there |= view.neighbour(entry) == j; });
      if (!there && view.add(row, now.gap(row, j), static_cast<std::int32_t>(j), step))
        ++began;
    });
    if (began > 0)
      Kokkos::atomic_add(&changes->began, static_cast<tally_t>(began));
    if (ended > 0)
      Kokkos::atomic_add(&changes->ended, static_cast<tally_t>(ended));
  }
};

/// A row written anew where nothing can change in place: what was in the old one keeps its
/// birth.
template <class Touch, class Old, class View>
struct RewriteRow
{
  static constexpr char const* name() { return "strata::contact::RewriteRow"; }
  Now<Touch> now;
  CandidatesView candidates;
  Old old;
  View view;
  Changes* changes;
  std::int32_t step;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    index_t began = 0;
    index_t kept = 0;
    candidates.for_each_entry(row, [&](index_t candidate) {
      index_t const j = candidates.neighbour(candidate);
      if (!now.is(row, j))
        return;
      std::int32_t born = -1;
      old.for_each_entry(row, [&](auto entry) {
        if (old.neighbour(entry) == static_cast<std::int32_t>(j))
          born = old.born(entry);
      });
      if (view.add(row, now.gap(row, j), static_cast<std::int32_t>(j), born < 0 ? step : born))
        ++(born < 0 ? began : kept);
    });
    if constexpr (std::is_base_of_v<RaggedCountView, View>)
      return;
    index_t const ended = old.length(row) - kept;
    if (began > 0)
      Kokkos::atomic_add(&changes->began, static_cast<tally_t>(began));
    if (ended > 0)
      Kokkos::atomic_add(&changes->ended, static_cast<tally_t>(ended));
  }
};

} // namespace strata::contact
