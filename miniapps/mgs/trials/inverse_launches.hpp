#pragma once

#include "tile_launches.hpp"

#include "array/launch/team.hpp"
#include "base/error.hpp"
#include "fragments/fragment_products.hpp"
#include "fragments/fragment_quotient.hpp"
#include "fragments/fragment_refine.hpp"
#include "fragments/fragments.hpp"
#include "fragments/inverse_factor.hpp"

namespace strata::mgs {

/// `cholesky_twice` by inverses of both factors, where `are_possible` says so: three passes
/// read the columns, and the last one stores. Where the first factor is refused, launches of
/// TileLaunches take the place of those that follow, and store each quotient.
template <class Layout>
class InverseLaunches : public TileOperations
{
  using Out = Span<double, Dynamic<2>, Layout>;
  template <int Units>
  using Products = FragmentProducts<Out, Units>;
  template <int Units>
  using Refine = FragmentRefine<Out, Units>;
  template <int Units>
  using Quotient = FragmentQuotient<Out, Units>;

public:
  InverseLaunches(Fields<Layout> const& fields, index_t all_rows)
      : tiles_(fields, all_rows, most_growth)
      , a_(fields.a.write())
      , rows_(fields.rows)
      , columns_(fields.factor.columns())
      , ranks_(fields.ranks)
      , inverses_("strata::mgs::inverses", Dynamic<1>(most_divisors * square))
  {
  }

  /// Whether this device makes such launches, for so many columns.
  static bool are_possible(index_t columns)
  {
    bool possible = false;
#if defined(KOKKOS_ENABLE_CUDA)
    if (has_fragments(columns))
      with_units(columns, [&](auto units) {
        possible = possible_of<Products<units>>() && possible_of<Refine<units>>() &&
                   possible_of<Quotient<units>>();
      });
#else
    static_cast<void>(columns);
#endif
    return possible;
  }

  void pass(TilePass const& pass) override
  {
    double* const partials = tiles_.memory().partials;
    double const* const unless = tiles_.memory().repeats;
    if (pass.repeats) {
      may_be_refused_ = ranks_.alone() || is_refused();
      pass_of_tiles(pass);
      return;
    }
    with_units(columns_, [&](auto units) {
      if (pass.divisors.usual == 0) {
        using Kernel = Products<units>;
        tiles_.add_parts(pass, launch(Kernel(a_, rows_, columns_, partials, most<Kernel>())));
      } else if (pass.stores) {
        using Kernel = Quotient<units>;
        launch(Kernel(a_, rows_, columns_, inverses_.data(), unless, most<Kernel>()));
        pass_of_tiles(pass);
      } else {
        using Kernel = Refine<units>;
        auto const parts = launch(
            Kernel(a_, rows_, columns_, inverses_.data(), unless, partials, most<Kernel>()));
        tiles_.leave_parts(stored(pass, true), parts);
        tiles_.add_parts(pass, parts);
      }
    });
  }

  /// U itself, by which the launches of TileLaunches divide, is kept of the last factor alone.
  void factor(TileFactor const& factor) override
  {
    TileFactor kept = factor;
    kept.place = 0;
    if (factor.repeats)
      tiles_.factor(kept);
    else
      for_each_team<InverseFactor::members>(
          1, InverseFactor{tiles_.kernel_of(kept), inverses_.data() + factor.place * square});
  }

  /// Whether the first factor of the last step was. Waits for the device.
  [[nodiscard]] bool is_refused() const { return tiles_.repeats(); }

  [[nodiscard]] bool divides_again() const override { return false; }
  [[nodiscard]] bool divides_all_again() const override { return true; }

private:
  static constexpr index_t square = most_tile_columns * most_tile_columns;
  /// How much rounding may grow in U⁻¹; far less than this where divides_by_inverses() says so.
  static constexpr double most_growth = 100;

  static TilePass stored(TilePass pass, bool repeats)
  {
    pass.divisors = {1};
    pass.stores = true;
    pass.repeats = repeats;
    return pass;
  }
  /// Where the factor is refused: on one rank the device knows, on several the host has asked.
  void pass_of_tiles(TilePass const& pass)
  {
    if (may_be_refused_)
      tiles_.pass(stored(pass, ranks_.alone()));
  }

  template <class F>
  static void with_units(index_t columns, F const& f)
  {
    with_tile_columns(columns, [&](auto rounded_up) { f(Number<rounded_up / 8>()); });
  }
#if defined(KOKKOS_ENABLE_CUDA)
  template <class Kernel>
  static bool possible_of()
  {
    return runs_as_teams<Kernel::members, Kernel>();
  }
#endif
  template <class Kernel>
  static index_t most()
  {
    return teams_of_device<Kernel>();
  }
  /// Returns the number of teams. Compiled for NVIDIA GPUs alone.
  template <class Kernel>
  static index_t launch(Kernel const& kernel)
  {
    if constexpr (device_is_cuda)
      for_each_team<Kernel::members>(kernel.teams(), kernel);
    else
      STRATA_CHECK(false, "only an NVIDIA GPU divides by inverses of small factors");
    return kernel.teams();
  }

  TileLaunches<Layout> tiles_;
  Out a_;
  index_t rows_;
  index_t columns_;
  OverRanks const& ranks_;
  bool may_be_refused_ = true;
  Array<double, Dynamic<1>, LayoutRight> inverses_; ///< as InverseFactor leaves them
};

} // namespace strata::mgs
