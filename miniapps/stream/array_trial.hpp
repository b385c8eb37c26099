#pragma once

#include "kernels.hpp"
#include "trials.hpp"

#include "array/for_each.hpp"
#include "verify/compare.hpp"
#include "verify/tolerance.hpp"

#include <limits>
#include <type_traits>
#include <utility>

// Trials over the core's arrays: variants span and view.

namespace strata::stream {

/// Extents of this rank's part.
template <int Rank>
auto local_extents(Geometry const& geometry)
{
  return [&]<std::size_t... R>(std::index_sequence<R...>) {
    return Dynamic<Rank>(geometry.rows, geometry.global[R + 1]...);
  }(std::make_index_sequence<Rank - 1>{});
}

/// Global row-major index of local indices.
struct GlobalIndex
{
  index_t first;
  index_t sizes[4];

  explicit GlobalIndex(Geometry const& geometry)
      : first(geometry.first)
      , sizes{geometry.global[0], geometry.global[1], geometry.global[2], geometry.global[3]}
  {
  }
  template <class... I>
  KOKKOS_FUNCTION index_t operator()(index_t i, I... rest) const
  {
    index_t g = first + i;
    int r = 1;
    ((g = g * sizes[r++] + rest), ...);
    return g;
  }
};

/// field(i...) = initial value, or NaN where the kernel is to write.
template <class Values>
struct Initialise
{
  static constexpr char const* name() { return "strata::stream::Initialise"; }
  Values values;
  GlobalIndex global;
  Field field;
  bool spoil;

  template <class... I>
  KOKKOS_FUNCTION void operator()(I... i) const
  {
    using T = typename Values::value_type;
    values(i...) = spoil ? std::numeric_limits<T>::quiet_NaN()
                         : static_cast<T>(initial(field, global(i...)));
  }
};

/// What each element must be: the closed form of reference.hpp.
struct ExpectedValue
{
  GlobalIndex global;
  KernelId kernel;
  int steps;

  template <class... I>
  KOKKOS_FUNCTION double operator()(I... i) const
  {
    return expected_value(kernel, global(i...), steps);
  }
};

/// Exact sum of what dot or read adds up, in integers.
struct ExpectedSum
{
  index_t first;
  KernelId kernel;
  KOKKOS_FUNCTION void operator()(index_t i, std::int64_t& sum) const
  {
    sum += expected_term(kernel, first + i);
  }
};

inline double expected_sum(Geometry const& geometry, KernelId kernel)
{
  std::int64_t sum = 0;
  Kokkos::parallel_reduce(
      "strata::stream::ExpectedSum",
      Kokkos::RangePolicy<Device, Kokkos::IndexType<index_t>>(0, geometry.size()),
      ExpectedSum{geometry.first * geometry.row_size(), kernel}, sum);
  return static_cast<double>(sum) * sum_unit;
}

/// The array that a kernel writes.
inline Field output_of(KernelId kernel)
{
  switch (kernel) {
  case KernelId::copy:
  case KernelId::add:
    return Field::c;
  case KernelId::scale:
    return Field::b;
  default:
    return Field::a;
  }
}

inline bool is_sum(KernelId kernel)
{
  return kernel == KernelId::dot || kernel == KernelId::read;
}

/// The three arrays of a case, their values and the check of every element; what the variants
/// share. A case's kernel is Kernel's, whichever way it is launched.
template <class T, int Rank, class Layout>
class ArrayTrial : public driver::Trial
{
public:
  using Values = Array<T, Dynamic<Rank>, Layout>;

  ArrayTrial(Choice const& choice, Geometry const& geometry, driver::Workspace& workspace)
      : kernel_(choice.id)
      , geometry_(geometry)
      , sum_("strata::stream::sum", Extents<index_t>())
  {
    typename Values::mapping_type const mapping(local_extents<Rank>(geometry));
    for (auto const which : {Field::a, Field::b, Field::c})
      fields_[static_cast<std::size_t>(which)] =
          Values(workspace.take(field_slot(choice, geometry, which)), mapping);
  }

  void reset() override
  {
    for (auto const which : {Field::a, Field::b, Field::c}) {
      auto const values = field(which).write();
      bool const spoil =
          which == output_of(kernel_) && !is_sum(kernel_) && kernel_ != KernelId::nstream;
      for_each(walk(),
               Initialise<decltype(values)>{values, GlobalIndex(geometry_), which, spoil});
    }
    Kokkos::deep_copy(sum_view(), std::numeric_limits<double>::quiet_NaN());
  }

  std::vector<driver::Metric> metrics() const override
  {
    return {{"bandwidth", "B/s", static_cast<double>(work().bytes())}};
  }

  std::vector<verify::Verdict> verify(int steps) override
  {
    double error = 0;
    double allowed = 0;
    if (is_sum(kernel_)) {
      double sum = 0;
      Kokkos::deep_copy(sum, sum_view());
      error = verify::relative_error(sum, expected_sum(geometry_, kernel_));
    } else {
      auto const values = field(output_of(kernel_)).read();
      error = verify::largest_error(walk(), values,
                                    ExpectedValue{GlobalIndex(geometry_), kernel_, steps});
      if (kernel_ == KernelId::nstream && steps > exact_steps<T>())
        allowed = verify::rounding<T>(steps);
    }
    return {verify::judge("max_relative_error", error, allowed)};
  }

  verify::Output output() override
  {
    if (is_sum(kernel_))
      return {sum_.data(), 1, sizeof(double), true};
    auto const& written = field(output_of(kernel_));
    auto const order = walk();
    return {written.data(), order.length_of(order.outer(0)), sizeof(T), true};
  }

protected:
  [[nodiscard]] Values const& field(Field f) const
  {
    return fields_[static_cast<std::size_t>(f)];
  }
  [[nodiscard]] auto walk() const { return in_order_of<Layout>(field(Field::a).extents()); }
  [[nodiscard]] auto const& sum() const { return sum_; }
  [[nodiscard]] auto sum_view() const
  {
    return Kokkos::View<double, DeviceSpace, Kokkos::MemoryUnmanaged>(sum_.data());
  }

  KernelId kernel_;
  Geometry geometry_;

private:
  std::array<Values, 3> fields_;
  Array<double, Extents<index_t>, LayoutRight> sum_;
};

/// Kernel `Id` on operands got from `write(field)` and `read(field)`.
template <KernelId Id, class Write, class Read, class T>
auto make_kernel(Write const& write, Read const& read, T s)
{
  using W = decltype(write(Field::a));
  using R = decltype(read(Field::a));
  if constexpr (Id == KernelId::set)
    return Set<W>{write(Field::a), s};
  else if constexpr (Id == KernelId::copy)
    return Copy<R, W>{read(Field::a), write(Field::c)};
  else if constexpr (Id == KernelId::scale)
    return Scale<W, R>{write(Field::b), read(Field::c), s};
  else if constexpr (Id == KernelId::add)
    return Add<R, R, W>{read(Field::a), read(Field::b), write(Field::c)};
  else if constexpr (Id == KernelId::triad)
    return Triad<W, R, R>{write(Field::a), read(Field::b), read(Field::c), s};
  else if constexpr (Id == KernelId::nstream)
    return Nstream<W, R, R>{write(Field::a), read(Field::b), read(Field::c), s};
  else if constexpr (Id == KernelId::dot)
    return Dot<R, R>{read(Field::a), read(Field::b)};
  else
    return Sum<R>{read(Field::a)};
}

/// Variant span: the core's spans and launches, in packs where the access rule can.
template <KernelId Id, class T, int Rank, class Layout, class Order, class Access>
class SpanTrial final : public ArrayTrial<T, Rank, Layout>
{
  using Base = ArrayTrial<T, Rank, Layout>;

public:
  SpanTrial(Choice const& choice, Geometry const& geometry, driver::Workspace& workspace)
      : Base(choice, geometry, workspace)
      , owned_(choice.owner == "owned")
  {
  }

  void step() override
  {
    auto const order = in_order_of<Order>(this->field(Field::a).extents());
    // Packs lie along the contiguous index: crossed loops cannot have them.
    constexpr bool packable = Packable<Access, T> && std::is_same_v<Order, Layout>;
    constexpr auto packs = [] {
      if constexpr (packable)
        return widest_packs<T, Layout>;
      else
        return Packs<1>{};
    }();
    if constexpr (Id == KernelId::dot || Id == KernelId::read)
      reduce(order, kernel(), this->sum(), packs);
    else
      for_each(order, kernel(), packs);
  }
  [[nodiscard]] measure::Work work() const override
  {
    return work::of(kernel(), this->field(Field::a).size());
  }

private:
  using Read = std::conditional_t<std::is_same_v<Access, AccessRestrict>, AccessRestrict,
                                  AccessReadOnly>;

  [[nodiscard]] auto kernel() const
  {
    return make_kernel<Id>(
        [&](Field f) {
          using Written = Span<T, Dynamic<Rank>, Layout, Access>;
          auto const& array = this->field(f);
          // viewed: a span over bare memory, as S5's ViewCArray; the same to the kernel
          return owned_ ? array.template write<Access>()
                        : Written(array.data(), array.mapping());
        },
        [&](Field f) { return this->field(f).template read<Read>(); }, static_cast<T>(factor));
  }

  bool owned_;
};

/// Calls f<Id>() for the run-time `id`.
template <class F>
auto with_kernel(KernelId id, F const& f)
{
  switch (id) {
  case KernelId::set:
    return f.template operator()<KernelId::set>();
  case KernelId::copy:
    return f.template operator()<KernelId::copy>();
  case KernelId::scale:
    return f.template operator()<KernelId::scale>();
  case KernelId::add:
    return f.template operator()<KernelId::add>();
  case KernelId::triad:
    return f.template operator()<KernelId::triad>();
  case KernelId::nstream:
    return f.template operator()<KernelId::nstream>();
  case KernelId::dot:
    return f.template operator()<KernelId::dot>();
  default:
    return f.template operator()<KernelId::read>();
  }
}

} // namespace strata::stream
