#include "array_trial.hpp"

#include "array/ragged_for_each.hpp"

namespace strata::stream {

namespace {

/// Kernels are the same as for arrays of any rank; memory, checks and first touch are those of
/// one long row, which the rows lie in.
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
  constexpr auto packs = widest_packs<T, LayoutDefault>;
  auto const order = Walk<LineAfterLine<Of>, RaggedRowsView>(rows.view());
  if constexpr (Id == KernelId::dot || Id == KernelId::read)
    reduce(order, kernel, fields.sum.write(), packs);
  else
    for_each(order, kernel, packs);
}

template <class T, Lines Of, class Access>
driver::Maker access_maker(Choice const& choice, Geometry const& geometry)
{
  return with_kernel(choice.id, [&]<KernelId Id>() -> driver::Maker {
    constexpr bool plain = std::is_same_v<Access, AccessDefault>;
    if constexpr (plain ||
                  (std::is_same_v<T, double> && Id != KernelId::dot && Id != KernelId::read))
      return [choice, geometry](driver::Workspace& workspace) {
        RaggedRows<> const rows("strata::stream::rows", geometry.rows, geometry.lengths);
        return std::make_unique<ArrayTrial<T, 1, LayoutDefault>>(
            choice, geometry.flattened(),
            [rows](auto const& fields) { launch_ragged<Id, T, Of, Access>(fields, rows); },
            workspace);
      };
    else
      return {};
  });
}

template <class T>
driver::Maker scalar_maker(Choice const& choice, Geometry const& geometry)
{
  bool const streaming = choice.access == AccessStreaming::name();
  if (!streaming && choice.access != AccessDefault::name())
    return {};
  if (choice.layout == LayoutRight::name())
    return streaming ? access_maker<T, Lines::rows, AccessStreaming>(choice, geometry)
                     : access_maker<T, Lines::rows, AccessDefault>(choice, geometry);
  if (choice.layout == LayoutLeft::name())
    return streaming ? access_maker<T, Lines::columns, AccessStreaming>(choice, geometry)
                     : access_maker<T, Lines::columns, AccessDefault>(choice, geometry);
  return {};
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
