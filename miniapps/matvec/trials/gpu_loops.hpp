#pragma once

#include "dense_launch.hpp"
#include "gpu_plan.hpp"

#include "array/access/pack.hpp"
#include "kernels/across_by_teams.hpp"
#include "kernels/along_by_groups.hpp"
#include "kernels/fastest.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

// Which of a GPU's loops `auto` takes for a product, and how it divides the work: by shape, so
// that neither storage order nor shape matters. Of the divisions that the model lists, the
// device's fastest is taken, tried at a shape's first launch.

namespace strata::matvec {

namespace gpu {

template <class T>
using Input = std::remove_const_t<decltype(input_span<T>(nullptr, 0))>;
template <class T>
using Output = std::remove_const_t<decltype(output_span<T>(nullptr, 0))>;

/// By `ways[K]`.
template <std::size_t K, bool Aligned, class T, class Matrix>
using Along = AlongByGroups<Matrix, Input<T>, Output<T>, tuning::dot_team, ways[K].lanes,
                            ways[K].rows, pack_width<T>, Aligned>;

template <std::size_t K, bool Aligned, class T, class Matrix>
Loop along(Operands<T> const& o, Matrix const& matrix, Plan const& plan)
{
  using Kernel = Along<K, Aligned, T, Matrix>;
  static_assert(ways[K].rows <= tuning::most_team_rows);
  Kernel const kernel{matrix,
                      input_span(o.x, matrix.extent(1)),
                      output_span(o.y, matrix.extent(0)),
                      {o.partial, o.tickets, plan.parts},
                      plan.part_terms};
  for_each_team<tuning::dot_team>(plan.blocks * plan.parts, kernel);
  return {Kernel::name(), pack_width<T>, plan.blocks, plan.parts, ways[K].lanes};
}

/// Where rows are contiguous.
template <bool Aligned, class T, class Matrix>
Loop along_any(Operands<T> const& o, Matrix const& matrix)
{
  constexpr int W = pack_width<T>;
  index_t const rows = matrix.extent(0);
  if constexpr (!Aligned)
    if (rows == 1)
      return along_any<true>(o, matrix);
  auto const launch = [&](Plan const& plan) {
    Loop loop;
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      ((plan.way == K ? void(loop = along<K, Aligned>(o, matrix, plan)) : void()), ...);
    }(std::make_index_sequence<ways.size()>());
    return loop;
  };
  static Plans<Plan> plans;
  return launch(plans.of(rows, matrix.extent(1), [&] {
    return fastest_of(along_plans(rows, matrix.extent(1) / W, Aligned ? 1 : W,
                                  W * static_cast<index_t>(sizeof(T)),
                                  teams_of_device<Along<0, Aligned, T, Matrix>>(),
                                  team_has_groups),
                      launch);
  }));
}

/// Where columns are contiguous; `phases` as in AcrossByTeams.
template <int Phases, class T, class Matrix>
Loop across(Operands<T> const& o, Matrix const& matrix)
{
  constexpr int W = pack_width<T>;
  constexpr int members = tuning::dot_team;
  using Kernel = AcrossByTeams<Matrix, Input<T>, Output<T>, members, W, Phases>;
  static_assert(members * W <= tuning::most_team_rows);
  auto const launch = [&](Plan const& plan) -> Loop {
    Kernel const kernel{matrix,
                        input_span(o.x, matrix.extent(1)),
                        output_span(o.y, matrix.extent(0)),
                        {o.partial, o.tickets, plan.parts},
                        plan.part_terms,
                        plan.along_bits,
                        static_cast<int>(plan.blocks)};
    for_each_team<members>(plan.blocks * plan.parts, kernel);
    return {Kernel::name(), W, plan.blocks, plan.parts, members >> plan.along_bits};
  };
  static Plans<Plan> plans;
  return launch(plans.of(matrix.extent(0), matrix.extent(1), [&] {
    return fastest_of(across_plans(matrix.extent(0), matrix.extent(1), W,
                                   static_cast<index_t>(sizeof(T)), Phases,
                                   teams_of_device<Kernel>()),
                      launch);
  }));
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
