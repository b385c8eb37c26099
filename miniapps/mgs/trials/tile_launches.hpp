#pragma once

#include "trial.hpp"

#include "array/launch/cluster.hpp"
#include "array/launch/team.hpp"
#include "rows/add_parts.hpp"
#include "tiles/pack_tiles.hpp"
#include "tiles/row_tiles.hpp"
#include "tiles/tile_factor.hpp"
#include "tiles/tile_steps.hpp"
#include "verify/fill.hpp"

#include <cstddef>
#include <type_traits>

namespace strata::mgs {

/// Calls f with the number of columns, as a constant, of the narrowest RowTileKernel for
/// `columns` of them.
template <class F>
void with_tile_columns(index_t columns, F const& f)
{
  if (columns <= 8)
    f(Number<8>());
  else if (columns <= 16)
    f(Number<16>());
  else if (columns <= 24)
    f(Number<24>());
  else
    f(Number<32>());
}

/// Calls f.operator()<Tiles>() with the narrowest RowTileKernel for a pass over an A.
template <class A, class F>
void with_tile_kernel(TilePass const& pass, F const& f)
{
  with_tile_columns(pass.columns(), [&](auto columns) {
    constexpr int all = decltype(columns)::value;
    constexpr int panel = static_cast<int>(panel_columns);
    if (pass.has_both())
      f.template operator()<RowTileKernel<A, all, panel>>();
    else
      f.template operator()<RowTileKernel<A, all, all>>();
  });
}

/// Passes over tiles of spans, each of one launch or more. The small matrices stay on the
/// device; on one rank the host never waits.
template <class Layout>
class TileLaunches : public TileOperations
{
public:
  /// `most_growth`: see TileFactorKernel.
  TileLaunches(Fields<Layout> const& fields, index_t all_rows, double most_growth = 0)
      : a_(fields.a.write())
      , rows_(fields.rows)
      , all_rows_(all_rows)
      , factor_(fields.factor)
      , ranks_(fields.ranks)
      , most_growth_(most_growth)
      , numbers_("strata::mgs::tiles", Dynamic<1>(size()))
  {
    verify::fill(numbers_.memory(), std::byte{});
  }

  void pass(TilePass const& pass) override
  {
    if (pass.repeats && !ranks_.alone() && !repeats())
      return;
    if constexpr (device_is_host)
      launch<PackTileKernel<Out>>(pass);
    else {
      with_tile_kernel<Out>(pass, [&]<class Tiles>() { launch<Tiles>(pass); });
    }
  }

  void factor(TileFactor const& factor) override { this->factor(factor, memory().products); }
  /// Of products that lie elsewhere.
  void factor(TileFactor const& factor, double* products)
  {
    auto kernel = kernel_of(factor);
    kernel.memory.products = products;
    for_each_team<256>(1, kernel);
  }
  [[nodiscard]] TileFactorKernel kernel_of(TileFactor const& factor) const
  {
    return {
        factor,      memory(), factor_.r(0), factor_.pitch(), static_cast<double>(all_rows_),
        most_growth_};
  }

  /// A pass by so many teams on a GPU, without the sums of its parts.
  void leave_parts(TilePass const& pass, index_t teams)
  {
    if constexpr (!device_is_host)
      with_tile_kernel<Out>(pass, [&]<class Tiles>() {
        for_each_team<Tiles::members>(teams, Tiles(a_, rows_, pass, memory(), teams));
      });
  }
  /// The sums of the parts of a pass, over all ranks.
  void add_parts(TilePass const& pass, index_t parts)
  {
    index_t const count = pass.left.count * pass.right.count;
    AddParts add{memory().partials, memory().products, count, parts};
    if (pass.repeats)
      add.wanted = memory().repeats;
    AddParts::launch(add);
    if (!pass.repeats || !ranks_.alone())
      ranks_.sum(memory().products, count);
  }

  [[nodiscard]] bool divides_again() const override { return dividing_is_faster(rows_); }

  [[nodiscard]] TileMemory memory() const
  {
    double* const at = numbers_.data();
    double* const inverses = at + most_divisors * square;
    double* const products = inverses + most_divisors * most_tile_columns;
    double* const repeats = products + square;
    return {at, inverses, products, repeats + most_tile_columns, repeats, most_tile_columns};
  }
  /// What the first factor of the panel, or of all columns, asks for. Waits for the device.
  [[nodiscard]] bool repeats() const { return is_set_on_device(memory().repeats); }

private:
  using Out = Span<double, Dynamic<2>, Layout>;
  static constexpr index_t square = most_tile_columns * most_tile_columns;

  static constexpr int most = static_cast<int>(most_tile_columns);
  /// That of the most partial sums.
  using Kernel =
      std::conditional_t<device_is_host, PackTileKernel<Out>, RowTileKernel<Out, most, most>>;

  template <class Tiles>
  void launch(TilePass const& pass)
  {
    Tiles const kernel(a_, rows_, pass, memory());
    for_each_team<Tiles::members>(kernel.teams(), kernel);
    if (pass.left.count > 0 && pass.right.count > 0)
      add_parts(pass, kernel.parts());
  }

  [[nodiscard]] index_t size() const
  {
    return most_divisors * (square + most_tile_columns) + square + most_tile_columns +
           Kernel::most_partials(rows_);
  }

  Out a_;
  index_t rows_;
  index_t all_rows_;
  Factor const& factor_;
  OverRanks& ranks_;
  double most_growth_;
  Array<double, Dynamic<1>, LayoutRight> numbers_;
};

/// All that an algorithm asks for in one launch, on one rank: where few rows take less time
/// than launches that wait for each other.
template <class Layout>
class OneTileLaunch
{
  template <int Columns>
  using Kernel = TileStepsKernel<Span<double, Dynamic<2>, Layout>, Columns>;

public:
  /// Rows up to which it takes less time on an H200, though it uses few multiprocessors.
  static constexpr index_t most_rows = rows_of_one_launch;
  static_assert(most_rows == 2 * Kernel<8>::rows_at_once);

  OneTileLaunch(Fields<Layout> const& fields,
                void (*by_tiles)(TileOperations&, index_t columns))
      : fields_(fields)
      , partials_("strata::mgs::partials", Dynamic<1>(Kernel<8>::partial_values))
  {
    by_tiles(recorder_, fields.factor.columns());
  }

  /// Whether this device makes such launches.
  static bool is_possible(index_t columns)
  {
    bool possible = false;
    if constexpr (device_is_cuda)
      with_tile_columns(columns, [&](auto constant) {
        possible = runs_as_cluster<Kernel<decltype(constant)::value>>();
      });
    return possible;
  }
  void operator()() const
  {
    if constexpr (device_is_cuda)
      with_tile_columns(fields_.factor.columns(), [&](auto constant) {
        launch_cluster(Kernel<decltype(constant)::value>(
            fields_.a.write(), fields_.rows, recorder_.steps(), partials_.data(),
            fields_.factor.r(0), fields_.factor.pitch()));
      });
    for (int n = 0; n < recorder_.steps().count; ++n) {
      TileStep const& step = recorder_.steps().step[n];
      if (step.has_products() && !step.pass.repeats)
        fields_.ranks.sum_alone();
    }
  }

private:
  Fields<Layout> fields_;
  TileRecorder recorder_;
  Array<double, Dynamic<1>, LayoutRight> partials_;
};

} // namespace strata::mgs
