#pragma once

#include "problem.hpp"

#include "array/launch/for_each.hpp"
#include "array/launch/recorded.hpp"

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace strata::mgs {

/// The data of a variant: multivector, R and ranks.
template <class Layout, class T = double>
struct Fields
{
  Multivector<Layout, T> const& a;
  index_t rows;
  Factor const& factor;
  OverRanks& ranks;
};

/// One step of a variant: replaces a by Q and stores R in the factor.
using Step = std::function<void()>;
template <class Layout, class T = double>
using StepMaker = std::function<Step(Fields<Layout, T> const&)>;

/// The step that makes these launches; as a graph on one rank of an NVIDIA GPU, where a host
/// takes longer to make one than the device to run it on few rows.
inline Step step_of(Factor const& factor, OverRanks const& ranks,
                    std::function<void()> launches)
{
  constexpr index_t most_columns = 64; // some 4,000 launches; each takes memory in a graph
  if (!ranks.alone() || factor.columns() > most_columns)
    return launches;
  auto const recorded = std::make_shared<Recorded>(std::move(launches));
  return [recorded] { (*recorded)(); };
}

/// Whether a number in the device's memory is not 0. Waits for the device.
inline bool is_set_on_device(double* number)
{
  double value = 0;
  Kokkos::deep_copy(value, Kokkos::View<double, DeviceSpace, Kokkos::MemoryUnmanaged>(number));
  return value != 0;
}

/// Sets `rows` rows to those of the matrix from `first` on, and the rows that pad them to 0.
template <class A>
struct SetMatrix
{
  static constexpr char const* name() { return "strata::mgs::SetMatrix"; }
  A a;
  Matrix matrix;
  index_t first;
  index_t rows;

  template <class I>
  KOKKOS_FUNCTION void operator()(I i, I k) const
  {
    a(i, k) = static_cast<typename A::value_type>(i < rows ? matrix(first + i, k) : 0.0);
  }
};

/// Sets R to NaN on and above the diagonal, to 0 below it.
struct SpoilFactor
{
  static constexpr char const* name() { return "strata::mgs::SpoilFactor"; }
  double* r;
  index_t pitch;

  KOKKOS_FUNCTION void operator()(index_t item) const
  {
    r[item] = item % pitch < item / pitch ? 0 : NAN;
  }
};

/// Values, step and checks of a case whose multivector has elements of type T.
template <class Layout, class T = double>
class FactorTrial : public driver::Trial
{
public:
  FactorTrial(Problem const& problem, Algorithm const& algorithm,
              StepMaker<Layout, T> const& make_step, driver::Workspace& workspace);

  void reset() override;
  void step() override { step_(); }
  [[nodiscard]] measure::Work work() const override;
  [[nodiscard]] std::vector<driver::Metric> metrics() const override;
  std::vector<verify::Verdict> verify(int steps) override;
  verify::Output output() override;

  /// Number of Allreduces that the host asked for so far, on one rank too, which makes none.
  [[nodiscard]] index_t allreduces() const { return ranks_.calls(); }
  [[nodiscard]] Factor const& factor() const { return factor_; }

protected:
  [[nodiscard]] Multivector<Layout, T> const& multivector() const { return a_; }
  /// Appends R's upper triangle, which a step writes beside Q.
  void add_r(verify::Output& output) const;

private:
  Problem problem_;
  Algorithm const& algorithm_;
  Multivector<Layout, T> a_;
  Factor factor_;
  OverRanks ranks_;
  Step step_;
};

extern template class FactorTrial<LayoutLeft>;
extern template class FactorTrial<LayoutRight>;
extern template class FactorTrial<LayoutTiled<32>>;
extern template class FactorTrial<LayoutBest, float>;

/// Makes the trial of a step.
template <class Layout, class T = double>
driver::Maker maker(Choice const& choice, Problem const& problem,
                    std::type_identity_t<StepMaker<Layout, T>> const& make_step)
{
  auto const& found = choice.variant == "vendor" ? whole_algorithm(choice.algorithm)
                                                 : algorithm(choice.algorithm);
  return [=, &found](driver::Workspace& workspace) {
    return std::make_unique<FactorTrial<Layout, T>>(problem, found, make_step, workspace);
  };
}

} // namespace strata::mgs
