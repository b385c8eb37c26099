#pragma once

#include "base/kokkos.hpp"
#include "base/mix.hpp"
#include "base/types.hpp"

#include <cstdint>
#include <string>

namespace strata::mgs {

enum class MatrixKind
{
  random,
  laplacian,
  kahan
};

MatrixKind matrix_kind(std::string const& name);

/// The input as a function of global row and column: the same for any number of ranks, and the
/// check needs no copy of it.
///   random     uniform in [-1/2, 1/2), hashed; the diagonal is raised where rows are fewer
///              than four times the columns, so that it is always well conditioned
///   laplacian  square, 2 on the diagonal and -1 beside it (S5 eq. 6)
///   kahan      C·K: C has orthonormal columns (cosines), K is Kahan's matrix
///              K(j, j) = s^j, K(j, k) = -c s^j for k > j, c and s cosine and sine of `angle`;
///              ill-conditioned, and the more so the smaller the angle
struct Matrix
{
  MatrixKind kind = MatrixKind::random;
  index_t rows = 0;
  index_t columns = 0;
  std::uint64_t seed = 1;
  double angle = 1.2; ///< of kahan, in radians

  KOKKOS_FUNCTION double operator()(index_t i, index_t j) const
  {
    if (kind == MatrixKind::laplacian)
      return i == j ? 2 : i - j == 1 || j - i == 1 ? -1 : 0;
    if (kind == MatrixKind::kahan)
      return kahan(i, j);
    return uniform(i * columns + j) - 0.5 + (i == j ? raised() : 0);
  }

  /// An upper bound of the condition number; for `random` it holds with a probability near 1.
  [[nodiscard]] double condition() const;

private:
  KOKKOS_FUNCTION double kahan(index_t i, index_t k) const
  {
    constexpr double pi = 3.14159265358979323846;
    double const n = static_cast<double>(rows);
    double const at = pi * (static_cast<double>(i) + 0.5) / n;
    double const c = std::cos(angle);
    double const s = std::sin(angle);
    double power = std::sqrt(2 / n);
    double sum = 0;
    for (index_t j = 0; j <= k; ++j) {
      sum += std::cos(at * (static_cast<double>(j) + 0.5)) * power * (j == k ? 1 : -c);
      power *= s;
    }
    return sum;
  }

  /// Twice the expected largest singular value of the hashed part.
  KOKKOS_FUNCTION double raised() const
  {
    if (rows >= 4 * columns)
      return 0;
    return (std::sqrt(static_cast<double>(rows)) + std::sqrt(static_cast<double>(columns))) /
           std::sqrt(3.0);
  }

  /// A number in [0, 1), hashed.
  KOKKOS_FUNCTION double uniform(index_t item) const
  {
    return mixed_to_unit(static_cast<std::uint64_t>(item) + seed * golden_ratio);
  }
};

} // namespace strata::mgs
