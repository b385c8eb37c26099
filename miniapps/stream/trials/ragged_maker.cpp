#include "array_trial.hpp"

#include "array/ragged/ragged_for_each.hpp"
#include "driver/axis.hpp"

namespace strata::stream {

namespace {

/// The kernels are those of other shapes; memory, checks and first touch are those of one long
/// row, of which the rows are parts.
template <KernelId Id, class T, Lines Of, class Access>
void launch_ragged(Fields<T, 1, LayoutDefault> const& fields, RaggedRows<> const& rows)
{
  auto const ragged = [&](auto const& values) {
    using Values = std::remove_cvref_t<decltype(values)>;
    return RaggedSpan<Values, RaggedRowsView, Of>(values, rows.view());
  };
  auto const kernel = make_kernel<Id>(
      [&](Field f) { return ragged(fields[f].template write<Access>()); },
      [&](Field f) { return ragged(fields[f].template read<>()); }, static_cast<T>(factor));
  constexpr auto packs = kernel_packs<Id, T, LayoutDefault>();
  auto const order = Walk<LineAfterLine<Of>, RaggedRowsView>(rows.view(), rows.entries());
  if constexpr (is_sum(Id))
    reduce(order, kernel, fields.sum.write(), packs);
  else
    for_each(order, kernel, packs);
}

template <class T>
using RaggedLaunch = void (*)(Fields<T, 1, LayoutDefault> const&, RaggedRows<> const&);

template <class T, Lines Of, class Access>
RaggedLaunch<T> access_launch(KernelId id)
{
  return with_kernel(id, [&]<KernelId Id>() -> RaggedLaunch<T> {
    constexpr bool plain = std::is_same_v<Access, AccessDefault>;
    if constexpr (plain || (std::is_same_v<T, double> && !is_sum(Id)))
      return &launch_ragged<Id, T, Of, Access>;
    else
      return nullptr;
  });
}

template <class T, Lines Of>
RaggedLaunch<T> lines_launch(Choice const& choice)
{
  if (choice.access == driver::word_of<AccessStreaming>())
    return access_launch<T, Of, AccessStreaming>(choice.id);
  if (choice.access == driver::word_of<AccessDefault>())
    return access_launch<T, Of, AccessDefault>(choice.id);
  return nullptr;
}

template <class T>
driver::Maker scalar_maker(Choice const& choice, Geometry const& geometry)
{
  RaggedLaunch<T> launch = nullptr;
  if (choice.layout == driver::word_of<LayoutRight>())
    launch = lines_launch<T, Lines::rows>(choice);
  else if (choice.layout == driver::word_of<LayoutLeft>())
    launch = lines_launch<T, Lines::columns>(choice);
  if (launch == nullptr)
    return {};
  return [choice, geometry, launch](driver::Workspace& workspace) {
    RaggedRows<> const rows("strata::stream::rows", geometry.rows, geometry.lengths);
    return std::make_unique<ArrayTrial<T, 1, LayoutDefault>>(
        choice, geometry.flattened(),
        [rows, launch](auto const& fields) { launch(fields, rows); }, workspace);
  };
}

} // namespace

driver::Maker ragged_maker(Choice const& choice, Geometry const& geometry)
{
  if (choice.variant != "span" || choice.index_order != "matching" || choice.owner != "owned")
    return {};
  return choice.scalar == "float" ? scalar_maker<float>(choice, geometry)
                                  : scalar_maker<double>(choice, geometry);
}

} // namespace strata::stream
