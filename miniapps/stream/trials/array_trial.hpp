#pragma once

#include "checks.hpp"
#include "trials.hpp"

#include "array/launch/for_each.hpp"
#include "kernels/kernel_table.hpp"
#include "verify/compare.hpp"
#include "verify/elements.hpp"

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

/// field(i...) = initial value, or NaN where the kernel will write.
template <class Values>
struct Initialise
{
  static constexpr char const* name() { return "strata::stream::Initialise"; }
  using T = typename Values::value_type;
  static constexpr T spoilt = std::numeric_limits<T>::quiet_NaN();

  Values values;
  GlobalIndex global;
  Field field;
  bool spoil;

  template <class... I>
  KOKKOS_FUNCTION void operator()(I... i) const
  {
    values(i...) = spoil ? spoilt : static_cast<T>(initial(field, global(i...)));
  }
};

/// The value that each element must have: the closed form of reference.hpp, rounded to T.
template <class T>
struct ExpectedValue
{
  GlobalIndex global;
  KernelId kernel;
  int steps;

  template <class... I>
  KOKKOS_FUNCTION double operator()(I... i) const
  {
    return static_cast<double>(static_cast<T>(expected_value(kernel, global(i...), steps)));
  }
};

/// Where dot and read leave their sum.
using SumArray = Array<double, Extents<index_t>, LayoutRight>;

inline auto view_of(SumArray const& sum)
{
  return Kokkos::View<double, DeviceSpace, Kokkos::MemoryUnmanaged>(sum.data());
}

/// The three arrays of a case and its sum.
template <class T, int Rank, class Layout>
struct Fields
{
  using Values = Array<T, Dynamic<Rank>, Layout>;

  std::array<Values, 3> arrays;
  SumArray sum;
  bool owned = true; ///< else kernels use spans over bare memory

  Values const& operator[](Field f) const { return arrays[static_cast<std::size_t>(f)]; }
  [[nodiscard]] auto extents() const { return arrays[0].extents(); }
  [[nodiscard]] auto walk() const { return in_order_of<Layout>(extents()); }
};

/// One step of a kernel: what the variants differ in.
template <class T, int Rank, class Layout>
using Launch = std::function<void(Fields<T, Rank, Layout> const&)>;
template <class T, int Rank, class Layout>
using LaunchFunction = void (*)(Fields<T, Rank, Layout> const&);

/// The part of the trials over the core's arrays that does not depend on type, rank and layout,
/// so that it is compiled once.
class ArrayTrialBase : public driver::Trial
{
public:
  ArrayTrialBase(Choice const& choice, Geometry const& geometry);
  [[nodiscard]] measure::Work work() const override;
  [[nodiscard]] std::vector<driver::Metric> metrics() const override;

  /// Of the sum, or of the largest error among the values.
  std::vector<verify::Verdict> verify(int steps) override;
  verify::Output output() override;

protected:
  /// Of the kernel's output after `steps` steps.
  virtual double largest_error(int steps) = 0;
  virtual verify::Output values() = 0;
  [[nodiscard]] Memory<> memory_of(Field field, driver::Workspace& workspace) const;
  void spoil_sum() const;

  Choice choice_;
  Geometry geometry_;
  SumArray sum_;
};

/// Values, launch and check of every element of a case over the core's arrays.
template <class T, int Rank, class Layout>
class ArrayTrial final : public ArrayTrialBase
{
public:
  ArrayTrial(Choice const& choice, Geometry const& geometry, Launch<T, Rank, Layout> launch,
             driver::Workspace& workspace)
      : ArrayTrialBase(choice, geometry)
      , launch_(std::move(launch))
  {
    using Values = typename Fields<T, Rank, Layout>::Values;
    typename Values::mapping_type const mapping(local_extents<Rank>(geometry));
    for (auto const f : {Field::a, Field::b, Field::c})
      fields_.arrays[static_cast<std::size_t>(f)] = Values(memory_of(f, workspace), mapping);
    fields_.sum = sum_;
    fields_.owned = choice.owner == "owned";
  }

  void reset() override
  {
    for (auto const f : {Field::a, Field::b, Field::c}) {
      auto const values = fields_[f].write();
      verify::for_every<Layout>(
          fields_.extents(), Initialise<std::remove_const_t<decltype(values)>>{
                                 values, GlobalIndex(geometry_), f, is_spoiled(choice_.id, f)});
    }
    spoil_sum();
  }
  void step() override { launch_(fields_); }

private:
  double largest_error(int steps) override
  {
    return verify::largest_error(fields_[output_of(choice_.id)].read(),
                                 ExpectedValue<T>{GlobalIndex(geometry_), choice_.id, steps});
  }
  verify::Output values() override
  {
    auto const& written = fields_[output_of(choice_.id)];
    return verify::elements_of(written.data(), written.mapping(), written.extents());
  }

  Launch<T, Rank, Layout> launch_;
  Fields<T, Rank, Layout> fields_;
};

/// Makes the trial of a launch, if there is one.
template <class T, int Rank, class Layout>
driver::Maker maker(Choice const& choice, Geometry const& geometry,
                    LaunchFunction<T, Rank, Layout> launch)
{
  if (launch == nullptr)
    return {};
  return [choice, geometry, launch](driver::Workspace& workspace) {
    return std::make_unique<ArrayTrial<T, Rank, Layout>>(choice, geometry, launch, workspace);
  };
}

} // namespace strata::stream
