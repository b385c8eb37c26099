#pragma once

#include "values.hpp"

#include "verify/compare.hpp"
#include "verify/tolerance.hpp"
#include "verify/verdict.hpp"

#include <cmath>
#include <vector>

// The checks of all products y = B x. An operator B gives its elements from global indices:
//   terms()     of a row's sum, at most
//   row(r, f)   f(k, element) for the row's elements

namespace strata::matvec {

/// Dense: A, Aᵀ or the symmetric matrix of the values.
struct DenseOperator
{
  enum class Kind
  {
    plain,
    transposed,
    symmetric
  };
  Values values;
  Kind kind = Kind::plain;
  index_t length = 0;

  [[nodiscard]] index_t terms() const { return length; }
  [[nodiscard]] KOKKOS_FUNCTION double element(index_t r, index_t k) const
  {
    return kind == Kind::plain        ? values.matrix(r, k)
           : kind == Kind::transposed ? values.matrix(k, r)
                                      : values.symmetric(r, k);
  }
  template <class F>
  KOKKOS_FUNCTION void row(index_t r, F const& f) const
  {
    for (index_t k = 0; k < length; ++k)
      f(k, element(r, k));
  }
};

/// |value − expected| relative to `magnitude`.
KOKKOS_FUNCTION inline double scaled_error(double value, double expected, double magnitude)
{
  double const distance = value < expected ? expected - value : value - expected;
  return magnitude > 0 ? distance / magnitude : distance;
}

/// The largest error of y[r] against row `first` + r of B x, relative to the sum of the
/// magnitudes of the row's terms.
template <class Operator, class T>
struct RowErrors
{
  static constexpr char const* name() { return "strata::matvec::RowErrors"; }
  Operator product;
  index_t first;
  T const* y;

  KOKKOS_FUNCTION void operator()(verify::Worst& worst, index_t r) const
  {
    double sum = 0;
    double magnitude = 0;
    product.row(first + r, [&](index_t k, double element) {
      double const term = element * product.values.vector(k);
      sum += term;
      magnitude += term < 0 ? -term : term;
    });
    worst += scaled_error(static_cast<double>(y[r]), sum, magnitude);
  }
};

/// The sum of products in twice the working precision (Ogita, Rump and Oishi 2005, Dot2).
class CompensatedSum
{
public:
  KOKKOS_FUNCTION void add_product(double a, double b)
  {
    double const product = a * b;
    double const error = std::fma(a, b, -product);
    double const sum = sum_ + product;
    double const back = sum - sum_;
    low_ += (sum_ - (sum - back)) + (product - back) + error;
    sum_ = sum;
    magnitude_ += std::abs(product);
  }
  [[nodiscard]] double value() const { return sum_ + low_; }
  [[nodiscard]] double magnitude() const { return magnitude_; }

private:
  double sum_ = 0;
  double low_ = 0;
  double magnitude_ = 0;
};

/// Bound of the rounding errors of a sum of n products in any order, in units of epsilon and
/// relative to the sum of their magnitudes. Each addition errs by at most half an epsilon of
/// its partial sum, up or down: errors add up like a random walk of √n steps (Higham and Mary
/// 2019). Of a serial loop over the values of values.hpp, whose partial sums grow evenly to 0.8
/// of the magnitudes, the standard deviation is 0.8 √n / 6, of which 2 √n are fifteen; sums in
/// lanes and parts err less. One average product, 1/n of the magnitudes, that a row lacks is
/// beyond the bound up to 26,000 terms in float and 10¹⁰ in double.
inline double walk_of_roundings(index_t n)
{
  return 2 * std::sqrt(static_cast<double>(n < 1 ? 1 : n));
}

/// What an NVIDIA GPU's tensor cores may err beside that where they sum numbers of two bytes:
/// they truncate each sum of some products and the one before, so that errors add up. Of
/// n = 8192 products of halves the core's and cuBLAS' are n / 75 epsilons of the magnitudes on
/// an H200, which sums sixteen at a time, of bfloat16 n / 144, of n = 1501 the core's n / 67
/// and n / 125; twice as much is left for devices that sum eight. A product that a row lacks is
/// seen up to 12,000 terms.
inline double truncations(index_t n)
{
  return static_cast<double>(n) / 32;
}

/// Number of rows that the host compares: all if that is cheap, else some, chosen by a hash.
index_t sampled_rows(index_t count, index_t terms);
index_t sampled_row(index_t sample, index_t samples, index_t count);

/// A copy of the values on the host; waits for the device.
template <class T>
std::vector<double> values_on_host(T const* data, index_t count);

/// Checks y[0, count) in the device's memory, the elements from `first` on of B x: each against
/// a second sum by the device in double precision, and those of sampled rows against a
/// compensated sum by the host.
template <class Operator, class T>
std::vector<verify::Verdict> check_product(Operator const& product, index_t first, T const* y,
                                           index_t count)
{
  auto const on_host = values_on_host(y, count);
  index_t const terms = product.terms();
  index_t const samples = sampled_rows(count, terms);
  double error = 0;
  for (index_t s = 0; s < samples; ++s) {
    index_t const r = sampled_row(s, samples, count);
    CompensatedSum sum;
    product.row(first + r, [&](index_t k, double element) {
      sum.add_product(element, product.values.vector(k));
    });
    error = verify::worse(error, scaled_error(on_host[static_cast<std::size_t>(r)], sum.value(),
                                              sum.magnitude()));
  }
  auto const every =
      verify::sum_of_every<verify::Worst>(count, RowErrors<Operator, T>{product, first, y});
  double const roundings = walk_of_roundings(terms);
  double const allowed = verify::rounding<T>(roundings);
  return {verify::judge("error_of_rows", error, allowed),
          verify::judge("error_of_every_row", every.value,
                        allowed + verify::rounding<double>(roundings))};
}

} // namespace strata::matvec
