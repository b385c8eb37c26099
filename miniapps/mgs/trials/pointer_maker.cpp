#include "trial.hpp"

#include "driver/axis.hpp"
#include "verify/every.hpp"

#include <vector>

// S5's regular dynamic array as a control of `classical`: the rows are allocations of their
// own, found through an array of pointers. Kernels and launches are those of the core's spans.

namespace strata::mgs {

namespace {

/// a(i, k) is in row i, at its pointer; T may be const.
template <class T>
struct PointedRows
{
  using value_type = std::remove_const_t<T>;
  double* const* row;

  KOKKOS_FUNCTION T& operator()(index_t i, index_t k) const { return row[i][k]; }
};

/// Owns the rows, which are allocated one after another and first touched by who writes them.
class DynamicRows
{
public:
  DynamicRows(index_t rows, index_t columns)
  {
    for (index_t i = 0; i < rows; ++i) {
      memory_.emplace_back(new double[static_cast<std::size_t>(columns)]);
      pointers_.push_back(memory_.back().get());
    }
  }
  [[nodiscard]] PointedRows<double> write() const { return {pointers_.data()}; }
  [[nodiscard]] PointedRows<double const> read() const { return {pointers_.data()}; }

private:
  std::vector<std::unique_ptr<double[]>> memory_;
  std::vector<double*> pointers_;
};

template <class To, class From>
struct CopyRow
{
  static constexpr char const* name() { return "strata::mgs::CopyRow"; }
  To to;
  From from;
  index_t columns;

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    for (index_t k = 0; k < columns; ++k)
      to(i, k) = from(i, k);
  }
};

/// Factorises the rows; the multivector has the input before and Q for the checks.
class PointerTrial final : public FactorTrial<LayoutRight>
{
public:
  PointerTrial(Problem const& problem, Algorithm const& algorithm,
               std::shared_ptr<DynamicRows> rows, driver::Workspace& workspace)
      : FactorTrial(problem, algorithm, steps_on(rows, algorithm), workspace)
      , extents_{problem.count, problem.matrix.columns}
      , rows_(std::move(rows))
  {
  }

  void reset() override
  {
    FactorTrial::reset();
    copy_rows(rows_->write(), multivector().template read<AccessDefault>());
  }
  std::vector<verify::Verdict> verify(int steps) override
  {
    copy_rows(multivector().write(), rows_->read());
    return FactorTrial::verify(steps);
  }
  verify::Output output() override
  {
    verify::Output output;
    output.on_device = false;
    for (index_t i = 0; i < extents_.extent(0); ++i)
      output.add(rows_->write().row[i], extents_.extent(1));
    add_r(output);
    return output;
  }

private:
  static StepMaker<LayoutRight> steps_on(std::shared_ptr<DynamicRows> const& rows,
                                         Algorithm const& algorithm)
  {
    return [rows, by_rows = algorithm.by_rows](Fields<LayoutRight> const& fields) -> Step {
      using Launches = LaunchesOver<PointedRows<double>, PointedRows<double const>, false>;
      auto const launches = std::make_shared<Launches>(rows->write(), rows->read(), fields.rows,
                                                       fields.factor, fields.ranks);
      return [by_rows, launches, columns = fields.factor.columns()] {
        by_rows(*launches, columns);
      };
    };
  }
  template <class To, class From>
  void copy_rows(To const& to, From const& from) const
  {
    verify::for_every(extents_.extent(0), CopyRow<To, From>{to, from, extents_.extent(1)});
  }

  Dynamic<2> extents_;
  std::shared_ptr<DynamicRows> rows_;
};

} // namespace

driver::Maker pointer_maker(Choice const& choice, Problem const& problem)
{
  if (choice.algorithm != "classical" || choice.layout != driver::word_of<LayoutRight>() ||
      choice.results != "device")
    return {};
  auto const& found = algorithm(choice.algorithm);
  return [problem, &found](driver::Workspace& workspace) {
    auto const rows = std::make_shared<DynamicRows>(problem.count, problem.matrix.columns);
    return std::make_unique<PointerTrial>(problem, found, rows, workspace);
  };
}

index_t pointer_bytes(Problem const& problem)
{
  return problem.count *
         (problem.matrix.columns * static_cast<index_t>(sizeof(double)) +
          static_cast<index_t>(sizeof(double*) + sizeof(std::unique_ptr<double[]>)));
}

} // namespace strata::mgs
