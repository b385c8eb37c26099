#include "matmul_trial.hpp"

#include "array/launch/elementwise.hpp"
#include "array/launch/team.hpp"
#include "operands/check.hpp"

#include <algorithm>
#include <cmath>

namespace strata::matvec {

namespace {

/// This rank's rows of C, row by row, on the host.
using Rows = std::vector<double>;

/// Number of elements compared one by one: all if that is cheap, else some, chosen by a hash.
double largest_element_error(Rows const& c, Values const& values, index_t first, index_t order)
{
  auto const elements = static_cast<index_t>(c.size());
  index_t const samples = sampled_rows(elements, order);
  double largest = 0;
  for (index_t s = 0; s < samples; ++s) {
    index_t const at = sampled_row(s, samples, elements);
    CompensatedSum sum;
    for (index_t k = 0; k < order; ++k)
      sum.add_product(values.matrix(first + at / order, k), values.second(k, at % order));
    largest = verify::worse(
        largest, scaled_error(c[static_cast<std::size_t>(at)], sum.value(), sum.magnitude()));
  }
  return largest;
}

/// Bound of largest_row_error for sums that are rounded, in epsilons. A row's elements err
/// independently, by the walk of check.hpp each: relative to the row's magnitudes the standard
/// deviation is 0.8 / 6 whatever the order, of which this is thirty. A float that is wrong in
/// its third digit is seen in rows of up to 1,300.
constexpr double row_roundings = 4;

/// Freivalds' check of every row: C v = A (B v), with a vector v of distinct elements.
double largest_row_error(Rows const& c, Values const& values, index_t first, index_t order)
{
  std::vector<double> product;   // B v
  std::vector<double> magnitude; // and of its terms
  for (index_t k = 0; k < order; ++k) {
    CompensatedSum sum;
    for (index_t j = 0; j < order; ++j)
      sum.add_product(values.second(k, j), values.vector(j));
    product.push_back(sum.value());
    magnitude.push_back(sum.magnitude());
  }
  double largest = 0;
  auto const rows = static_cast<index_t>(c.size()) / order;
  for (index_t i = 0; i < rows; ++i) {
    CompensatedSum found;
    CompensatedSum expected;
    double scale = 0;
    for (index_t k = 0; k < order; ++k) {
      auto const at = static_cast<std::size_t>(k);
      double const a = values.matrix(first + i, k);
      found.add_product(c[static_cast<std::size_t>(i * order + k)], values.vector(k));
      expected.add_product(a, product[at]);
      scale += std::abs(a) * magnitude[at];
    }
    largest = verify::worse(largest, scaled_error(found.value(), expected.value(), scale));
  }
  return largest;
}

/// Factors of type T.
template <class T>
class MatmulBase : public driver::Trial
{
  using Number = computed_t<T>;

public:
  explicit MatmulBase(Problem const& problem)
      : values_(rounded_to<T>(problem.values))
      , order_(problem.matmul_order)
      , first_(problem.setting.share.begin(order_))
      , rows_(problem.setting.share.count(order_))
  {
  }
  /// Every factor read once, the product written once; 2 N³ operations over all ranks.
  [[nodiscard]] measure::Work work() const override
  {
    auto const word = static_cast<std::int64_t>(sizeof(T));
    auto const of_sum = static_cast<std::int64_t>(sizeof(Number));
    return {(rows_ + order_) * order_ * word, rows_ * order_ * of_sum,
            2 * rows_ * order_ * order_};
  }
  [[nodiscard]] std::vector<driver::Metric> metrics() const override
  {
    return {{"flops", "flop/s", static_cast<double>(work().flops)},
            {"bandwidth", "B/s", static_cast<double>(work().bytes())}};
  }
  std::vector<verify::Verdict> verify(int) override
  {
    auto const c = product_rows();
    double const truncated = truncates() ? truncations(order_) : 0;
    double const of_elements = verify::rounding<Number>(walk_of_roundings(order_) + truncated);
    double const of_rows = verify::rounding<Number>(row_roundings + truncated);
    return {
        verify::judge("error_of_elements", largest_element_error(c, values_, first_, order_),
                      of_elements),
        verify::judge("error_of_rows", largest_row_error(c, values_, first_, order_), of_rows)};
  }

protected:
  [[nodiscard]] Values const& values() const { return values_; }
  [[nodiscard]] index_t order() const { return order_; }
  [[nodiscard]] index_t first() const { return first_; }
  [[nodiscard]] index_t rows() const { return rows_; }
  [[nodiscard]] virtual Rows product_rows() const = 0;
  /// Whether a GPU's tensor cores may have made the sums.
  [[nodiscard]] virtual bool truncates() const { return false; }

private:
  Values values_;
  index_t order_;
  index_t first_;
  index_t rows_;
};

template <class T>
class MatmulTrial : public MatmulBase<T>
{
  using Number = computed_t<T>;
  using Base = MatmulBase<T>;
  using Base::first, Base::order, Base::rows, Base::values;

public:
  MatmulTrial(Choice const& choice, Problem const& problem, MatmulLaunch<T> launch,
              std::vector<driver::Slot> const& slots, driver::Workspace& workspace)
      : Base(problem)
      , choice_(choice)
      , launch_(launch)
  {
    for (auto const& slot : slots)
      memory_.push_back(workspace.take(slot));
    auto const at = [&]<class Each>(std::size_t i, Each*) {
      return reinterpret_cast<Each*>(memory_.at(i).data());
    };
    T* const factor = nullptr;
    operands_ = {at(0, factor), at(1, factor), at(2, operands_.c),
                 at(3, factor), rows(),        order()};
  }

  void reset() override
  {
    if (!filled_)
      fill_factors(choice_, operands_, values(), first());
    filled_ = true;
    using Vector = Span<Number, Dynamic<1>, LayoutRight>;
    Vector const c(operands_.c, typename Vector::mapping_type(Dynamic<1>(rows() * order())));
    verify::for_every(c.size(), Set<Vector>{c, NAN});
  }
  void step() override { loop_ = launch_(operands_); }
  [[nodiscard]] report::Facts outcome() const override
  {
    return loop_ == nullptr ? report::Facts() : report::Facts{{"loop", loop_}};
  }
  verify::Output output() override { return {operands_.c, rows() * order()}; }

private:
  [[nodiscard]] bool truncates() const override
  {
    return is_narrow<T> && device_is_cuda && choice_.parallel == "auto";
  }
  [[nodiscard]] Rows product_rows() const override
  {
    auto found = values_on_host(operands_.c, rows() * order());
    if (choice_.layout != "left")
      return found;
    Rows ordered(found.size());
    for (index_t i = 0; i < rows(); ++i)
      for (index_t j = 0; j < order(); ++j)
        ordered[static_cast<std::size_t>(i * order() + j)] =
            found[static_cast<std::size_t>(i + rows() * j)];
    return ordered;
  }

  Choice choice_;
  MatmulLaunch<T> launch_;
  char const* loop_ = nullptr;
  std::vector<Memory<>> memory_;
  Factors<T> operands_{};
  bool filled_ = false;
};

using Nested = std::vector<std::vector<double>>;

/// One row of C by the plain loops.
struct NestedRow
{
  static constexpr char const* name() { return "strata::matvec::NestedRow"; }
  Nested const* a;
  Nested const* b;
  Nested* c;

  template <class Team>
  void operator()(Team const& team) const
  {
    auto const i = static_cast<std::size_t>(team.index());
    std::size_t const order = b->size();
    for (std::size_t j = 0; j < order; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < order; ++k)
        sum += (*a)[i][k] * (*b)[k][j];
      (*c)[i][j] = sum;
    }
  }
};

class NestedTrial : public MatmulBase<double>
{
public:
  explicit NestedTrial(Problem const& problem)
      : MatmulBase(problem)
      , a_(nested(rows()))
      , b_(nested(order()))
      , c_(nested(rows()))
  {
    for (index_t i = 0; i < rows(); ++i)
      for (index_t j = 0; j < order(); ++j)
        at(a_, i, j) = values().matrix(first() + i, j);
    for (index_t i = 0; i < order(); ++i)
      for (index_t j = 0; j < order(); ++j)
        at(b_, i, j) = values().second(i, j);
  }
  void reset() override
  {
    for (auto& row : c_)
      std::fill(row.begin(), row.end(), NAN);
  }
  void step() override { for_each_team<1, Host>(rows(), NestedRow{&a_, &b_, &c_}); }
  verify::Output output() override
  {
    verify::Output output;
    output.on_device = false;
    for (auto& row : c_)
      output.add(row.data(), order());
    return output;
  }

private:
  [[nodiscard]] Nested nested(index_t lines) const
  {
    Nested made;
    for (index_t i = 0; i < lines; ++i) // row by row, as S5 allocates them
      made.emplace_back(static_cast<std::size_t>(order()));
    return made;
  }
  static double& at(Nested& matrix, index_t i, index_t j)
  {
    return matrix[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  }
  [[nodiscard]] Rows product_rows() const override
  {
    Kokkos::fence();
    Rows all;
    for (auto const& row : c_)
      all.insert(all.end(), row.begin(), row.end());
    return all;
  }

  Nested a_;
  Nested b_;
  Nested c_;
};

} // namespace

template <class T>
std::unique_ptr<driver::Trial>
make_matmul_trial(Choice const& choice, Problem const& problem, MatmulLaunch<T> launch,
                  std::vector<driver::Slot> const& slots, driver::Workspace& workspace)
{
  return std::make_unique<MatmulTrial<T>>(choice, problem, launch, slots, workspace);
}
#define STRATA_MAKE_MATMUL(T)                                                                  \
  template std::unique_ptr<driver::Trial> make_matmul_trial(                                   \
      Choice const&, Problem const&, MatmulLaunch<T>, std::vector<driver::Slot> const&,        \
      driver::Workspace&);
STRATA_MAKE_MATMUL(double)
STRATA_MAKE_MATMUL(float)
STRATA_MAKE_MATMUL(float16)
STRATA_MAKE_MATMUL(bfloat16)
#undef STRATA_MAKE_MATMUL

driver::Maker nested_matmul_maker(Problem const& problem)
{
  return [problem](driver::Workspace&) { return std::make_unique<NestedTrial>(problem); };
}

} // namespace strata::matvec
