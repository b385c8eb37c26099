#include "dense_launch.hpp"

#include "array/layout/require.hpp"
#include "kernels/view_team_dot.hpp"

#include <limits>

// One work item per row, as S2 measured it, and a team per row. The loop order does not depend
// on the layout, so that the layout's effect is seen.

namespace strata::matvec {

namespace {

using AccessRandom = AccessReadOnly; ///< Kokkos' RandomAccess: a GPU's read-only cache

template <class Layout>
inline constexpr bool plain =
    std::is_same_v<Layout, LayoutLeft> || std::is_same_v<Layout, LayoutRight>;

template <class T, class Layout, bool Trans, class Access, class InputLayout = LayoutRight>
Loop launch_rows(Operands<T> const& o)
{
  auto const matrix = factor_span<Trans, T, Layout, Access>(o);
  auto const x = input_span<T, Access, InputLayout>(o.x, matrix.extent(1));
  using Writes =
      std::conditional_t<std::is_same_v<Access, AccessRestrict>, Access, AccessDefault>;
  auto const y = output_span<T, Writes>(o.y, matrix.extent(0));
  using Kernel = RowDot<std::remove_const_t<decltype(matrix)>, std::remove_const_t<decltype(x)>,
                        std::remove_const_t<decltype(y)>>;
  for_each(matrix.extent(0), Kernel{matrix, x, y});
  return {Kernel::name(), 1, matrix.extent(0)};
}

/// A rank's operands as plain Kokkos::View; Matrix is A or Aᵀ.
template <class Layout, bool Trans>
struct Views
{
  using Plain = std::conditional_t<std::is_same_v<Layout, LayoutLeft>, Kokkos::LayoutLeft,
                                   Kokkos::LayoutRight>;
  using Stored = Kokkos::View<double const**, Plain, DeviceSpace, Kokkos::MemoryUnmanaged>;
  using Matrix = std::conditional_t<Trans, Transposed<Stored>, Stored>;
  using Input = Kokkos::View<double const*, DeviceSpace, Kokkos::MemoryUnmanaged>;
  using Output = Kokkos::View<double*, DeviceSpace, Kokkos::MemoryUnmanaged>;

  Matrix matrix;
  Input x;
  Output y;

  explicit Views(Operands<double> const& o)
      : matrix{Stored(o.matrix, size(o.rows), size(o.cols))}
      , x(o.x, size(Trans ? o.rows : o.cols))
      , y(o.y, size(Trans ? o.cols : o.rows))
  {
  }

private:
  static std::size_t size(index_t n) { return static_cast<std::size_t>(n); }
};

/// The loop over rows, launched as a Kokkos user would.
template <class Layout, bool Trans>
Loop launch_views(Operands<double> const& o)
{
  using V = Views<Layout, Trans>;
  V const views(o);
  RowDot<typename V::Matrix, typename V::Input, typename V::Output> const kernel{
      views.matrix, views.x, views.y};
  auto const rows = static_cast<index_t>(views.y.extent(0));
  Kokkos::parallel_for(
      kernel.name(), Kokkos::RangePolicy<Device, Kokkos::IndexType<index_t>>(0, rows), kernel);
  return {kernel.name(), 1, rows};
}

/// A team per row with a nested reduction, as Kokkos' tutorials and kernels write it; Kokkos
/// chooses the team's size.
template <class Layout, bool Trans>
Loop launch_view_teams(Operands<double> const& o)
{
  using V = Views<Layout, Trans>;
  V const views(o);
  ViewTeamDot<typename V::Matrix, typename V::Input, typename V::Output> const kernel{
      views.matrix, views.x, views.y};
  auto const rows = static_cast<index_t>(views.y.extent(0));
  detail::require(rows <= std::numeric_limits<int>::max(), "more teams than one launch has");
  Kokkos::parallel_for(
      kernel.name(), Kokkos::TeamPolicy<Device>(static_cast<int>(rows), Kokkos::AUTO), kernel);
  return {kernel.name(), 1, rows};
}

/// A team per row: its members stride over the columns, by packs where these are contiguous.
template <class Layout, bool Trans>
Loop launch_teams(Operands<double> const& o)
{
  auto const matrix = factor_span<Trans, double, Layout>(o);
  using Matrix = std::remove_const_t<decltype(matrix)>;
  constexpr bool neighbours = fastest_index<Layout> == (Trans ? 0 : 1);
  constexpr int width = neighbours && device_is_host ? pack_width<double> : 1;
  auto const x = input_span(o.x, matrix.extent(1));
  using Partial = Span<double, Dynamic<2>, LayoutLeft>;
  Partial const y(o.y,
                  typename Partial::mapping_type(Dynamic<2>(matrix.extent(0), index_t{1})));
  Split const split{matrix.extent(0), matrix.extent(1), 1,
                    std::max<index_t>(matrix.extent(1), 1)};
  using Kernel = AlongRows<Matrix, std::remove_const_t<decltype(x)>, Partial, 1, width,
                           tuning::dot_unroll>;
  for_each_team<tuning::row_team>(split.rows, Kernel{matrix, x, y, split});
  return {Kernel::name(), width, split.rows};
}

template <class Layout, bool Trans>
Launch<double> row_launch(std::string const& access)
{
  if (access == "default")
    return &launch_rows<double, Layout, Trans, AccessDefault>;
  // Access rules are measured in layouts left and right only.
  if constexpr (!Trans && plain<Layout>)
    return access == "restrict" ? &launch_rows<double, Layout, Trans, AccessRestrict>
                                : &launch_rows<double, Layout, Trans, AccessRandom>;
  return nullptr;
}

/// The launch for the choice's layout and kernel, or null.
template <class F>
driver::Maker made(Choice const& choice, Problem const& problem, F const& launch_of)
{
  if (choice.scalar != "double")
    return {};
  Launch<double> launch = nullptr;
  MatrixLayouts::at(choice.layout, [&]<class Layout>() {
    launch = choice.kernel == "matvec_t" ? launch_of.template operator()<Layout, true>()
                                         : launch_of.template operator()<Layout, false>();
  });
  if (launch == nullptr)
    return {};
  return dense_maker<double>(choice, problem, launch);
}

} // namespace

driver::Maker row_maker(Choice const& choice, Problem const& problem)
{
  bool const view = choice.variant == "view";
  if (view && choice.access != "default")
    return {};
  return made(choice, problem, [&]<class Layout, bool Trans>() -> Launch<double> {
    if (!view)
      return row_launch<Layout, Trans>(choice.access);
    if constexpr (plain<Layout>)
      return &launch_views<Layout, Trans>;
    return nullptr;
  });
}

driver::Maker cxf_maker(Choice const& choice, Problem const& problem)
{
  if (choice.kernel != "matvec" || choice.variant != "span" || choice.parallel != "row" ||
      choice.scalar != "double" || choice.access != "default")
    return {};
  return dense_maker<double>(
      choice, problem, &launch_rows<double, LayoutRight, false, AccessDefault, LayoutLeft>);
}

driver::Maker team_maker(Choice const& choice, Problem const& problem)
{
  if (choice.access != "default")
    return {};
  bool const view = choice.variant == "view";
  return made(choice, problem, [&]<class Layout, bool Trans>() -> Launch<double> {
    if (view) {
      if constexpr (plain<Layout>)
        return &launch_view_teams<Layout, Trans>;
      return nullptr;
    }
    if constexpr (!std::is_same_v<Layout, LayoutStride>) // behaves as the device's own layout
      return &launch_teams<Layout, Trans>;
    return nullptr;
  });
}

} // namespace strata::matvec
