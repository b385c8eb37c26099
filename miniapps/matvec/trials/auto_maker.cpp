#include "dense_launch.hpp"

// Variant auto: the loop order follows the layout, so that every layout is fast.

namespace strata::matvec {

namespace {

template <int W, class T, class Matrix>
Loop along(Operands<T> const& o, Matrix const& matrix)
{
  index_t const rows = matrix.extent(0);
  index_t const cols = matrix.extent(1);
  constexpr int team = device_is_host ? 1 : tuning::dot_team;
  auto const split = split_for(rows, cols, tuning::dot_rows, Device().concurrency() / team);
  auto const x = input_span(o.x, cols);
  return into_parts(o, split, W, [&](auto const& partial) {
    using Kernel = AlongRows<Matrix, std::remove_cvref_t<decltype(x)>,
                             std::remove_cvref_t<decltype(partial)>, tuning::dot_rows, W,
                             tuning::dot_unroll>;
    for_each_team<tuning::dot_team>(split.blocks() * split.parts(),
                                    Kernel{matrix, x, partial, split});
    return Kernel::name();
  });
}

template <int W, class Layout, class T, class Matrix>
Loop across(Operands<T> const& o, Matrix const& matrix)
{
  index_t const rows = matrix.extent(0);
  index_t const cols = matrix.extent(1);
  constexpr bool tiles = std::is_same_v<Layout, LayoutTiles>;
  auto const x = input_span(o.x, cols);
  using Input = std::remove_const_t<decltype(x)>;
  index_t const workers = Device().concurrency();
  if constexpr (device_is_host) {
    auto const split = walk_split(rows, cols, tiles, workers);
    return into_parts(o, split, W, [&](auto const& partial) {
      using Partial = std::remove_cvref_t<decltype(partial)>;
      using Kernel = std::conditional_t<
          tiles,
          WalkTile<Matrix, Input, Partial, W, static_cast<int>(LayoutTiles::contiguous) / W>,
          WalkColumns<Matrix, Input, Partial, W, tuning::walk_columns>>;
      for_each_team<1>(split.blocks() * split.parts(), Kernel{matrix, x, partial, split});
      return Kernel::name();
    });
  } else {
    auto const split =
        split_for(rows, cols, W,
                  static_cast<index_t>(tuning::split_share * static_cast<double>(workers)));
    return into_parts(o, split, W, [&](auto const& partial) {
      using Kernel = AcrossRows<Matrix, Input, std::remove_cvref_t<decltype(partial)>, W,
                                tuning::walk_columns>;
      for_each(in_order_of<LayoutLeft>(Dynamic<2>(split.blocks(), split.parts())),
               Kernel{matrix, x, partial, split});
      return Kernel::name();
    });
  }
}

/// Whether every row (or column) begins on a whole pack; hosts load unaligned packs.
template <class T, class Layout>
bool packs_fit(Operands<T> const& o)
{
  constexpr bool padded =
      std::is_same_v<Layout, LayoutTiles> || std::is_same_v<Layout, LayoutStride>;
  index_t const line = fastest_index<Layout> == 1 ? o.cols : o.rows;
  // Results are stored in packs, too.
  return device_is_host || ((padded || line % pack_width<T> == 0) &&
                            o.rows % pack_width<T> == 0 && o.cols % pack_width<T> == 0);
}

template <class T, class Layout, bool Trans>
Loop launch_auto(Operands<T> const& o)
{
  constexpr bool is_along = fastest_index<Layout> == (Trans ? 0 : 1);
  // Across the sum, each warp of a GPU takes pieces of columns, and x is cached.
  using Access =
      std::conditional_t<device_is_host || is_along, AccessReadOnly, AccessStreaming>;
  auto const matrix = factor_span<Trans, T, Layout, Access>(o);
  auto const launch = [&]<int W>(Packs<W>) {
    if constexpr (is_along)
      return along<W>(o, matrix);
    else
      return across<W, Layout>(o, matrix);
  };
  if constexpr (device_is_host)
    return launch(Packs<pack_width<T>>{});
  else if (packs_fit<T, Layout>(o))
    return launch(Packs<pack_width<T>>{});
  else
    return launch(Packs<1>{});
}

} // namespace

driver::Maker auto_maker(Choice const& choice, Problem const& problem)
{
  if (choice.access != "default")
    return {};
  bool const transposed = choice.kernel == "matvec_t";
  driver::Maker found;
  MatrixLayouts::for_each([&]<class Layout>() {
    if (choice.layout != Layout::name())
      return;
    constexpr bool plain =
        std::is_same_v<Layout, LayoutLeft> || std::is_same_v<Layout, LayoutRight>;
    if (choice.scalar == "double")
      found = dense_maker<double>(choice, problem,
                                  transposed ? &launch_auto<double, Layout, true>
                                             : &launch_auto<double, Layout, false>);
    else if constexpr (plain)
      if (!transposed)
        found = dense_maker<float>(choice, problem, &launch_auto<float, Layout, false>);
  });
  return found;
}

} // namespace strata::matvec
