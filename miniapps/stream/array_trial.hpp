#pragma once

#include "checks.hpp"
#include "kernels.hpp"
#include "trials.hpp"

#include "array/for_each.hpp"
#include "verify/compare.hpp"

#include <functional>
#include <limits>
#include <utility>

// Trials over the core's arrays: variants span, view and native differ in their launch only.

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

/// The three arrays of a case and where its sum goes.
template <class T, int Rank, class Layout>
struct Fields
{
  using Values = Array<T, Dynamic<Rank>, Layout>;

  std::array<Values, 3> arrays;
  Array<double, Extents<index_t>, LayoutRight> sum;
  bool owned = true; ///< else kernels write through spans over bare memory

  Values const& operator[](Field f) const { return arrays[static_cast<std::size_t>(f)]; }
  [[nodiscard]] auto extents() const { return arrays[0].extents(); }
  [[nodiscard]] auto walk() const { return in_order_of<Layout>(extents()); }
  [[nodiscard]] auto sum_view() const
  {
    return Kokkos::View<double, DeviceSpace, Kokkos::MemoryUnmanaged>(sum.data());
  }
};

/// One step of a kernel: what the variants differ in.
template <class T, int Rank, class Layout>
using Launch = std::function<void(Fields<T, Rank, Layout> const&)>;

/// Values, launch and check of every element of a case over the core's arrays.
template <class T, int Rank, class Layout>
class ArrayTrial final : public driver::Trial
{
public:
  ArrayTrial(Choice const& choice, Geometry const& geometry, Launch<T, Rank, Layout> launch,
             driver::Workspace& workspace)
      : choice_(choice)
      , geometry_(geometry)
      , launch_(std::move(launch))
  {
    using Values = typename Fields<T, Rank, Layout>::Values;
    typename Values::mapping_type const mapping(local_extents<Rank>(geometry));
    for (auto const f : {Field::a, Field::b, Field::c})
      fields_.arrays[static_cast<std::size_t>(f)] =
          Values(workspace.take(field_slot(choice, geometry, f)), mapping);
    fields_.sum = {"strata::stream::sum", Extents<index_t>()};
    fields_.owned = choice.owner == "owned";
  }

  void reset() override
  {
    for (auto const f : {Field::a, Field::b, Field::c}) {
      auto const values = fields_[f].write();
      for_each(fields_.walk(), Initialise<decltype(values)>{values, GlobalIndex(geometry_), f,
                                                            is_spoiled(choice_.id, f)});
    }
    Kokkos::deep_copy(fields_.sum_view(), std::numeric_limits<double>::quiet_NaN());
  }
  void step() override { launch_(fields_); }
  [[nodiscard]] measure::Work work() const override
  {
    return kernel_work<T>(choice_.id, geometry_.elements);
  }
  [[nodiscard]] std::vector<driver::Metric> metrics() const override
  {
    return metrics_of(choice_, work());
  }

  std::vector<verify::Verdict> verify(int steps) override
  {
    if (is_sum(choice_.id)) {
      double sum = 0;
      Kokkos::deep_copy(sum, fields_.sum_view());
      return {judge_sum(sum, geometry_, choice_.id)};
    }
    double const error =
        verify::largest_error(fields_.walk(), fields_[output_of(choice_.id)].read(),
                              ExpectedValue{GlobalIndex(geometry_), choice_.id, steps});
    return {judge_values<T>(error, choice_.id, steps)};
  }

  verify::Output output() override
  {
    if (is_sum(choice_.id))
      return {fields_.sum.data(), 1, sizeof(double), true};
    auto const order = fields_.walk();
    return {fields_[output_of(choice_.id)].data(), order.length_of(order.outer(0)), sizeof(T),
            true};
  }

private:
  Choice choice_;
  Geometry geometry_;
  Launch<T, Rank, Layout> launch_;
  Fields<T, Rank, Layout> fields_;
};

/// Makes the trial of a launch.
template <class T, int Rank, class Layout>
driver::Maker maker(Choice const& choice, Geometry const& geometry,
                    Launch<T, Rank, Layout> launch)
{
  return [choice, geometry, launch = std::move(launch)](driver::Workspace& workspace) {
    return std::make_unique<ArrayTrial<T, Rank, Layout>>(choice, geometry, launch, workspace);
  };
}

} // namespace strata::stream
