#include "array_trial.hpp"

#include <cmath>
#include <vector>

namespace strata::stream {

namespace {

/// Calls f(i) for i in [0, count) on all host threads.
template <class F>
void rows_in_parallel(index_t count, F const& f)
{
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t i = 0; i < count; ++i)
    f(i);
}

/// S5's "traditional" array: each row its own allocation, made by the thread that uses it.
template <class T>
class NestedTrial final : public driver::Trial
{
  using Cube = std::vector<std::vector<std::vector<T>>>;

public:
  NestedTrial(Choice const& choice, Geometry const& geometry)
      : choice_(choice)
      , geometry_(geometry)
  {
    for (auto& field : fields_) {
      field.resize(static_cast<std::size_t>(geometry.rows));
      rows_in_parallel(geometry.rows, [&](index_t i) {
        field[static_cast<std::size_t>(i)].assign(
            static_cast<std::size_t>(geometry.global[1]),
            std::vector<T>(static_cast<std::size_t>(geometry.global[2])));
      });
    }
  }

  void reset() override
  {
    GlobalIndex const global(geometry_);
    for (auto const f : {Field::a, Field::b, Field::c}) {
      bool const spoil = is_spoiled(choice_.id, f);
      each_element(f, [&](T& value, index_t i, index_t j, index_t k) {
        value = spoil ? std::numeric_limits<T>::quiet_NaN()
                      : static_cast<T>(initial(f, global(i, j, k)));
      });
    }
    sum_ = std::numeric_limits<double>::quiet_NaN();
  }

  void step() override
  {
    auto const s = static_cast<T>(factor);
    auto& [a, b, c] = fields_;
    switch (choice_.id) {
    case KernelId::set:
      return loops([&](auto i, auto j, auto k) { a[i][j][k] = s; });
    case KernelId::copy:
      return loops([&](auto i, auto j, auto k) { c[i][j][k] = a[i][j][k]; });
    case KernelId::scale:
      return loops([&](auto i, auto j, auto k) { b[i][j][k] = s * c[i][j][k]; });
    case KernelId::add:
      return loops([&](auto i, auto j, auto k) { c[i][j][k] = a[i][j][k] + b[i][j][k]; });
    case KernelId::triad:
      return loops([&](auto i, auto j, auto k) { a[i][j][k] = b[i][j][k] + s * c[i][j][k]; });
    case KernelId::nstream:
      return loops([&](auto i, auto j, auto k) { a[i][j][k] += b[i][j][k] + s * c[i][j][k]; });
    case KernelId::dot:
      sum_ = sum([&](auto i, auto j, auto k) {
        return static_cast<double>(a[i][j][k]) * static_cast<double>(b[i][j][k]);
      });
      return;
    case KernelId::read:
      sum_ = sum([&](auto i, auto j, auto k) { return static_cast<double>(a[i][j][k]); });
      return;
    }
  }

  [[nodiscard]] measure::Work work() const override
  {
    return kernel_work<T>(choice_.id, geometry_.size());
  }
  [[nodiscard]] std::vector<driver::Metric> metrics() const override
  {
    return metrics_of(choice_, work());
  }

  std::vector<verify::Verdict> verify(int steps) override
  {
    if (is_sum(choice_.id))
      return {judge_sum(sum_, geometry_, choice_.id)};
    ExpectedValue const expected{GlobalIndex(geometry_), choice_.id, steps};
    double worst = 0;
    each_element_serially(output_of(choice_.id), [&](T& value, index_t i, index_t j,
                                                     index_t k) {
      worst = std::fmax(worst,
                        verify::relative_error(static_cast<double>(value), expected(i, j, k)));
    });
    return {judge_values<T>(worst, choice_.id, steps)};
  }

  verify::Output output() override
  {
    if (is_sum(choice_.id))
      return {&sum_, 1, sizeof(double), false};
    auto& row = cube(output_of(choice_.id)).front().front();
    return {row.data(), static_cast<index_t>(row.size()), sizeof(T), false};
  }

private:
  Cube& cube(Field f) { return fields_[static_cast<std::size_t>(f)]; }

  template <class F>
  void visit_plane(Field f, index_t i, F const& visit)
  {
    auto& plane = cube(f)[static_cast<std::size_t>(i)];
    for (std::size_t j = 0; j < plane.size(); ++j)
      for (std::size_t k = 0; k < plane[j].size(); ++k)
        visit(plane[j][k], i, static_cast<index_t>(j), static_cast<index_t>(k));
  }
  template <class F>
  void each_element(Field f, F const& visit)
  {
    rows_in_parallel(geometry_.rows, [&](index_t i) { visit_plane(f, i, visit); });
  }
  template <class F>
  void each_element_serially(Field f, F const& visit)
  {
    for (index_t i = 0; i < geometry_.rows; ++i)
      visit_plane(f, i, visit);
  }

  /// The nest of loops as S5 has it, outermost index in parallel.
  template <class F>
  void loops(F const& body)
  {
    index_t const rows = geometry_.global[1];
    index_t const length = geometry_.global[2];
    rows_in_parallel(geometry_.rows, [&](index_t i) {
      for (index_t j = 0; j < rows; ++j)
        for (index_t k = 0; k < length; ++k)
          body(i, j, k);
    });
  }
  template <class F>
  double sum(F const& term)
  {
    index_t const planes = geometry_.rows;
    index_t const rows = geometry_.global[1];
    index_t const length = geometry_.global[2];
    double total = 0;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static) reduction(+ : total)
#endif
    for (index_t i = 0; i < planes; ++i)
      for (index_t j = 0; j < rows; ++j)
        for (index_t k = 0; k < length; ++k)
          total += term(i, j, k);
    return total;
  }

  Choice choice_;
  Geometry geometry_;
  std::array<Cube, 3> fields_;
  double sum_ = 0;
};

} // namespace

driver::Maker nested_maker(Choice const& choice, Geometry const& geometry)
{
  // Its order of indices is its own, and its memory the allocator's.
  if (choice.shape != "3d" || choice.layout != "right" || choice.index_order != "matching" ||
      choice.access != AccessDefault::name() || choice.owner != "owned" ||
      choice.pages != "normal")
    return {};
  return [choice, geometry](driver::Workspace&) -> std::unique_ptr<driver::Trial> {
    if (choice.scalar == "float")
      return std::make_unique<NestedTrial<float>>(choice, geometry);
    return std::make_unique<NestedTrial<double>>(choice, geometry);
  };
}

} // namespace strata::stream
