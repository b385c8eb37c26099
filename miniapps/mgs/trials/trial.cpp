#include "trial.hpp"

#include "checks.hpp"
#include "counter.hpp"

#include "verify/elements.hpp"

#include <cstddef>
#include <limits>

namespace strata::mgs {

template <class Layout, class T>
FactorTrial<Layout, T>::FactorTrial(Problem const& problem, Algorithm const& algorithm,
                                    StepMaker<Layout, T> const& make_step,
                                    driver::Workspace& workspace)
    : problem_(problem)
    , algorithm_(algorithm)
    , a_(workspace.take(slot(problem, sizeof(T))),
         typename Layout::template mapping<Dynamic<2>>(
             Dynamic<2>(padded(problem.count), problem.matrix.columns)))
    , factor_(problem.matrix.columns, algorithm.keeps_products)
    , ranks_(problem.world, problem.gpu_aware)
    , step_(make_step({a_, problem.count, factor_, ranks_}))
{
}

template <class Layout, class T>
void FactorTrial<Layout, T>::reset()
{
  auto const a = a_.write();
  // Kernels over whole tiles rely on the padding, where other cases of the pool leave theirs.
  Dynamic<2> const extents(padded(problem_.count), problem_.matrix.columns);
  verify::for_every<Layout>(
      extents, SetMatrix<decltype(a)>{a, problem_.matrix, problem_.first, problem_.count});
  verify::for_every(factor_.columns() * factor_.pitch(),
                    SpoilFactor{factor_.r(0), factor_.pitch()});
}

template <class Layout, class T>
measure::Work FactorTrial<Layout, T>::work() const
{
  return work_of(algorithm_, problem_.count, problem_.matrix.columns, sizeof(T),
                 divides_by_inverses(problem_));
}

template <class Layout, class T>
std::vector<driver::Metric> FactorTrial<Layout, T>::metrics() const
{
  auto const rows = static_cast<double>(problem_.count);
  auto const columns = static_cast<double>(problem_.matrix.columns);
  return {{"flops", "flop/s", rows * columns * (2 * columns + 1)},
          {"bandwidth", "B/s", static_cast<double>(work().bytes())},
          {"rows", "rows/s", rows}};
}

template <class Layout, class T>
std::vector<verify::Verdict> FactorTrial<Layout, T>::verify(int steps)
{
  constexpr double epsilon = std::numeric_limits<T>::epsilon();
  auto const q = a_.template read<AccessDefault>();
  InputRows const input{problem_.matrix, problem_.first};
  index_t const columns = problem_.matrix.columns;
  SmallMatrix const r = fetched(factor_);
  if (steps == 1)
    require_independent(r, problem_.matrix.rows, epsilon);
  double const loss = allowed_orthogonality(problem_, algorithm_, epsilon);
  auto const gram = products(q, q, problem_.count, columns, problem_.world);
  std::vector<verify::Verdict> verdicts{
      verify::judge("orthogonality", distance_from_identity(gram, false), loss)};

  // The first step factorises A, each further one the Q of the step before, whose R is I. A's
  // own R is then computed as QᵀA, which must be upper triangular, too.
  SmallMatrix product = r;
  double allowed = allowed_residual(problem_, algorithm_, epsilon);
  double below = 0;
  if (steps > 1) {
    verdicts.push_back(verify::judge("r_of_orthonormal",
                                     distance_from_identity(r, algorithm_.reflects), 2 * loss));
    product = products(q, input, problem_.count, columns, problem_.world);
    allowed += 2 * loss;
    below = lower_part(product);
  }
  auto const residual = largest_residual(q, input, problem_.count, product, problem_.world);
  verdicts.push_back(verify::judge("residual", verify::worse(residual, below), allowed));
  verdicts.push_back(verify::judge("misplaced_in_r", misplaced(r, algorithm_.reflects), 0));
  return verdicts;
}

template <class Layout, class T>
verify::Output FactorTrial<Layout, T>::output()
{
  index_t const columns = problem_.matrix.columns;
  auto output =
      verify::elements_of(a_.data(), a_.mapping(), Dynamic<2>(problem_.count, columns));
  add_r(output);
  output.of_floats = std::is_same_v<T, float>;
  return output;
}

template <class Layout, class T>
void FactorTrial<Layout, T>::add_r(verify::Output& output) const
{
  index_t const columns = factor_.columns();
  for (index_t j = 0; j < columns; ++j)
    output.add(factor_.r(j, j), columns - j);
}

template class FactorTrial<LayoutLeft>;
template class FactorTrial<LayoutRight>;
template class FactorTrial<LayoutTiled<32>>;
template class FactorTrial<LayoutBest, float>;

} // namespace strata::mgs
