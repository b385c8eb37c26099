#pragma once

#include "dense_launch.hpp"
#include "gpu_plan.hpp"

#include "array/access/pack.hpp"
#include "kernels/across_by_teams.hpp"
#include "kernels/along_by_groups.hpp"
#include "kernels/lanes.hpp"

// Which of a GPU's loops `auto` takes for a product, and how it divides the work: by shape, so
// that neither storage order nor shape matters.

namespace strata::matvec {

namespace gpu {

template <int Lanes, int R, bool Aligned, class T, class Matrix>
Loop along(Operands<T> const& o, Matrix const& matrix)
{
  constexpr int W = pack_width<T>;
  index_t const rows = matrix.extent(0);
  auto const x = input_span(o.x, matrix.extent(1));
  auto const y = output_span(o.y, rows);
  using Kernel =
      AlongByGroups<Matrix, std::remove_const_t<decltype(x)>, std::remove_const_t<decltype(y)>,
                    tuning::dot_team, Lanes, R, W, Aligned>;
  static_assert(R <= tuning::most_team_rows);
  index_t const packs = matrix.extent(1) / W;
  index_t const blocks = Kernel::blocks(rows);
  Plan plan{blocks, 1, packs};
  if constexpr (Kernel::team_is_group)
    plan = along_plan(blocks, packs, R, W * static_cast<index_t>(sizeof(T)),
                      teams_of_device<Kernel>());
  Kernel const kernel{matrix, x, y, {o.partial, o.tickets, plan.parts}, plan.part_terms};
  for_each_team<tuning::dot_team>(blocks * plan.parts, kernel);
  return {Kernel::name(), W, blocks, plan.parts, Lanes};
}

/// Where rows are contiguous: as many work items for a row as leave a few packs to each.
template <bool Aligned, class T, class Matrix>
Loop along_any(Operands<T> const& o, Matrix const& matrix)
{
  constexpr int team = tuning::dot_team;
  constexpr index_t warp = 32;
  index_t const rows = matrix.extent(0);
  index_t const packs = matrix.extent(1) / pack_width<T>;
  bool const fills_device = rows * warp / 2 >= Device().concurrency() / 2;
  bool const is_long = packs > (fills_device ? tuning::long_row : tuning::long_row_of_few);
  if (rows == 1)
    return along<team, 1, true>(o, matrix);
  if (is_long || !team_has_groups)
    return along<team, 2, Aligned>(o, matrix);
  Loop loop;
  with_lanes(quotient_up(packs, tuning::few_packs),
             [&](auto lanes) { loop = along<decltype(lanes)::value, 2, Aligned>(o, matrix); });
  return loop;
}

/// Where columns are contiguous; `phases` as in AcrossByTeams.
template <int Phases, class T, class Matrix>
Loop across(Operands<T> const& o, Matrix const& matrix)
{
  constexpr int W = pack_width<T>;
  constexpr int members = tuning::dot_team;
  auto const x = input_span(o.x, matrix.extent(1));
  auto const y = output_span(o.y, matrix.extent(0));
  using Kernel = AcrossByTeams<Matrix, std::remove_const_t<decltype(x)>,
                               std::remove_const_t<decltype(y)>, members, W, Phases>;
  static_assert(members * W <= tuning::most_team_rows);
  auto const plan =
      across_plan(matrix.extent(0), matrix.extent(1), W, static_cast<index_t>(sizeof(T)),
                  Phases, teams_of_device<Kernel>());
  Kernel const kernel{matrix,
                      x,
                      y,
                      {o.partial, o.tickets, plan.parts},
                      plan.part_terms,
                      plan.along_bits,
                      static_cast<int>(plan.blocks)};
  for_each_team<members>(plan.blocks * plan.parts, kernel);
  return {Kernel::name(), W, plan.blocks, plan.parts, members >> plan.along_bits};
}

template <bool Aligned, class Access, class T, class Matrix>
Loop across_any(Operands<T> const& o, Matrix const& matrix)
{
  if constexpr (Aligned)
    return across<1>(o, matrix);
  else {
    constexpr index_t W = pack_width<T>;
    index_t const elements = quotient_up(o.rows * o.cols, W) * W; // the slot has room for them
    using Values = Span<T const, Dynamic<1>, LayoutRight, Access>;
    return across<W>(o, FlatColumns<Values>{Values(o.matrix, typename Values::mapping_type(
                                                                 Dynamic<1>(elements))),
                                            matrix.extent(0), matrix.extent(1)});
  }
}

} // namespace gpu

/// Launches y = A x; Aligned says that all rows, or columns if these are contiguous, begin on
/// whole packs. Access is the matrix'.
template <bool IsAlong, bool Aligned, class Access, class T, class Matrix>
Loop on_gpu(Operands<T> const& o, Matrix const& matrix)
{
  if constexpr (IsAlong)
    return gpu::along_any<Aligned>(o, matrix);
  else
    return gpu::across_any<Aligned, Access>(o, matrix);
}

} // namespace strata::matvec
