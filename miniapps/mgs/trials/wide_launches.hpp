#pragma once

#include "trial.hpp"

#include "array/launch/for_each.hpp"
#include "array/launch/team.hpp"
#include "base/error.hpp"
#include "rows/add_parts.hpp"
#include "wide/wide_factor.hpp"
#include "wide/wide_products.hpp"
#include "wide/wide_quotient.hpp"

namespace strata::mgs {

/// Launches of CholeskyQR over all columns of a span at once, where `are_possible` says so; the
/// small matrices stay on the device.
template <class Layout>
class WideLaunches
{
  using Out = Span<double, Dynamic<2>, Layout>;
  using Products = WideProducts<Out>;
  using Quotient = WideQuotient<Out>;

public:
  explicit WideLaunches(Fields<Layout> const& fields)
      : factor_(fields.factor)
      , ranks_(fields.ranks)
      , numbers_("strata::mgs::wide", Dynamic<1>(size()))
      , products_kernel_(fields.a.write(), fields.rows, factor_.columns(), partials())
      , quotient_(fields.a.write(), fields.rows, factor_.columns(), inverse())
  {
  }

  /// Whether this device makes such launches, for so many columns.
  static bool are_possible(index_t columns)
  {
#if defined(KOKKOS_ENABLE_CUDA)
    return is_wide(columns) && runs_as_teams<Products::members, Products>() &&
           runs_as_teams<Quotient::members, Quotient>() &&
           runs_as_teams<WideFactor::members, WideFactor>();
#else
    return is_wide(columns);
#endif
  }

  /// Products of all columns, over all ranks.
  void multiply()
  {
    launch(products_kernel_);
    AddParts::launch({partials(), products(), count(), products_kernel_.parts()});
    ranks_.sum(products(), count());
  }
  /// Whether rounding grows by at most `most_growth` in the U⁻¹ of these products, which are
  /// those of columns that were divided before, if `again`. Waits for the device, unless
  /// `again`.
  bool factor(bool again, double most_growth)
  {
    index_t const columns = factor_.columns();
    launch(WideFactor{columns, products(), u(again), inverse(), most_growth, refused()});
    if (!again && is_set_on_device(refused()))
      return false;
    for_each(columns * columns, WideR{columns, u(again), again ? u(false) : nullptr,
                                      factor_.r(0), factor_.pitch()});
    return true;
  }
  /// All columns = columns·U⁻¹.
  void divide() { launch(quotient_); }

private:
  /// Compiled for NVIDIA GPUs alone.
  template <class Kernel>
  static void launch([[maybe_unused]] Kernel const& kernel)
  {
    if constexpr (device_is_cuda)
      for_each_team<Kernel::members>(kernel.teams(), kernel);
    else
      STRATA_CHECK(false, "only an NVIDIA GPU takes all columns at once");
  }

  [[nodiscard]] index_t count() const { return Triangle::of(factor_.columns()).size(); }
  [[nodiscard]] double* products() const { return numbers_.data(); }
  [[nodiscard]] double* inverse() const { return numbers_.data() + count(); }
  [[nodiscard]] double* u(bool again) const
  {
    return numbers_.data() + (again ? 3 : 2) * count();
  }
  [[nodiscard]] double* refused() const { return numbers_.data() + 4 * count(); }
  [[nodiscard]] double* partials() const { return refused() + 1; }
  [[nodiscard]] index_t size() const
  {
    return (4 + Products::most_parts(factor_.columns())) * count() + 1;
  }

  Factor const& factor_;
  OverRanks& ranks_;
  Array<double, Dynamic<1>, LayoutRight> numbers_;
  Products products_kernel_;
  Quotient quotient_;
};

} // namespace strata::mgs
