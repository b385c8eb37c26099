#pragma once

#include "values.hpp"

#include "array/for_each.hpp"
#include "verify/tolerance.hpp"
#include "verify/verdict.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

// The checks of all products y = B x. An operator B gives its elements from global indices:
//   inner()                     length of x
//   terms()                     of a row's sum, at most
//   row(r, f)                   f(k, element) for the row's elements; host
//   column(k, first, count, f)  f(r, element) for a column's elements of some rows; device

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

  [[nodiscard]] KOKKOS_FUNCTION index_t inner() const { return length; }
  [[nodiscard]] index_t terms() const { return length; }
  KOKKOS_FUNCTION double element(index_t r, index_t k) const
  {
    return kind == Kind::plain        ? values.matrix(r, k)
           : kind == Kind::transposed ? values.matrix(k, r)
                                      : values.symmetric(r, k);
  }
  template <class F>
  void row(index_t r, F const& f) const
  {
    for (index_t k = 0; k < length; ++k)
      f(k, element(r, k));
  }
  template <class F>
  KOKKOS_FUNCTION void column(index_t k, index_t first, index_t count, F const& f) const
  {
    for (index_t r = first; r < first + count; ++r)
      f(r, element(r, k));
  }
};

/// A sum and that of its terms' magnitudes, which scales its error.
struct SumOfTerms
{
  double value = 0;
  double magnitude = 0;

  KOKKOS_FUNCTION SumOfTerms& operator+=(SumOfTerms const& other)
  {
    value += other.value;
    magnitude += other.magnitude;
    return *this;
  }
};

/// Σ over the rows of some, of which there are `count` from `first`, of weight times B x, by
/// columns: (wᵀB) x.
template <class Operator>
struct WeightedColumns
{
  static constexpr char const* name() { return "strata::matvec::WeightedColumns"; }
  Operator product;
  index_t first;
  index_t count;

  KOKKOS_FUNCTION void operator()(SumOfTerms& sum, index_t k) const
  {
    SumOfTerms column;
    product.column(k, first, count, [&](index_t r, double element) {
      double const term = product.values.weight(r) * element;
      column += SumOfTerms{term, term < 0 ? -term : term};
    });
    double const factor = product.values.vector(k);
    sum += SumOfTerms{column.value * factor, column.magnitude * factor};
  }
};

/// The sum of products in twice the working precision (Ogita, Rump and Oishi 2005, Dot2).
class CompensatedSum
{
public:
  void add_product(double a, double b)
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

/// Roundings of a sum of n products that arises in any order: eight standard deviations of
/// their random walk (Higham and Mary 2019, Theorem 3.1 with λ = 8).
inline double walk_of_roundings(index_t n)
{
  return 8 * std::sqrt(static_cast<double>(n < 1 ? 1 : n));
}

/// Relative to `magnitude`; the largest double where it is no number.
inline double scaled_error(double value, double expected, double magnitude)
{
  double const error = std::abs(value - expected) / (magnitude > 0 ? magnitude : 1);
  return error <= std::numeric_limits<double>::max() ? error
                                                     : std::numeric_limits<double>::max();
}

/// Rows compared one by one: all when they are cheap, else this many hashed ones.
index_t sampled_rows(index_t count, index_t terms);
index_t sampled_row(index_t sample, index_t samples, index_t count);

/// y[0, count), the elements from `first` on of B x, against a compensated sum for sampled
/// rows, and against the checksum wᵀ(B x) = (wᵀB) x for all: weights hashed, so that exchanged
/// rows show. Errors are relative to the sums of the terms' magnitudes.
template <class T, class Operator>
std::vector<verify::Verdict> check_product(Operator const& product, index_t first,
                                           std::vector<double> const& y)
{
  auto const count = static_cast<index_t>(y.size());
  index_t const terms = product.terms();
  index_t const samples = sampled_rows(count, terms);
  double row_error = 0;
  for (index_t s = 0; s < samples; ++s) {
    index_t const r = sampled_row(s, samples, count);
    CompensatedSum sum;
    product.row(first + r, [&](index_t k, double element) {
      sum.add_product(element, product.values.vector(k));
    });
    row_error = std::max(
        row_error, scaled_error(y[static_cast<std::size_t>(r)], sum.value(), sum.magnitude()));
  }
  SumOfTerms found;
  for (index_t r = 0; r < count; ++r)
    found.value += product.values.weight(first + r) * y[static_cast<std::size_t>(r)];
  auto const expected =
      reduced<SumOfTerms>(in_order_of<LayoutRight>(Dynamic<1>(product.inner())),
                          WeightedColumns<Operator>{product, first, count});
  return {
      verify::judge("error_of_rows", row_error, verify::rounding<T>(walk_of_roundings(terms))),
      verify::judge(
          "error_of_checksum", scaled_error(found.value, expected.value, expected.magnitude),
          verify::rounding<T>(walk_of_roundings(terms) +
                              (sizeof(T) == sizeof(double) ? walk_of_roundings(count) : 1.0)))};
}

/// The values as the host sees them; waits for the device.
template <class T>
std::vector<double> values_on_host(T const* data, index_t count);

} // namespace strata::matvec
