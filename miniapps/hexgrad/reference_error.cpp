#include "element_trial.hpp"
#include "reference.hpp"

namespace strata::hexgrad {

namespace {

/// The error of one element's gradients; 1, which exceeds every tolerance, for NaN.
template <class Samples>
double element_error(Nodal const& x, Samples const& samples, index_t s)
{
  double size = 0;
  double span = 0;
  for (auto const& component : x)
    for (double const value : component) {
      size = std::max(size, std::abs(value));
      span = std::max(span, std::abs(value - component[0]));
    }
  auto const expected = quadrature(x);
  double largest = 0;
  for (std::size_t d = 0; d < dims; ++d)
    for (std::size_t n = 0; n < nodes; ++n) {
      double const error = std::abs(samples(s, d, n) - expected[d][n]) / (size * span);
      largest = error <= 1 ? std::max(largest, error) : 1.0;
    }
  return largest;
}

} // namespace

double reference_error(Problem const& problem,
                       Span<double const, StaticExtents, LayoutRight,
                            AccessIn<AccessReadOnly, HostSpace>> const& samples,
                       bool single_precision)
{
  double largest = 0;
  for (index_t s = 0; s < samples.extent(0); ++s) {
    index_t const e = problem.first + sampled_element(s, problem.count);
    Nodal x{};
    for (int d = 0; d < dims; ++d)
      for (int n = 0; n < nodes; ++n) {
        double const value = problem.mesh.coordinate(e, d, n);
        x[static_cast<std::size_t>(d)][static_cast<std::size_t>(n)] =
            single_precision ? static_cast<double>(static_cast<float>(value)) : value;
      }
    largest = std::max(largest, element_error(x, samples, s));
  }
  return largest;
}

} // namespace strata::hexgrad
