#pragma once

#include "array_trial.hpp"

// Variant view: the same kernels on plain Kokkos::View, launched as a Kokkos user would, flat
// for one index and by MDRangePolicy for more.

namespace strata::stream {

/// Kokkos wants a reduction's value last; our kernels take it first.
template <class Kernel, int Rank>
struct SumLast;
template <class Kernel>
struct SumLast<Kernel, 1>
{
  Kernel kernel;
  KOKKOS_FUNCTION void operator()(index_t i, double& sum) const { kernel(sum, i); }
};
template <class Kernel>
struct SumLast<Kernel, 3>
{
  Kernel kernel;
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k, double& sum) const
  {
    kernel(sum, i, j, k);
  }
};
template <class Kernel>
struct SumLast<Kernel, 4>
{
  Kernel kernel;
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k, index_t l, double& sum) const
  {
    kernel(sum, i, j, k, l);
  }
};

/// Kokkos::View's data type and layout for Rank indices in our layout's order.
template <class T, int Rank>
struct ViewData
{
  using type = typename ViewData<T, Rank - 1>::type*;
};
template <class T>
struct ViewData<T, 0>
{
  using type = T;
};

template <KernelId Id, class T, int Rank, class Layout>
class ViewTrial final : public ArrayTrial<T, Rank, Layout>
{
  using Base = ArrayTrial<T, Rank, Layout>;
  static constexpr bool left = std::is_same_v<Layout, LayoutLeft>;
  using KokkosLayout = std::conditional_t<left, Kokkos::LayoutLeft, Kokkos::LayoutRight>;
  template <class U>
  using View = Kokkos::View<typename ViewData<U, Rank>::type, KokkosLayout, DeviceSpace,
                            Kokkos::MemoryUnmanaged>;

public:
  using Base::Base;

  void step() override
  {
    auto const work = kernel();
    auto const range = policy();
    using Kernel = std::remove_const_t<decltype(work)>;
    if constexpr (Id == KernelId::dot || Id == KernelId::read)
      Kokkos::parallel_reduce(Kernel::name(), range, SumLast<Kernel, Rank>{work},
                              this->sum_view());
    else
      Kokkos::parallel_for(Kernel::name(), range, work);
  }
  [[nodiscard]] measure::Work work() const override
  {
    return work::of(kernel(), this->field(Field::a).size());
  }

private:
  [[nodiscard]] auto policy() const
  {
    auto const& extents = this->field(Field::a).extents();
    if constexpr (Rank == 1)
      return Kokkos::RangePolicy<Device, Kokkos::IndexType<index_t>>(0, extents.extent(0));
    else {
      constexpr auto order = left ? Kokkos::Iterate::Left : Kokkos::Iterate::Right;
      Kokkos::Array<index_t, Rank> begin{};
      Kokkos::Array<index_t, Rank> end{};
      for (std::size_t r = 0; r < Rank; ++r)
        end[r] = extents.extent(r);
      return Kokkos::MDRangePolicy<Device, Kokkos::Rank<Rank, order, order>,
                                   Kokkos::IndexType<index_t>>(begin, end);
    }
  }
  template <class U>
  [[nodiscard]] View<U> view(Field f) const
  {
    return [&]<std::size_t... R>(std::index_sequence<R...>) {
      auto const& array = this->field(f);
      return View<U>(array.data(), static_cast<std::size_t>(array.extents().extent(R))...);
    }(std::make_index_sequence<Rank>{});
  }
  [[nodiscard]] auto kernel() const
  {
    return make_kernel<Id>([&](Field f) { return view<T>(f); },
                           [&](Field f) { return view<T const>(f); }, static_cast<T>(factor));
  }
};

} // namespace strata::stream
