#pragma once

#include "row_group.hpp"

#include "base/bit_word.hpp"

#include <cstddef>
#include <cstdint>

namespace strata::contact {

/// Rows that a member of a team looks at before it folds any, and values of a listed row that
/// it loads at once, by measurement.
inline constexpr int rows_looked_at = 8;
inline constexpr int listed_values = 8;

/// Scratch memory of a team of so many members that calls fold_filled_rows().
constexpr std::size_t filled_rows_bytes(int members)
{
  return sizeof(std::int32_t) * (rows_looked_at + 1) * members;
}

/// Folds the team's share of rows of which most have no values, as fold_rows() does; all
/// members of the `teams` teams of a launch call it. Work items of a warp run in lockstep: if
/// each folded those of its own rows that have values, all would wait for the one that has most
/// of them. So the team lists rows that have values, and folds them when there is one for each
/// member.
template <class Fold, class Team, class View, class Address, class Finish>
KOKKOS_FUNCTION void fold_filled_rows(Team const& team, index_t teams, View const& view,
                                      Address const& address, Finish const& finish)
{
  constexpr index_t together = index_t{rows_looked_at} * Team::size;
  auto* const listed = static_cast<std::int32_t*>(team.scratch());
  int count = 0; // of rows that are listed
  int length[rows_looked_at];
  auto const look = [&](index_t first) {
    for (int u = 0; u < rows_looked_at; ++u) {
      index_t const row = first + u * Team::size + team.rank();
      length[u] = row < view.rows() ? static_cast<int>(view.length(row)) : -1;
    }
  };
  auto const fold_last = [&](int last) {
    count -= last;
    index_t const row[] = {team.rank() < last ? listed[count + team.rank()] : -1};
    detail::fold_side_by_side<Fold, listed_values>(view, row, address, finish);
  };
  look(team.index() * together);
  for (index_t first = team.index() * together; first < view.rows();
       first += teams * together) {
    for (int u = 0; u < rows_looked_at; ++u) {
      auto const row = static_cast<std::int32_t>(first + u * Team::size + team.rank());
      std::uint32_t const filled = team.ballot(length[u] > 0);
      if (length[u] > 0)
        listed[count + bits_set(filled & ((1U << team.rank()) - 1))] = row;
      else if (length[u] == 0)
        finish(row, Fold{});
      count += bits_set(filled);
    }
    look(first + teams * together); // while these are folded
    team.barrier();
    while (count >= Team::size)
      fold_last(Team::size);
    team.barrier();
  }
  if (count > 0)
    fold_last(count);
}

} // namespace strata::contact
