#include "trial.hpp"

#include "array/launch/team.hpp"
#include "rows/add_parts.hpp"
#include "tiles/pack_tiles.hpp"
#include "tiles/row_tiles.hpp"
#include "tiles/tile_factor.hpp"
#include "verify/fill.hpp"

#include <cstddef>

namespace strata::mgs {

namespace {

/// Passes over tiles of spans. The small matrices stay on the device; on one rank the host
/// never waits.
template <class Layout>
class TileLaunches : public ByTiles
{
public:
  TileLaunches(Fields<Layout> const& fields, index_t all_rows)
      : a_(fields.a.write())
      , rows_(fields.rows)
      , all_rows_(all_rows)
      , factor_(fields.factor)
      , ranks_(fields.ranks)
      , numbers_("strata::mgs::tiles", Dynamic<1>(size()))
  {
    verify::fill(numbers_.memory(), std::byte{});
  }

  void pass(TilePass const& pass) override
  {
    if (pass.repeats && !ranks_.alone() && !shifted())
      return;
    if constexpr (device_is_host)
      launch<PackTileKernel<Out>>(pass);
    else {
      index_t const columns = pass.columns();
      if (columns <= 8)
        launch<RowTileKernel<Out, 8>>(pass);
      else if (columns <= 16)
        launch<RowTileKernel<Out, 16>>(pass);
      else if (columns <= 24)
        launch<RowTileKernel<Out, 24>>(pass);
      else
        launch<RowTileKernel<Out, 32>>(pass);
    }
  }

  void factor(TileFactor const& factor) override
  {
    for_each_team<256>(1, TileFactorKernel{factor, memory(), factor_.r(0), factor_.pitch(),
                                           static_cast<double>(all_rows_)});
  }

private:
  using Out = Span<double, Dynamic<2>, Layout>;
  static constexpr index_t square = most_tile_columns * most_tile_columns;

  using Kernel = std::conditional_t<device_is_host, PackTileKernel<Out>,
                                    RowTileKernel<Out, static_cast<int>(most_tile_columns)>>;

  template <class Tiles>
  void launch(TilePass const& pass)
  {
    Tiles const kernel(a_, rows_, pass, memory());
    for_each_team<Tiles::members>(kernel.teams(), kernel);
    index_t const count = pass.left.count * pass.right.count;
    if (count == 0)
      return;
    AddParts add{memory().partials, memory().products, count, kernel.parts()};
    if (pass.repeats)
      add.wanted = memory().shifted;
    AddParts::launch(add);
    if (!pass.repeats || !ranks_.alone())
      ranks_.sum(memory().products, count);
  }

  [[nodiscard]] index_t size() const
  {
    return 2 * square + 2 * most_tile_columns + Kernel::most_partials(rows_);
  }
  [[nodiscard]] TileMemory memory() const
  {
    double* const at = numbers_.data();
    double* const inverse = at + 2 * square;
    return {at,
            inverse,
            at + square,
            inverse + 2 * most_tile_columns,
            inverse + most_tile_columns,
            most_tile_columns};
  }
  /// Waits for the device, as the sum over ranks that follows would do anyway.
  [[nodiscard]] bool shifted() const
  {
    double value = 0;
    Kokkos::deep_copy(
        value, Kokkos::View<double, DeviceSpace, Kokkos::MemoryUnmanaged>(memory().shifted));
    return value != 0;
  }

  Out a_;
  index_t rows_;
  index_t all_rows_;
  Factor const& factor_;
  OverRanks& ranks_;
  Array<double, Dynamic<1>, LayoutRight> numbers_;
};

} // namespace

driver::Maker tile_maker(Choice const& choice, Problem const& problem)
{
  auto const by_tiles = algorithm(choice.algorithm).by_tiles;
  if (by_tiles == nullptr || choice.results != "device")
    return {};
  driver::Maker made;
  SpanLayouts::for_each([&]<class Layout>() {
    if (choice.layout == Layout::name())
      made = maker<Layout>(
          choice, problem,
          [by_tiles, rows = problem.matrix.rows](Fields<Layout> const& fields) -> Step {
            auto const launches = std::make_shared<TileLaunches<Layout>>(fields, rows);
            return step_of(fields.factor, fields.ranks,
                           [by_tiles, launches, columns = fields.factor.columns()] {
                             by_tiles(*launches, columns);
                           });
          });
  });
  return made;
}

} // namespace strata::mgs
