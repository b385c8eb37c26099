#pragma once

#include "contact_rows.hpp"
#include "geometry.hpp"
#include "population.hpp"

#include <type_traits>

namespace strata::contact {

/// Neighbours only, in rows one after another: what may come to touch before the grid is made
/// anew.
template <class RowsView>
struct CandidatesView : RowsView
{
  std::int32_t* neighbours;

  KOKKOS_FUNCTION bool add(index_t row, double, std::int32_t neighbour, std::int32_t) const
  {
    index_t const entry = this->append(row);
    if (entry >= 0)
      neighbours[entry] = neighbour;
    return entry >= 0;
  }
  KOKKOS_FUNCTION std::int32_t neighbour(index_t entry) const { return neighbours[entry]; }
};

class Candidates
{
public:
  Candidates(index_t rows, RowOptions const& options)
      : options_(options)
      , rows_("strata::contact candidates", rows)
      , neighbours_("strata::contact candidates' neighbours", Dynamic<1>(0))
  {
  }
  template <class KernelOf>
  void build(KernelOf const& kernel_of)
  {
    for_each(rows_.rows(), kernel_of(with(rows_.counting())));
    check_slots("strata::contact candidates", rows_.index(), options_);
    reserve(neighbours_, rows_.entries());
    for_each(rows_.rows(), kernel_of(with(rows_.filling())));
  }
  [[nodiscard]] auto view() const { return with(rows_.view()); }
  [[nodiscard]] index_t entries() const { return rows_.entries(); }

private:
  template <class View>
  [[nodiscard]] CandidatesView<View> with(View const& view) const
  {
    return {view, neighbours_.data()};
  }
  RowOptions options_;
  RaggedRows<> rows_;
  EntryValues<std::int32_t> neighbours_;
};

/// Contacts that began and ended.
struct Changes
{
  unsigned long long began = 0;
  unsigned long long ended = 0;
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
template <class Candidate, class View>
struct RenameNeighbours
{
  static constexpr char const* name() { return "strata::contact::RenameNeighbours"; }
  View view;
  Candidate candidates;
  GhostGids before;
  index_t const* gid;
  bool periodic;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    view.for_each_entry(row, [&](index_t entry) {
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
template <class Touch, class Candidate, class View>
struct UpdateRow
{
  static constexpr char const* name() { return "strata::contact::UpdateRow"; }
  Now<Touch> now;
  Candidate candidates;
  View view;
  Changes* changes;
  std::int32_t step;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    index_t const ended = view.remove_if(
        row,
        [&](index_t entry) {
          index_t const j = view.neighbour(entry);
          if (j < 0 || !now.is(row, j))
            return true;
          view.gap(entry) = now.gap(row, j);
          return false;
        },
        [&](index_t to, index_t from) { view.move(to, from); });
    index_t began = 0;
    candidates.for_each_entry(row, [&](index_t candidate) {
      index_t const j = candidates.neighbour(candidate);
      if (!now.is(row, j))
        return;
      bool there = false;
      view.for_each_entry(row, [&](index_t entry) { there |= view.neighbour(entry) == j; });
      if (!there && view.add(row, now.gap(row, j), static_cast<std::int32_t>(j), step))
        ++began;
    });
    if (began > 0)
      Kokkos::atomic_add(&changes->began, static_cast<unsigned long long>(began));
    if (ended > 0)
      Kokkos::atomic_add(&changes->ended, static_cast<unsigned long long>(ended));
  }
};

/// A row written anew where nothing can change in place: what was in the old one keeps its
/// birth.
template <class Touch, class Candidate, class Old, class View>
struct RewriteRow
{
  static constexpr char const* name() { return "strata::contact::RewriteRow"; }
  Now<Touch> now;
  Candidate candidates;
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
      old.for_each_entry(row, [&](index_t entry) {
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
      Kokkos::atomic_add(&changes->began, static_cast<unsigned long long>(began));
    if (ended > 0)
      Kokkos::atomic_add(&changes->ended, static_cast<unsigned long long>(ended));
  }
};

} // namespace strata::contact
