#include "checks.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cstdio>

namespace strata::mgs {

SmallMatrix fetched(Factor const& factor)
{
  auto const host = host_mirror(factor.numbers());
  copy(host, factor.numbers());
  Kokkos::fence();
  SmallMatrix r(factor.columns());
  for (index_t j = 0; j < r.columns; ++j)
    for (index_t k = 0; k < r.columns; ++k)
      r(j, k) = host.data()[j * factor.pitch() + k];
  return r;
}

void require_independent(SmallMatrix const& r, index_t rows, double epsilon)
{
  double const dependent =
      64 * (epsilon * static_cast<double>(r.columns) +
            verify::rounding<double>(std::sqrt(static_cast<double>(rows))));
  for (index_t k = 0; k < r.columns; ++k) {
    double square = 0;
    for (index_t j = 0; j <= k; ++j)
      square += r(j, k) * r(j, k);
    double const norm = std::sqrt(square);
    if (!std::isfinite(norm))
      return; // which a verdict reports
    double const left = std::fabs(r(k, k));
    if (left <= dependent * norm) {
      char part[32];
      std::snprintf(part, sizeof part, "%.1e", norm > 0 ? left / norm : 0.0);
      throw Error(Exit::verification,
                  "the input is rank-deficient: column " + std::to_string(k) + " of 0 to " +
                      std::to_string(r.columns - 1) +
                      " depends on those before it (what is left of it is " + part +
                      " of its norm); choose another cases.matrix or lower problem.columns");
    }
  }
}

double misplaced(SmallMatrix const& r, bool any_sign)
{
  double count = 0;
  for (index_t j = 0; j < r.columns; ++j) {
    for (index_t k = 0; k < j; ++k)
      count += r(j, k) == 0 ? 0 : 1;
    double const diagonal = any_sign ? std::fabs(r(j, j)) : r(j, j);
    count += diagonal > 0 ? 0 : 1;
  }
  return count;
}

double distance_from_identity(SmallMatrix const& m, bool any_sign)
{
  double largest = 0;
  for (index_t j = 0; j < m.columns; ++j)
    for (index_t k = 0; k < m.columns; ++k) {
      double const value = j == k && any_sign ? std::fabs(m(j, k)) : m(j, k);
      largest = verify::worse(largest, std::fabs(value - (j == k ? 1 : 0)));
    }
  return largest;
}

double lower_part(SmallMatrix const& m)
{
  double lower = 0;
  double all = 0;
  for (index_t j = 0; j < m.columns; ++j)
    for (index_t k = 0; k < m.columns; ++k) {
      double const size = std::fabs(m(j, k));
      all = verify::worse(all, size);
      lower = verify::worse(lower, k < j ? size : 0);
    }
  return all == 0 ? 1 : lower / all;
}

double allowed_orthogonality(Problem const& problem, Algorithm const& algorithm, double epsilon)
{
  // Rounding errors of rows that are added one after another are a random walk: at most all of
  // a rank's on a host, in a library or in a check of many columns, those of a thread on a GPU,
  // whose sums are added as a tree.
  bool const as_tree =
      !device_is_host && !problem.added_by_library && !by_patches(problem.matrix.columns);
  double const in_turn =
      std::ceil(static_cast<double>(problem.count) / (as_tree ? Device().concurrency() : 1));
  auto const columns = static_cast<double>(problem.matrix.columns);
  double const kappa = problem.matrix.condition();
  double const loss = algorithm.stability == Stability::orthogonal     ? 1
                      : algorithm.stability == Stability::proportional ? kappa
                                                                       : kappa * kappa;
  // A greater loss of orthogonality fails, even where theory allows it.
  return std::min(0.1, loss * (epsilon * (8 + 2 * std::sqrt(columns)) +
                               verify::rounding<double>(2 * std::sqrt(in_turn))));
}

double allowed_residual(Problem const& problem, Algorithm const& algorithm, double epsilon)
{
  double const spread =
      algorithm.reflects ? std::sqrt(static_cast<double>(problem.matrix.rows)) : 1;
  auto const columns = static_cast<double>(problem.matrix.columns);
  return spread * epsilon * (16 + 8 * std::sqrt(columns));
}

} // namespace strata::mgs
