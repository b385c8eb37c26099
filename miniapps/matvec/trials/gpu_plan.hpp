#pragma once

#include "base/types.hpp"
#include "kernels/tuning.hpp"

#include <algorithm>
#include <array>

// How `auto` divides a product over a GPU's teams, by a model of the time that it takes.

namespace strata::matvec {

/// Blocks of rows, times parts of the columns whose sums the last team of a block adds.
struct Plan
{
  index_t blocks = 1;
  int parts = 1;
  index_t part_terms = 1; ///< columns or packs of a part
  int along_bits = 0;     ///< of AcrossByTeams
};

inline index_t quotient_up(index_t n, index_t divisor)
{
  return (n + divisor - 1) / divisor;
}

/// What a plan is made for. A block's sums have `terms` terms, which its team takes in steps of
/// `step` terms and `step_bytes` bytes; its last team adds `summed_at_once` parts of all its
/// sums at once.
struct Division
{
  index_t blocks;
  index_t terms;
  index_t step;
  index_t step_bytes;
  index_t piece_bytes; ///< contiguous in memory, of a step; 0: all of it
  index_t summed_at_once;
};

/// Sets the plan to a division of this shape if that takes less than `least_time`, which then
/// becomes its time: in bytes that a team loads meanwhile, where the device runs `resident`
/// teams at once. Each wave of teams has a latency, and so has each time that the last team
/// loads; a last wave that has less than half of the teams does not saturate the memory.
inline void improve(Plan& plan, double& least_time, Division const& shape, index_t resident)
{
  index_t const steps = std::max<index_t>(quotient_up(shape.terms, shape.step), 1);
  double const scattered =
      shape.piece_bytes == 0 ? 1
                             : 1 + tuning::piece_cost / static_cast<double>(shape.piece_bytes);
  for (index_t waves = 0; waves <= tuning::most_waves; ++waves) {
    index_t const wanted =
        std::clamp<index_t>(waves * resident / std::max<index_t>(shape.blocks, 1), 1, steps);
    index_t const steps_of_part = quotient_up(steps, wanted);
    index_t const parts = quotient_up(steps, steps_of_part);
    index_t const teams = parts * shape.blocks;
    if (parts > 1 && teams > tuning::most_sharing_teams)
      continue;
    double const last_wave =
        static_cast<double>(teams % resident) / static_cast<double>(resident);
    index_t const whole_waves = teams / resident;
    double const at_full_rate =
        static_cast<double>(whole_waves) + (last_wave > 0 ? std::max(last_wave, 0.5) : 0);
    double time =
        static_cast<double>(steps_of_part * shape.step_bytes) * scattered * at_full_rate +
        static_cast<double>(quotient_up(teams, resident)) * tuning::wave_latency;
    if (parts > 1)
      time += static_cast<double>(1 + quotient_up(parts, shape.summed_at_once)) *
              tuning::load_latency;
    if (time < least_time) {
      least_time = time;
      plan.blocks = shape.blocks;
      plan.parts = static_cast<int>(parts);
      plan.part_terms = steps_of_part * shape.step;
    }
  }
}

/// Rows contiguous, `together` of them summed by a team: terms are packs of `pack_bytes` bytes.
inline Plan along_plan(index_t blocks, index_t packs, index_t together, index_t pack_bytes,
                       index_t resident)
{
  constexpr index_t members = tuning::dot_team;
  Plan plan;
  double time = tuning::longest_time;
  improve(plan, time,
          {blocks, packs, members, members * together * pack_bytes, 0,
           tuning::sums_at_once * members},
          resident);
  return plan;
}

/// Columns contiguous: packs of `width` elements of `word` bytes; `phases` as in AcrossByTeams.
inline Plan across_plan(index_t rows, index_t cols, int width, index_t word, int phases,
                        index_t resident)
{
  constexpr index_t members = tuning::dot_team;
  Plan plan;
  double time = tuning::longest_time;
  for (int bits = phases > 1 ? 1 : 0; (index_t{1} << bits) <= members; ++bits) {
    index_t const loaded =
        (index_t{1} << bits) * width; // rows, of which idle members have some
    index_t const owned = loaded - (phases > 1 ? width : 0);
    index_t const step = (members >> bits) * phases;
    double const before = time;
    improve(plan, time,
            {quotient_up(rows, owned), cols, step, step * loaded * word,
             owned < rows ? loaded * word : 0,
             std::max<index_t>(tuning::sums_at_once * members / loaded, 1)},
            resident);
    if (time < before)
      plan.along_bits = bits;
  }
  return plan;
}

} // namespace strata::matvec
