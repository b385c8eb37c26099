#include "trial.hpp"

#include "controls/vendor.hpp"
#include "driver/axis.hpp"

namespace strata::mgs {

std::string vendor_unavailable(Choice const& choice, Problem const& problem)
{
  if (std::string const why = vendor::unavailable(); !why.empty())
    return why;
  if (std::string const why = vendor::TsqrSolver::unavailable();
      choice.algorithm == "tsqr" && !why.empty())
    return why;
  if (problem.world.ranks() > 1)
    return "it factorises one rank's memory; run one rank";
  auto const stride = padded(problem.count);
  if (!vendor::can_address(stride, problem.matrix.columns) ||
      (choice.algorithm == "householder" &&
       !vendor::Solver::takes(problem.count, problem.matrix.columns, stride)))
    return "its sizes are 32-bit numbers; lower problem.rows";
  return {};
}

namespace {

template <class Solver>
Step solver_step(Fields<LayoutLeft> const& fields)
{
  auto const solver = std::make_shared<Solver>(fields.rows, fields.factor.columns(),
                                               fields.a.extents().extent(0));
  return [solver, a = fields.a.data(), r = fields.factor.r(0), pitch = fields.factor.pitch()] {
    solver->factorise(a, r, pitch);
  };
}

} // namespace

driver::Maker vendor_maker(Choice const& choice, Problem const& given)
{
  Problem problem = given;
  problem.added_by_library = true;
  if (choice.layout != driver::word_of<LayoutLeft>() || choice.results != "device")
    return {};
  if (choice.algorithm == "householder")
    return maker<LayoutLeft>(choice, problem, &solver_step<vendor::Solver>);
  if (choice.algorithm == "tsqr")
    return maker<LayoutLeft>(choice, problem, &solver_step<vendor::TsqrSolver>);
  if (choice.algorithm == "cholesky2")
    return maker<LayoutLeft>(choice, problem, &solver_step<vendor::CholeskySolver>);
  return {};
}

} // namespace strata::mgs
