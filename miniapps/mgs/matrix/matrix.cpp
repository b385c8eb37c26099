#include "matrix.hpp"

#include <cmath>
#include <vector>

namespace strata::mgs {

namespace {

/// Product of the Frobenius norms of Kahan's matrix and its inverse: a bound of the condition.
/// The inverse's entries are s^-k on the diagonal and c (1 + c)^(k-j-1) s^-k above it.
double kahan_condition(index_t columns, double angle)
{
  double const c = std::cos(angle);
  double const s = std::sin(angle);
  double norm = 0;
  double inverse = 0;
  for (index_t k = 0; k < columns; ++k) {
    double const power = std::pow(s, static_cast<double>(k));
    norm += power * power * (1 + c * c * static_cast<double>(columns - 1 - k));
    double column = 1;
    for (index_t j = 0; j < k; ++j)
      column += std::pow(c * std::pow(1 + c, static_cast<double>(k - j - 1)), 2);
    inverse += column / (power * power);
  }
  return std::sqrt(norm * inverse);
}

} // namespace

MatrixKind matrix_kind(std::string const& name)
{
  return name == "laplacian" ? MatrixKind::laplacian
         : name == "kahan"   ? MatrixKind::kahan
                             : MatrixKind::random;
}

double Matrix::condition() const
{
  if (kind == MatrixKind::laplacian) { // eigenvalues 4 sin²(kπ / 2(N+1)), k = 1..N
    double const half = std::acos(0.0) / static_cast<double>(rows + 1);
    return std::pow(1 / std::tan(half), 2);
  }
  if (kind == MatrixKind::kahan)
    return kahan_condition(columns, angle);
  // Singular values lie within this ratio as rows and columns grow (Marchenko and Pastur 1967),
  // and within 3 where the diagonal is raised; of few they lie within twice that.
  double const part = std::sqrt(static_cast<double>(columns) / static_cast<double>(rows));
  return 2 * (rows < 4 * columns ? 3 : (1 + part) / (1 - part));
}

} // namespace strata::mgs
