#pragma once

#include "tile_launches.hpp"
#include "wide_launches.hpp"

#include "array/launch/for_each.hpp"
#include "panels/pack_panels.hpp"
#include "panels/panel_pass.hpp"
#include "panels/panel_solves.hpp"
#include "panels/warp_panels.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>

namespace strata::mgs {

/// Launches over panels of spans, and of all columns at once; the small matrices stay on the
/// device.
template <class Layout>
class PanelLaunches : public PanelOperations
{
  using Out = Span<double, Dynamic<2>, Layout>;
  using Pass = PanelPass<Out>;

public:
  /// `at_once`: with those of all columns, where the device makes them.
  PanelLaunches(Fields<Layout> const& fields, index_t all_rows, bool at_once)
      : tiles_(fields, all_rows, most_growth)
      , a_(fields.a.write())
      , rows_(fields.rows)
      , factor_(fields.factor)
      , ranks_(fields.ranks)
      , products_("strata::mgs::products", Dynamic<1>(blocks() * square))
      , coefficients_("strata::mgs::coefficients",
                      Dynamic<1>(most_in_one_pass() > 0 ? blocks() * square : 0))
      , partials_("strata::mgs::partials", Dynamic<1>(most_partials()))
  {
    if (at_once && WideLaunches<Layout>::are_possible(factor_.columns()))
      wide_.emplace(fields);
  }

  /// Greatest number of columns of a rest that `update` changes and multiplies in one pass; 0:
  /// none.
  static index_t most_in_one_pass()
  {
#if defined(KOKKOS_ENABLE_CUDA)
    return runs_as_teams<Pass::members, Pass>() ? Pass::most_columns : 0;
#else
    return 0;
#endif
  }

  void multiply(PanelStep const& step) override { multiply(step, nullptr); }

  void factor(PanelStep const& step) override
  {
    tiles_.factor({.panel = step.panel, .rest = {}, .first = !step.again, .pitch = panel_width},
                  products_.data());
    solve(step, nullptr);
  }

  void refine(PanelStep const& step) override
  {
    tiles_.pass({.panel = step.panel,
                 .rest = behind(step.panel),
                 .divisors = {1},
                 .stores = true,
                 .left = step.panel,
                 .right = step.panel});
    tiles_.factor({.panel = step.panel, .rest = {}});
    solve(step, nullptr);
  }

  void repair(PanelStep const& step) override
  {
    bool const asked = !ranks_.alone();
    if (asked && !tiles_.repeats())
      return;
    double const* const wanted = asked ? nullptr : tiles_.memory().repeats;
    tiles_.pass({.panel = step.panel,
                 .rest = behind(step.panel),
                 .divisors = {1},
                 .stores = true,
                 .repeats = !asked});
    multiply(step, wanted);
    tiles_.factor({.panel = step.panel, .rest = {}, .repeats = !asked, .pitch = panel_width},
                  products_.data());
    solve(step, wanted);
  }

  void update(PanelStep const& step, ColumnRange const& next) override
  {
    if (step.rest.count > 0 && step.again)
      for_each(step.panel.count * step.rest.count,
               AddToFactor{step, products_.data(), factor_.r(0), factor_.pitch()});
    if (step.rest.count > 0 && step.rest.count <= most_in_one_pass()) {
      update_once(step, next);
      return;
    }
    tiles_.pass(
        {.panel = step.panel, .rest = behind(step.panel), .divisors = {1}, .stores = true});
    if (step.rest.count == 0)
      return;
    Update const update(a_, rows_, {step.panel, step.rest}, products_.data() + square);
    for_each_team<Update::members>(update.teams(), update);
    multiply({next, {next.first + next.count, step.rest.count - next.count}});
  }

  [[nodiscard]] bool has_all_at_once() const override { return wide_.has_value(); }
  void multiply_all() override { wide_->multiply(); }
  bool factor_all(bool again) override { return wide_->factor(again, most_growth_at_once); }
  void divide_all() override { wide_->divide(); }

private:
  using Products =
      std::conditional_t<device_is_host, PackPanelProducts<Out>, WarpPanelProducts<Out>>;
  using Update = std::conditional_t<device_is_host, PackPanelUpdate<Out>, WarpPanelUpdate<Out>>;
  static constexpr index_t square = panel_width * panel_width;
  /// How much the rounding of products with the rest may grow in U⁻ᵀ: where it could more, they
  /// are made anew from the panel's quotient.
  static constexpr double most_growth = 32;
  /// How much rounding may grow in U⁻¹ of all columns: of random ones it does up to 27 times.
  static constexpr double most_growth_at_once = 100;

  static ColumnRange behind(ColumnRange const& panel) { return {panel.first + panel.count, 0}; }

  /// Unless `wanted` points to 0.
  void multiply(PanelStep const& step, double const* wanted)
  {
    PanelPair const of{step.panel, step.all()};
    Products products(a_, rows_, of, partials_.data());
    products.only_if(wanted);
    for_each_team<Products::members>(products.teams(), products);
    add_parts(of.count(), Products::parts(rows_, of.blocks()), wanted);
  }
  void add_parts(index_t count, index_t parts, double const* wanted)
  {
    AddParts::launch({partials_.data(), products_.data(), count, parts, wanted});
    if (wanted == nullptr)
      ranks_.sum(products_.data(), count);
  }
  void solve(PanelStep const& step, double const* wanted)
  {
    for_each(step.rest.count, SolveProducts{step, products_.data(), tiles_.memory(),
                                            factor_.r(0), factor_.pitch(), wanted});
  }
  void update_once([[maybe_unused]] PanelStep const& step,
                   [[maybe_unused]] ColumnRange const& next)
  {
#if defined(KOKKOS_ENABLE_CUDA)
    for_each(panel_width + step.rest.count,
             SolveCoefficients{step, products_.data(), tiles_.memory(), coefficients_.data()});
    Pass const pass(a_, rows_, step.panel, step.rest, coefficients_.data(), partials_.data());
    for_each_team<Pass::members>(pass.teams(), pass);
    add_parts(PanelPair{next, step.rest}.count(), pass.parts(), nullptr);
#endif
  }

  /// Blocks of products of a panel with all columns.
  [[nodiscard]] index_t blocks() const { return blocks_of({0, factor_.columns()}); }
  [[nodiscard]] index_t most_partials() const
  {
    index_t most = 0;
    for (index_t n = 1; n <= blocks(); ++n)
      most = std::max(most, n * Products::parts(rows_, n) * square);
    return most_in_one_pass() > 0 ? std::max(most, Pass::most_partials()) : most;
  }

  TileLaunches<Layout> tiles_;
  std::optional<WideLaunches<Layout>> wide_;
  Out a_;
  index_t rows_;
  Factor const& factor_;
  OverRanks& ranks_;
  Array<double, Dynamic<1>, LayoutRight> products_; ///< with the rest; then C
  Array<double, Dynamic<1>, LayoutRight> coefficients_;
  Array<double, Dynamic<1>, LayoutRight> partials_;
};

} // namespace strata::mgs
