#pragma once

#include "dense_trial.hpp"

#include "array/launch/team.hpp"
#include "kernels/along_rows.hpp"
#include "kernels/down_columns.hpp"
#include "kernels/row_dot.hpp"

// A rank's operands as spans, and the division of its work.

namespace strata::matvec {

template <class T, class Layout, class Access = AccessReadOnly>
auto matrix_span(Operands<T> const& o)
{
  using Matrix = Span<T const, Dynamic<2>, Layout, Access>;
  return Matrix(o.matrix, mapping_for<Layout>(o.rows, o.cols));
}

/// A or Aᵀ.
template <bool Trans, class T, class Layout, class Access = AccessReadOnly>
auto factor_span(Operands<T> const& o)
{
  auto const matrix = matrix_span<T, Layout, Access>(o);
  if constexpr (Trans)
    return Transposed<std::remove_const_t<decltype(matrix)>>{matrix};
  else
    return matrix;
}

template <class T, class Access = AccessReadOnly, class Layout = LayoutRight>
auto input_span(T const* x, index_t count)
{
  using Input = Span<T const, Dynamic<1>, Layout, Access>;
  return Input(x, typename Input::mapping_type(Dynamic<1>(count)));
}
template <class T, class Access = AccessDefault>
auto output_span(T* y, index_t count)
{
  using Output = Span<T, Dynamic<1>, LayoutRight, Access>;
  return Output(y, typename Output::mapping_type(Dynamic<1>(count)));
}

/// Blocks of so many rows for `workers` concurrent work items; columns are split where there
/// are fewer blocks than workers.
inline Split split_for(index_t rows, index_t cols, index_t block_rows, index_t workers)
{
  constexpr index_t line = 32; // parts begin on whole packs and tiles
  Split split{rows, cols, block_rows, cols};
  index_t const blocks = std::max<index_t>(split.blocks(), 1);
  index_t const parts =
      std::clamp<index_t>((workers + blocks - 1) / blocks, 1, most_parts_of(cols));
  split.part_cols = std::max<index_t>(((cols + parts - 1) / parts + line - 1) / line * line, 1);
  return split;
}

/// The same for a host's threads where rows are contiguous: a block has dot_rows stretches of
/// whole rows.
inline Split row_split(index_t rows, index_t cols, index_t threads)
{
  index_t const wanted = tuning::least_stretch / std::max<index_t>(cols, 1);
  index_t const most = rows / (tuning::dot_rows * threads); // so that all have a block
  index_t const of_stretch = std::max<index_t>(std::min(wanted, most), 1);
  return split_for(rows, cols, tuning::dot_rows * of_stretch, threads);
}

/// The same where columns are: each thread reads long pieces of them.
inline Split walk_split(index_t rows, index_t cols, bool tiles, index_t threads)
{
  constexpr index_t line = 8;
  index_t block = LayoutTiles::contiguous;
  if (!tiles) {
    index_t const share = (rows + threads - 1) / threads; // of a thread
    index_t const blocks = (share + tuning::walk_most_rows - 1) / tuning::walk_most_rows;
    block = std::max(share / std::max<index_t>(blocks, 1), tuning::walk_least_rows);
    block = std::min((block + line - 1) / line * line, tuning::walk_most_rows);
  }
  return split_for(rows, cols, block, threads);
}

/// Calls launch(partial), which returns its kernel's name, with the span of partial sums of a
/// split: y itself if there is one part, else other memory, whose parts are then added to y.
template <class T, class F>
Loop into_parts(Operands<T> const& o, Split const& split, int pack, F const& launch)
{
  index_t const parts = split.parts();
  using Partial = Span<computed_t<T>, Dynamic<2>, LayoutLeft>;
  Partial const partial(parts == 1 ? o.y : o.partial,
                        typename Partial::mapping_type(Dynamic<2>(split.rows, parts)));
  char const* const kernel = launch(partial);
  if (parts > 1) {
    auto const y = output_span(o.y, split.rows);
    for_each(split.rows, SumParts<Partial, decltype(y)>{partial, y});
  }
  return {kernel, pack, split.blocks(), parts};
}

} // namespace strata::matvec
