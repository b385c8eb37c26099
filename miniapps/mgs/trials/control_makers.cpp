#include "trial.hpp"

#include "base/sum_last.hpp"
#include "controls/native.hpp"
#include "driver/axis.hpp"

// The controls of `sequence`: hand-written, and on plain Kokkos::View.

namespace strata::mgs {

namespace {

/// Hand-written launches over contiguous columns.
class NativeLaunches : public VectorOperations
{
public:
  explicit NativeLaunches(Fields<LayoutLeft> const& fields)
      : a_(fields.a.data())
      , stride_(fields.a.extents().extent(0))
      , rows_(fields.rows)
      , factor_(fields.factor)
      , ranks_(fields.ranks)
  {
  }
  void norm(index_t j) override
  {
    native::dot(column(j), column(j), rows_, factor_.square(j));
    ranks_.sum(factor_.square(j), 1);
  }
  void scale(index_t j) override
  {
    native::scale(column(j), rows_, factor_.square(j), factor_.r(j, j));
  }
  void dot(index_t j, index_t k) override
  {
    native::dot(column(j), column(k), rows_, factor_.r(j, k));
    ranks_.sum(factor_.r(j, k), 1);
  }
  void update(index_t j, index_t k) override
  {
    native::update(column(j), column(k), rows_, factor_.r(j, k));
  }

private:
  [[nodiscard]] double* column(index_t j) const { return a_ + j * stride_; }

  double* a_;
  index_t stride_, rows_;
  Factor const& factor_;
  OverRanks& ranks_;
};

/// The same kernels on plain Kokkos::View, with one row per work item.
template <class Layout>
class ViewLaunches : public VectorOperations
{
public:
  explicit ViewLaunches(Fields<Layout> const& fields)
      : a_(fields.a.data(), static_cast<std::size_t>(fields.a.extents().extent(0)),
           static_cast<std::size_t>(fields.a.extents().extent(1)))
      , in_(a_)
      , rows_(0, fields.rows)
      , factor_(fields.factor)
      , ranks_(fields.ranks)
  {
  }
  void norm(index_t j) override { add(ColumnNorm<In>{in_, j}, factor_.square(j)); }
  void scale(index_t j) override
  {
    each(ColumnScale<Out, OnDevice>{a_, j, {factor_.square(j)}, factor_.r(j, j)});
  }
  void dot(index_t j, index_t k) override { add(ColumnDot<In>{in_, j, k}, factor_.r(j, k)); }
  void update(index_t j, index_t k) override
  {
    each(ColumnUpdate<Out, OnDevice>{a_, j, k, {factor_.r(j, k)}});
  }

private:
  using Plain = std::conditional_t<std::is_same_v<Layout, LayoutLeft>, Kokkos::LayoutLeft,
                                   Kokkos::LayoutRight>;
  using Out = Kokkos::View<double**, Plain, DeviceSpace, Kokkos::MemoryUnmanaged>;
  using In = typename Out::const_type;

  template <class Kernel>
  void each(Kernel const& kernel)
  {
    Kokkos::parallel_for(Kernel::name(), rows_, kernel);
  }
  template <class Kernel>
  void add(Kernel const& kernel, double* result)
  {
    Kokkos::parallel_reduce(Kernel::name(), rows_, SumLast<Kernel>{kernel},
                            Kokkos::View<double, DeviceSpace, Kokkos::MemoryUnmanaged>(result));
    ranks_.sum(result, 1);
  }

  Out a_;
  In in_;
  Kokkos::RangePolicy<Device, Kokkos::IndexType<index_t>> rows_;
  Factor const& factor_;
  OverRanks& ranks_;
};

/// `records`: what Recorded may record, which Kokkos' own reductions are not.
template <class Launches, class Layout, bool records>
driver::Maker sequence_maker(Choice const& choice, Problem const& problem)
{
  return maker<Layout>(choice, problem, [](Fields<Layout> const& fields) -> Step {
    auto const launches = std::make_shared<Launches>(fields);
    std::function<void()> const all = [launches, columns = fields.factor.columns()] {
      level_one_sequence(*launches, columns);
    };
    return records ? step_of(fields.factor, fields.ranks, all) : all;
  });
}

bool is_sequence(Choice const& choice)
{
  return choice.algorithm == "sequence" && choice.results == "device";
}

} // namespace

driver::Maker native_maker(Choice const& choice, Problem const& problem)
{
  if (!is_sequence(choice) || choice.layout != driver::word_of<LayoutLeft>())
    return {};
  return sequence_maker<NativeLaunches, LayoutLeft, true>(choice, problem);
}

driver::Maker view_maker(Choice const& choice, Problem const& problem)
{
  if (!is_sequence(choice))
    return {};
  if (choice.layout == driver::word_of<LayoutLeft>())
    return sequence_maker<ViewLaunches<LayoutLeft>, LayoutLeft, false>(choice, problem);
  if (choice.layout == driver::word_of<LayoutRight>())
    return sequence_maker<ViewLaunches<LayoutRight>, LayoutRight, false>(choice, problem);
  return {};
}

} // namespace strata::mgs
