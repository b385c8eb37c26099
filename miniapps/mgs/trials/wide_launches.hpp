#pragma once

#include "trial.hpp"

#include "array/launch/for_each.hpp"
#include "array/launch/team.hpp"
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
      : a_(fields.a.write())
      , rows_(fields.rows)
      , factor_(fields.factor)
      , ranks_(fields.ranks)
      , numbers_("strata::mgs::wide", Dynamic<1>(size()))
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
#if defined(KOKKOS_ENABLE_CUDA)
    Products const kernel(a_, rows_, factor_.columns(), partials());
    for_each_team<Products::members>(kernel.teams(), kernel);
    AddParts::launch({partials(), products(), count(), kernel.parts()});
    ranks_.sum(products(), count());
#endif
  }
  /// Whether rounding grows by at most `most_growth` in the U⁻¹ of these products, which are
  /// those of columns that were divided before, if `again`. Waits for the device, unless
  /// `again`.
  bool factor([[maybe_unused]] bool again, [[maybe_unused]] double most_growth)
  {
#if defined(KOKKOS_ENABLE_CUDA)
    double* const refused = partials() - 1;
    for_each_team<WideFactor::members>(1, WideFactor{factor_.columns(), products(), u(again),
                                                     inverse(), most_growth, refused});
    if (!again) {
      double value = 0;
      Kokkos::deep_copy(value,
                        Kokkos::View<double, DeviceSpace, Kokkos::MemoryUnmanaged>(refused));
      if (value != 0)
        return false;
    }
    for_each(factor_.columns() * factor_.columns(),
             WideR{factor_.columns(), u(again), again ? u(false) : nullptr, factor_.r(0),
                   factor_.pitch()});
#endif
    return true;
  }
  /// All columns = columns·U⁻¹.
  void divide()
  {
#if defined(KOKKOS_ENABLE_CUDA)
    Quotient const quotient(a_, rows_, factor_.columns(), inverse());
    for_each_team<Quotient::members>(quotient.teams(), quotient);
#endif
  }

private:
  [[nodiscard]] index_t count() const { return Triangle::of(factor_.columns()).size(); }
  [[nodiscard]] double* products() const { return numbers_.data(); }
  [[nodiscard]] double* inverse() const { return numbers_.data() + count(); }
  [[nodiscard]] double* u(bool again) const
  {
    return numbers_.data() + (again ? 3 : 2) * count();
  }
  [[nodiscard]] double* partials() const { return numbers_.data() + 4 * count() + 2; }

  [[nodiscard]] index_t size() const
  {
    if (!are_possible(factor_.columns()))
      return 0;
    return 4 * count() + 2 + Products::most_parts(factor_.columns()) * count();
  }

  Out a_;
  index_t rows_;
  Factor const& factor_;
  OverRanks& ranks_;
  Array<double, Dynamic<1>, LayoutRight> numbers_;
};

} // namespace strata::mgs
