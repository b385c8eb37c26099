#pragma once

#include "array_trial.hpp"

#include "array/launch/for_each.hpp"
#include "array/launch/reduce.hpp"
#include "kernels/kernel_table.hpp"

#include <type_traits>

namespace strata::stream {

/// Variant span: a kernel on the core's spans and launches. Its loops have the order of layout
/// Order; it computes on packs where the access rule has them.
template <KernelId Id, class T, int Rank, class Layout, class Order, class Access,
          class Tuned = Tuning<>>
void launch_spans(Fields<T, Rank, Layout> const& fields)
{
  using Read = std::conditional_t<std::is_same_v<Access, AccessRestrict>, AccessRestrict,
                                  AccessReadOnly>;
  using Written = Span<T, Dynamic<Rank>, Layout, Access>;
  auto const kernel = make_kernel<Id>(
      [&](Field f) {
        auto const& array = fields[f];
        // viewed: a span over bare memory, as S5's ViewCArray; the kernel sees no difference
        return fields.owned ? array.template write<Access>()
                            : Written(array.data(), array.mapping());
      },
      [&](Field f) { return fields[f].template read<Read>(); },
      static_cast<computed_t<T>>(factor));

  // Packs are along the contiguous index, so crossed loops have none.
  constexpr auto packs = [] {
    if constexpr (Packable<Access, T> && std::is_same_v<Order, Layout>)
      return kernel_packs<Id, T, Layout>();
    else
      return Packs<1>{};
  }();
  auto const order = in_order_of<Order>(fields.extents());
  if constexpr (is_sum(Id))
    reduce(order, kernel, fields.sum, packs, Tuned());
  else
    for_each(order, kernel, packs, Tuned());
}

} // namespace strata::stream
