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

/// Elements of a pack. Narrow ones are widened as they are loaded: those of 16 bytes would take
/// twice the registers.
template <class T>
inline constexpr int width = pack_width<computed_t<T>>;

template <class T>
using Input = std::remove_const_t<decltype(input_span<computed_t<T>>(nullptr, 0))>;
template <class T>
using Output = std::remove_const_t<decltype(output_span<computed_t<T>>(nullptr, 0))>;

/// By `ways[K]`.
template <std::size_t K, bool Aligned, class T, class Matrix>
using Along = AlongByGroups<Matrix, Input<T>, Output<T>, tuning::dot_team, ways[K].lanes,
                            ways[K].rows, width<T>, Aligned>;

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
  return {Kernel::name(), width<T>, plan.blocks, plan.parts, ways[K].lanes};
}

/// Launches `run(plan, matrix)` by the plan of this shape; `matrix_by` is as in on_gpu.
template <class T, class MatrixBy, class MakePlans, class Run>
Loop by_fastest(Operands<T> const& o, Plans<Plan>& known, index_t rows, index_t cols,
                MatrixBy const& matrix_by, MakePlans const& make_plans, Run const& run)
{
  auto const launch = [&](Plan const& plan) {
    Loop loop = plan.streams ? run(plan, matrix_by.template operator()<AccessStreaming>())
                             : run(plan, matrix_by.template operator()<AccessReadOnly>());
    loop.streams = plan.streams;
    return loop;
  };
  return launch(known.of(
      rows, cols, [&] { return fastest_of(with_streaming(make_plans(), o.cached), launch); }));
}

/// Where rows are contiguous.
template <bool Aligned, class T, class MatrixBy>
Loop along_any(Operands<T> const& o, MatrixBy const& matrix_by)
{
  constexpr int W = width<T>;
  auto const any = matrix_by.template operator()<AccessReadOnly>();
  using Matrix = std::remove_const_t<decltype(any)>;
  index_t const rows = any.extent(0);
  index_t const cols = any.extent(1);
  if constexpr (!Aligned)
    if (rows == 1)
      return along_any<true>(o, matrix_by);
  static Plans<Plan> plans;
  return by_fastest(
      o, plans, rows, cols, matrix_by,
      [&] {
        return along_plans(rows, cols / W, Aligned ? 1 : W, W * static_cast<index_t>(sizeof(T)),
                           teams_of_device<Along<0, Aligned, T, Matrix>>(), team_has_groups);
      },
      [&](Plan const& plan, auto const& matrix) {
        Loop loop;
        [&]<std::size_t... K>(std::index_sequence<K...>) {
          ((plan.way == K ? void(loop = along<K, Aligned>(o, matrix, plan)) : void()), ...);
        }(std::make_index_sequence<ways.size()>());
        return loop;
      });
}

template <int Phases, class T, class Matrix>
using Across = AcrossByTeams<Matrix, Input<T>, Output<T>, tuning::dot_team, width<T>, Phases>;

/// Where columns are contiguous; `phases` as in AcrossByTeams.
template <int Phases, class T, class MatrixBy>
Loop across(Operands<T> const& o, MatrixBy const& matrix_by)
{
  constexpr int W = width<T>;
  constexpr int members = tuning::dot_team;
  static_assert(members * W <= tuning::most_team_rows);
  auto const any = matrix_by.template operator()<AccessReadOnly>();
  index_t const rows = any.extent(0);
  index_t const cols = any.extent(1);
  static Plans<Plan> plans;
  return by_fastest(
      o, plans, rows, cols, matrix_by,
      [&] {
        return across_plans(
            rows, cols, W, static_cast<index_t>(sizeof(T)), Phases,
            teams_of_device<Across<Phases, T, std::remove_const_t<decltype(any)>>>());
      },
      [&]<class Matrix>(Plan const& plan, Matrix const& matrix) -> Loop {
        using Kernel = Across<Phases, T, Matrix>;
        Kernel const kernel{matrix,
                            input_span(o.x, cols),
                            output_span(o.y, rows),
                            {o.partial, o.tickets, plan.parts},
                            plan.part_terms,
                            plan.along_bits,
                            static_cast<int>(plan.blocks)};
        for_each_team<members>(plan.blocks * plan.parts, kernel);
        return {Kernel::name(), W, plan.blocks, plan.parts, members >> plan.along_bits};
      });
}

template <bool Aligned, class T, class MatrixBy>
Loop across_any(Operands<T> const& o, MatrixBy const& matrix_by)
{
  if constexpr (Aligned)
    return across<1>(o, matrix_by);
  else {
    constexpr index_t W = width<T>;
    auto const any = matrix_by.template operator()<AccessReadOnly>();
    index_t const elements = quotient_up(o.rows * o.cols, W) * W; // the slot has room for them
    return across<W>(o, [&, rows = any.extent(0), cols = any.extent(1)]<class Access>() {
      using Values = Span<T const, Dynamic<1>, LayoutRight, Access>;
      return FlatColumns<Values>{
          Values(o.matrix, typename Values::mapping_type(Dynamic<1>(elements))), rows, cols};
    });
  }
}

} // namespace gpu

/// Launches y = A x; `matrix_by.operator()<Access>()` is A. Aligned says that all rows, or
/// columns if these are contiguous, begin on whole packs.
template <bool IsAlong, bool Aligned, class T, class MatrixBy>
Loop on_gpu(Operands<T> const& o, MatrixBy const& matrix_by)
{
  if constexpr (IsAlong)
    return gpu::along_any<Aligned>(o, matrix_by);
  else
    return gpu::across_any<Aligned>(o, matrix_by);
}

} // namespace strata::matvec
