#pragma once

#include "base/types.hpp"
#include "kernels/gpu_time.hpp"
#include "kernels/tuning.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

// How `auto` may divide a product over a GPU's teams: as takes the least time by the model.

namespace strata::matvec {

/// Members of a team that share a row, and rows that they sum together (AlongByGroups takes the
/// first of them for a missing second: 1 or 2).
struct Way
{
  int lanes;
  int rows;
};

inline constexpr std::array<Way, 5> ways{
    {{2, 2}, {8, 2}, {32, 1}, {tuning::dot_team, 1}, {tuning::dot_team, 2}}};

/// Blocks of rows, times parts of the columns whose sums the last team of a block adds.
struct Plan
{
  index_t blocks = 1;
  int parts = 1;
  index_t part_terms = 1; ///< columns or packs of a part
  std::size_t way = 0;    ///< of `ways`, where rows are contiguous
  int along_bits = 0;     ///< of AcrossByTeams, where columns are
  bool streams = false;   ///< loads leave nothing of the matrix in the cache

  bool operator==(Plan const&) const = default;
};

/// Whether teams can share the memory for parts of sums.
inline bool may_share(index_t blocks, index_t parts)
{
  return parts == 1 || blocks * parts <= tuning::most_sharing_teams;
}

/// The plans, each also with loads that stream where the matrix does not stay in the cache:
/// they leave room for the vectors, or for the part of the matrix that the cache has from the
/// step before.
inline std::vector<Plan> with_streaming(std::vector<Plan> plans, bool cached)
{
  std::size_t const count = cached ? 0 : plans.size();
  for (std::size_t k = 0; k < count; ++k) {
    plans.push_back(plans[k]);
    plans.back().streams = true;
  }
  return plans;
}

/// Rows contiguous, of so many packs of `pack_bytes` bytes; `apart` as in AlongByGroups. Rows
/// are shared by less than a team only where its members have groups.
inline std::vector<Plan> along_plans(index_t rows, index_t packs, index_t apart,
                                     index_t pack_bytes, index_t resident, bool groups)
{
  constexpr index_t members = tuning::dot_team;
  Shortlist<Plan> fastest(resident);
  for (std::size_t k = 0; k < ways.size(); ++k) {
    int const lanes = ways[k].lanes;
    if (lanes < members && !groups)
      continue;
    index_t const blocks = blocks_of_groups(rows, tuning::dot_team, lanes, ways[k].rows, apart);
    for_parts(
        blocks, lanes == members ? tuning::most_waves * resident : 0, [&](index_t wanted) {
          index_t const steps = std::max<index_t>(quotient_up(packs, lanes), 1);
          index_t const part_steps = quotient_up(steps, wanted);
          index_t const parts = quotient_up(steps, part_steps);
          index_t const part_packs = part_steps * lanes;
          index_t const of_rows = members / lanes * ways[k].rows;
          if (may_share(blocks, parts))
            fastest.offer(
                {blocks, parts, quotient_up(part_steps, tuning::in_flight),
                 of_rows * (std::min(part_packs, packs) * pack_bytes + part_steps * piece_cost),
                 quotient_up(parts, tuning::sums_at_once * members)},
                {blocks, static_cast<int>(parts), part_packs, k, 0});
        });
  }
  return fastest.plans();
}

/// Columns contiguous: packs of `width` elements of `word` bytes; `phases` as in AcrossByTeams.
inline std::vector<Plan> across_plans(index_t rows, index_t cols, int width, index_t word,
                                      int phases, index_t resident)
{
  constexpr index_t members = tuning::dot_team;
  Shortlist<Plan> fastest(resident);
  for (int bits = phases > 1 ? 1 : 0; (index_t{1} << bits) <= members; ++bits) {
    index_t const loaded =
        (index_t{1} << bits) * width; // rows, of which idle members have some
    if (bits > 1 && loaded >= 4 * rows)
      break;
    index_t const slices = members >> bits;
    index_t const blocks = quotient_up(rows, loaded - (phases > 1 ? width : 0));
    for_parts(blocks, tuning::most_waves * resident, [&](index_t wanted) {
      index_t const step = slices * phases;
      index_t const steps = std::max<index_t>(quotient_up(cols, step), 1);
      index_t const part_cols = quotient_up(steps, wanted) * step;
      index_t const parts = std::max<index_t>(quotient_up(cols, part_cols), 1);
      if (may_share(blocks, parts))
        fastest.offer({blocks, parts, quotient_up(part_cols, tuning::in_flight * slices),
                       part_cols * (loaded * word + piece_cost),
                       quotient_up(parts, tuning::sums_at_once * slices)},
                      {blocks, static_cast<int>(parts), part_cols, 0, bits});
    });
  }
  return fastest.plans();
}

} // namespace strata::matvec
