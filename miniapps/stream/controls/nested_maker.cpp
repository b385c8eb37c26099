#include "nested_arrays.hpp"

#include "driver/axis.hpp"
#include "kernels/kernel_table.hpp"
#include "trials/checks.hpp"
#include "trials/trials.hpp"
#include "verify/compare.hpp"

#include <limits>
#include <memory>

namespace strata::stream {

namespace {

template <class T, int Levels>
class NestedTrial final : public driver::Trial
{
public:
  NestedTrial(Choice const& choice, Geometry const& geometry)
      : choice_(choice)
      , geometry_(geometry)
      , arrays_(NestedArrays<T, Levels>::shared(geometry))
  {
  }

  void reset() override
  {
    for (auto const f : {Field::a, Field::b, Field::c}) {
      bool const spoil = is_spoiled(choice_.id, f);
      arrays_->each_element(f, [=](index_t g, T& value) {
        value = spoil ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(initial(f, g));
        return 0;
      });
    }
    sum_ = std::numeric_limits<double>::quiet_NaN();
  }

  void step() override
  {
    with_kernel(choice_.id, [&]<KernelId Id>() {
      auto const kernel =
          make_kernel<Id>([&](Field f) { return write(f); }, [&](Field f) { return read(f); },
                          static_cast<T>(factor));
      if constexpr (is_sum(Id))
        sum_ = arrays_->sum(kernel);
      else
        arrays_->rows_in_parallel([&](index_t i) { arrays_->visit_row(i, kernel); });
    });
  }

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
    if (is_sum(choice_.id))
      return {judge_sum(sum_, geometry_, choice_.id)};
    double const worst =
        arrays_->each_element(output_of(choice_.id), [=, id = choice_.id](index_t g, T value) {
          return verify::relative_error(static_cast<double>(value),
                                        expected_value(id, g, steps));
        });
    return {judge_values<T>(worst, choice_.id, steps)};
  }

  verify::Output output() override
  {
    if (is_sum(choice_.id))
      return {&sum_, 1, false};
    return arrays_->output(output_of(choice_.id));
  }

private:
  NestedOperand<T, Levels> write(Field f) { return {&(*arrays_)[f]}; }
  NestedOperand<T const, Levels> read(Field f) { return {&(*arrays_)[f]}; }

  Choice choice_;
  Geometry geometry_;
  std::shared_ptr<NestedArrays<T, Levels>> arrays_;
  double sum_ = 0;
};

template <int Levels>
std::unique_ptr<driver::Trial> nested_trial(Choice const& choice, Geometry const& geometry)
{
  if (choice.scalar == "float")
    return std::make_unique<NestedTrial<float, Levels>>(choice, geometry);
  return std::make_unique<NestedTrial<double, Levels>>(choice, geometry);
}

} // namespace

driver::Slot nested_slot(Choice const& choice, Geometry const& geometry)
{
  bool const is_float = choice.scalar == "float";
  auto const bytes = static_cast<index_t>(is_float ? sizeof(float) : sizeof(double));
  constexpr int first = 3; // after the fields'
  int const shape = choice.shape == "ragged" ? 2 : choice.shape == "4d" ? 4 : 0;
  return {first + shape + (is_float ? 1 : 0), 3 * geometry.elements * bytes};
}

driver::Maker nested_maker(Choice const& choice, Geometry const& geometry)
{
  // It has an order of indices of its own, and the vectors allocate by themselves.
  if (choice.shape == "1d" || choice.layout != "right" || choice.index_order != "matching" ||
      choice.access != driver::word_of<AccessDefault>() || choice.owner != "owned" ||
      choice.pages != "normal")
    return {};
  return [choice, geometry](driver::Workspace&) {
    return choice.shape == "ragged" ? nested_trial<2>(choice, geometry)
           : choice.shape == "3d"   ? nested_trial<3>(choice, geometry)
                                    : nested_trial<4>(choice, geometry);
  };
}

} // namespace strata::stream
