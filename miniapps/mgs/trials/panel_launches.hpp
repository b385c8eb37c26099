#pragma once

#include "tile_launches.hpp"

#include "array/launch/for_each.hpp"
#include "panels/keep_products.hpp"
#include "panels/pack_panels.hpp"
#include "panels/warp_panels.hpp"

#include <algorithm>
#include <type_traits>

namespace strata::mgs {

/// Launches over panels of spans; the small matrices stay on the device.
template <class Layout>
class PanelLaunches : public ByPanels
{
public:
  PanelLaunches(Fields<Layout> const& fields, index_t all_rows)
      : tiles_(fields, all_rows)
      , a_(fields.a.write())
      , rows_(fields.rows)
      , factor_(fields.factor)
      , ranks_(fields.ranks)
      , products_("strata::mgs::products", Dynamic<1>(most_blocks() * square))
      , partials_("strata::mgs::partials", Dynamic<1>(most_partials()))
  {
  }

  void orthonormalise(ColumnRange const& panel, bool again) override
  {
    if (again)
      cholesky_again(tiles_, panel);
    else
      cholesky_twice(tiles_, panel);
  }

  void project(ColumnRange const& onto, ColumnRange const& columns, bool again) override
  {
    PanelPair const of{onto, columns};
    Products const products(a_, rows_, of, partials_.data());
    for_each_team<Products::members>(products.teams(), products);
    AddParts::launch(
        {partials_.data(), products_.data(), of.count(), Products::parts(rows_, of.blocks())});
    ranks_.sum(products_.data(), of.count());
    for_each(onto.count * columns.count,
             KeepProducts{of, products_.data(), factor_.r(0), factor_.pitch(), again});
    Update const update(a_, rows_, of, products_.data());
    for_each_team<Update::members>(update.teams(), update);
  }

private:
  using Out = Span<double, Dynamic<2>, Layout>;
  using Products =
      std::conditional_t<device_is_host, PackPanelProducts<Out>, WarpPanelProducts<Out>>;
  using Update = std::conditional_t<device_is_host, PackPanelUpdate<Out>, WarpPanelUpdate<Out>>;
  static constexpr index_t square = panel_width * panel_width;

  /// Blocks of products: of one panel with all after it, or of the most that are projected on.
  [[nodiscard]] index_t most_blocks() const
  {
    return std::max(blocks_of({0, factor_.columns()}), most_projected / panel_width);
  }
  [[nodiscard]] index_t most_partials() const
  {
    index_t most = 0;
    for (index_t blocks = 1; blocks <= most_blocks(); ++blocks)
      most = std::max(most, blocks * Products::parts(rows_, blocks));
    return most * square;
  }

  TileLaunches<Layout> tiles_;
  Out a_;
  index_t rows_;
  Factor const& factor_;
  OverRanks& ranks_;
  Array<double, Dynamic<1>, LayoutRight> products_;
  Array<double, Dynamic<1>, LayoutRight> partials_;
};

} // namespace strata::mgs
