#include "dense_launch.hpp"
#include "gpu_loops.hpp"

// Variant auto: the loop order follows the layout, so that every layout is fast.

namespace strata::matvec {

namespace {

/// A host's loop.
template <class Layout, bool IsAlong, class T, class Matrix>
Loop on_host(Operands<T> const& o, Matrix const& matrix)
{
  constexpr int W = pack_width<T>;
  index_t const rows = matrix.extent(0);
  index_t const cols = matrix.extent(1);
  index_t const threads = Device().concurrency();
  auto const x = input_span(o.x, cols);
  using Input = std::remove_const_t<decltype(x)>;
  constexpr bool tiles = std::is_same_v<Layout, LayoutTiles>;
  auto const split =
      IsAlong ? row_split(rows, cols, threads) : walk_split(rows, cols, tiles, threads);
  return into_parts(o, split, W, [&](auto const& partial) {
    using Partial = std::remove_cvref_t<decltype(partial)>;
    constexpr int packs_of_tile = static_cast<int>(LayoutTiles::contiguous) / W;
    using Kernel = std::conditional_t<
        IsAlong, AlongRows<Matrix, Input, Partial, tuning::dot_rows, W, tuning::dot_unroll>,
        std::conditional_t<tiles, WalkTile<Matrix, Input, Partial, W, packs_of_tile>,
                           WalkColumns<Matrix, Input, Partial, W, tuning::walk_columns>>>;
    for_each_team<1>(split.blocks() * split.parts(), Kernel{matrix, x, partial, split});
    return Kernel::name();
  });
}

template <class T, class Layout, bool Trans>
Loop launch_auto(Operands<T> const& o)
{
  constexpr bool is_along = fastest_index<Layout> == (Trans ? 0 : 1);
  constexpr bool plain =
      std::is_same_v<Layout, LayoutLeft> || std::is_same_v<Layout, LayoutRight>;
  index_t const rows = Trans ? o.cols : o.rows;
  index_t const cols = Trans ? o.rows : o.cols;
  // A single row or column lies in memory alike in both orders: the other loop has packs of it.
  if constexpr (plain) {
    using Other =
        std::conditional_t<std::is_same_v<Layout, LayoutLeft>, LayoutRight, LayoutLeft>;
    if (is_along ? cols == 1 && rows > 1 : rows == 1 && cols > 1)
      return launch_auto<T, Other, Trans>(o);
  }
  if constexpr (device_is_host)
    return on_host<Layout, is_along>(o, factor_span<Trans, T, Layout>(o));
  else {
    auto const matrix_by = [&]<class Access>() {
      return factor_span<Trans, T, Layout, Access>(o);
    };
    if (!plain || (is_along ? cols : rows) % gpu::width<T> == 0)
      return on_gpu<is_along, true>(o, matrix_by);
    else if constexpr (plain)
      return on_gpu<is_along, false>(o, matrix_by);
    else
      return {};
  }
}

} // namespace

driver::Maker auto_maker(Choice const& choice, Problem const& problem)
{
  if (choice.access != "default")
    return {};
  bool const transposed = choice.kernel == "matvec_t";
  driver::Maker found;
  MatrixLayouts::at(choice.layout, [&]<class Layout>() {
    constexpr bool plain =
        std::is_same_v<Layout, LayoutLeft> || std::is_same_v<Layout, LayoutRight>;
    if (choice.scalar == "double")
      found = dense_maker<double>(choice, problem,
                                  transposed ? &launch_auto<double, Layout, true>
                                             : &launch_auto<double, Layout, false>);
    else if constexpr (plain)
      if (!transposed)
        found = driver::with_scalar(choice.scalar, [&]<class T>() -> driver::Maker {
          if constexpr (std::is_same_v<T, double>)
            return {};
          else
            return dense_maker<T>(choice, problem, &launch_auto<T, Layout, false>);
        });
  });
  return found;
}

} // namespace strata::matvec
