#include "array_trial.hpp"

#include "array/launch/reduce.hpp"
#include "driver/axis.hpp"
#include "kernels/native.hpp"
#include "verify/fill.hpp"

#include <cmath>
#include <limits>

// Kernel `chain`: copy, scale, add, triad and dot one after the other on the same arrays, as
// BabelStream runs them, so that each finds the caches and pages as the one before left them.
//
// Its factor, the square root of 2 less 1, is STREAM's: 2 s + s^2 = 1, so that a returns to its
// initial values in every step, with b = s a and c = (1 + s) a, but for rounding.

namespace strata::stream {

namespace {

constexpr double chain_factor = 0.41421356237309503; // correctly rounded

/// The five, in BabelStream's order.
constexpr std::array order{KernelId::copy, KernelId::scale, KernelId::add, KernelId::triad,
                           KernelId::dot};

/// What an element of a field is after any number of steps, over the initial one of a.
double gain(Field field)
{
  return field == Field::a ? 1 : field == Field::b ? chain_factor : 1 + chain_factor;
}

struct ExpectedOfChain
{
  index_t first;
  double gain;

  KOKKOS_FUNCTION double operator()(index_t i) const
  {
    return gain * initial(Field::a, first + i);
  }
};

/// Sum of the squares of a's initial values, exact in double.
struct SquaresOfChain
{
  static constexpr char const* name() { return "strata::stream::SquaresOfChain"; }
  index_t first;

  KOKKOS_FUNCTION void operator()(double& sum, index_t i) const
  {
    double const value = initial(Field::a, first + i);
    sum += value * value;
  }
};

template <class T>
using ChainFields = Fields<T, 1, LayoutDefault>;

template <class T, KernelId Id>
void launch_span(ChainFields<T> const& fields)
{
  auto const kernel =
      make_kernel<Id>([&](Field f) { return fields[f].write(); },
                      [&](Field f) { return fields[f].read(); }, static_cast<T>(chain_factor));
  if constexpr (is_sum(Id))
    reduce(fields.walk(), kernel, fields.sum, kernel_packs<Id, T, LayoutDefault>());
  else
    for_each(fields.walk(), kernel, kernel_packs<Id, T, LayoutDefault>());
}

template <class T>
void launch_native(ChainFields<T> const& fields, KernelId id)
{
  native::run<T>(id,
                 {fields[Field::a].data(), fields[Field::b].data(), fields[Field::c].data(),
                  fields.extents().extent(0)},
                 static_cast<T>(chain_factor), fields.sum.data(), native::Stores::plain);
}

template <class T>
class ChainTrial final : public driver::Trial
{
public:
  ChainTrial(Choice const& choice, Geometry const& geometry, driver::Workspace& workspace)
      : choice_(choice)
      , geometry_(geometry)
  {
    typename ChainFields<T>::Values::mapping_type const mapping(local_extents<1>(geometry));
    for (auto const f : {Field::a, Field::b, Field::c})
      fields_.arrays[static_cast<std::size_t>(f)] = typename ChainFields<T>::Values(
          workspace.take(field_slot(choice, geometry, f)), mapping);
    fields_.sum = SumArray("strata::stream::sum", Extents<index_t>());
  }

  void reset() override
  {
    for (auto const f : {Field::a, Field::b, Field::c}) {
      auto const values = fields_[f].write();
      verify::for_every<LayoutDefault>(fields_.extents(),
                                       Initialise<std::remove_const_t<decltype(values)>>{
                                           values, GlobalIndex(geometry_), f, f != Field::a});
    }
    verify::fill(fields_.sum.memory(), std::byte{0xff}); // a NaN
  }

  void step() override
  {
    for (auto const id : order)
      if (choice_.variant == "native")
        launch_native(fields_, id);
      else
        with_kernel(id, [&]<KernelId Id>() { launch_span<T, Id>(fields_); });
  }

  [[nodiscard]] measure::Work work() const override
  {
    measure::Work all;
    for (auto const id : order)
      all = all + kernel_work<T>(id, geometry_.elements);
    return all;
  }
  [[nodiscard]] std::vector<driver::Metric> metrics() const override
  {
    return {{"bandwidth", "B/s", static_cast<double>(work().bytes())}};
  }

  /// Each step rounds a value five times at most, and the factor is rounded once. A sum of n
  /// positive terms, each rounded, is off by 2 sqrt(n) roundings at most with any order that
  /// this suite has.
  std::vector<verify::Verdict> verify(int steps) override
  {
    double const rounding = std::numeric_limits<T>::epsilon() / 2;
    double const allowed = 7.0 * (steps + 1) * rounding;
    double worst = 0;
    for (auto const f : {Field::a, Field::b, Field::c})
      worst = verify::worse(
          worst, verify::largest_error(fields_[f].read(),
                                       ExpectedOfChain{geometry_.first_element, gain(f)}));
    double sum = 0;
    Kokkos::deep_copy(sum, view_of(fields_.sum));
    double const expected =
        chain_factor * verify::sum_of_every<double>(geometry_.elements,
                                                    SquaresOfChain{geometry_.first_element});
    double const of_sum = 2 * std::sqrt(static_cast<double>(geometry_.elements)) *
                          std::numeric_limits<double>::epsilon();
    return {verify::judge("max_relative_error", worst, allowed),
            verify::judge("error_of_sum", verify::relative_error(sum, expected),
                          2 * allowed + of_sum)};
  }

  verify::Output output() override
  {
    verify::Output all;
    for (auto const f : {Field::a, Field::b, Field::c})
      all.add(fields_[f].data(), fields_.extents().extent(0));
    return all.add(fields_.sum.data(), 1);
  }

private:
  Choice choice_;
  Geometry geometry_;
  ChainFields<T> fields_;
};

} // namespace

driver::Maker chain_maker(Choice const& choice, Geometry const& geometry)
{
  bool const plain = choice.scalar != "bool" &&
                     choice.layout == driver::word_of<LayoutDefault>() &&
                     choice.index_order == "matching" && choice.owner == "owned" &&
                     choice.access == driver::word_of<AccessDefault>() &&
                     choice.shape == "1d" && choice.policy == "mdrange";
  if (!plain || (choice.variant != "span" && choice.variant != "native"))
    return {};
  return [choice, geometry](driver::Workspace& workspace) -> std::unique_ptr<driver::Trial> {
    if (choice.scalar == "float")
      return std::make_unique<ChainTrial<float>>(choice, geometry, workspace);
    return std::make_unique<ChainTrial<double>>(choice, geometry, workspace);
  };
}

} // namespace strata::stream
