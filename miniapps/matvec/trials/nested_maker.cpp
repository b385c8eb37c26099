#include "dense_trial.hpp"

#include "array/launch/team.hpp"
#include "driver/axis.hpp"

// S5's traditional array on a host: a vector of rows, each a vector of its own.

namespace strata::matvec {

namespace {

using Nested = std::vector<std::vector<double>>;

/// One row of y = A x by the plain loop.
struct NestedDot
{
  static constexpr char const* name() { return "strata::matvec::NestedDot"; }
  Nested const* matrix;
  double const* x;
  double* y;

  template <class Team>
  void operator()(Team const& team) const
  {
    auto const& row = (*matrix)[static_cast<std::size_t>(team.index())];
    double sum = 0;
    for (std::size_t col = 0; col < row.size(); ++col)
      sum += row[col] * x[col];
    y[team.index()] = sum;
  }
};

/// The rows of a matrix in LayoutRight, allocated one after another.
Nested rows_of(Operands<double> const& o)
{
  Nested rows;
  for (index_t i = 0; i < o.rows; ++i)
    rows.emplace_back(o.matrix + i * o.cols, o.matrix + (i + 1) * o.cols);
  return rows;
}

} // namespace

driver::Maker nested_maker(Choice const& choice, Problem const& problem)
{
  if (choice.kernel != "matvec" || choice.layout != driver::word_of<LayoutRight>() ||
      choice.parallel != "row" || choice.scalar != "double" || choice.access != "default")
    return {};
  return [choice, problem](driver::Workspace& workspace) {
    // The first step, which is not timed, copies the matrix; no later one changes it.
    auto const matrix = std::make_shared<Nested>();
    return dense_maker<double>(choice, problem, [matrix](Operands<double> const& o) {
      if (matrix->empty())
        *matrix = rows_of(o);
      for_each_team<1, Host>(o.rows, NestedDot{matrix.get(), o.x, o.y});
      return Loop{NestedDot::name(), 1, o.rows};
    })(workspace);
  };
}

} // namespace strata::matvec
