#include "array/dense/array.hpp"
#include "array/dense/copy.hpp"
#include "operands/check.hpp"
#include "ranks/part.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>
#include <vector>

namespace strata::matvec {

namespace {

TEST(CompensatedSum, KeepsWhatOneWordLoses)
{
  CompensatedSum sum;
  sum.add_product(1e16, 1);
  sum.add_product(1, 1);
  sum.add_product(-1e8, 1e8);
  EXPECT_EQ(sum.value(), 1);
  EXPECT_EQ(sum.magnitude(), 2e16);
}

TEST(Values, AreNeitherSymmetricNorAlike)
{
  Values const values{1};
  std::set<double> seen;
  for (index_t i = 0; i < 40; ++i)
    for (index_t j = 0; j < 40; ++j) {
      seen.insert(values.matrix(i, j));
      EXPECT_EQ(values.symmetric(i, j), values.symmetric(j, i));
      EXPECT_NE(values.matrix(i, j), Values{2}.matrix(i, j));
      EXPECT_EQ((Values{1, Elements::half}.matrix(i, j)),
                static_cast<double>(float16(static_cast<float>(values.matrix(i, j)))));
      EXPECT_EQ((Values{1, Elements::bfloat16}.matrix(i, j)),
                static_cast<double>(bfloat16(static_cast<float>(values.matrix(i, j)))));
    }
  EXPECT_EQ(seen.size(), 1600U);
}

/// Rows [first, first + count) of the product, serially.
template <class T = double>
std::vector<T> product(DenseOperator const& op, index_t first, index_t count)
{
  std::vector<T> y;
  for (index_t r = first; r < first + count; ++r) {
    T sum = 0;
    op.row(r, [&](index_t k, double element) {
      sum += static_cast<T>(element * op.values.vector(k));
    });
    y.push_back(sum);
  }
  return y;
}

template <class T>
bool passes(DenseOperator const& op, index_t first, std::vector<T> const& y)
{
  auto const count = static_cast<index_t>(y.size());
  Array<T, Dynamic<1>> const there("strata::matvec::check_test", Dynamic<1>(count));
  auto const here = host_mirror(there);
  std::copy(y.begin(), y.end(), here.data());
  copy(there, here);
  auto const verdicts = check_product(op, first, static_cast<T const*>(there.data()), count);
  EXPECT_EQ(verdicts.size(), 2U);
  return std::all_of(verdicts.begin(), verdicts.end(),
                     [](verify::Verdict const& verdict) { return verdict.passed; });
}

TEST(CheckProduct, AcceptsTheProductOfEveryKind)
{
  using Kind = DenseOperator::Kind;
  for (auto const kind : {Kind::plain, Kind::transposed, Kind::symmetric}) {
    DenseOperator const op{{}, kind, 57};
    EXPECT_TRUE(passes(op, 3, product(op, 3, 41)));
  }
}

TEST(CheckProduct, RejectsAnotherKindAndOtherRows)
{
  DenseOperator const op{{}, DenseOperator::Kind::plain, 57};
  DenseOperator const other{{}, DenseOperator::Kind::transposed, 57};
  EXPECT_FALSE(passes(other, 0, product(op, 0, 57)));
  EXPECT_FALSE(passes(op, 1, product(op, 0, 57)));
}

/// One value or two rows wrong among many, of which the host compares some.
template <class T>
void expect_that_one_fault_shows(double change)
{
  index_t const rows = 20'000;
  DenseOperator const op{{1}, DenseOperator::Kind::plain, 400};
  ASSERT_LT(sampled_rows(rows, 400), rows);
  auto const right = product<T>(op, 0, rows);
  EXPECT_TRUE(passes(op, 0, right));
  for (std::size_t const at : {0U, 1U, 9'999U, 19'998U}) {
    auto wrong = right;
    wrong[at] *= static_cast<T>(1 + change);
    EXPECT_FALSE(passes(op, 0, wrong)) << at;
    wrong = right;
    std::swap(wrong[at], wrong[at + 1]);
    EXPECT_FALSE(passes(op, 0, wrong)) << at;
    wrong = right;
    wrong[at] = NAN;
    EXPECT_FALSE(passes(op, 0, wrong)) << at;
  }
}

TEST(CheckProduct, RejectsOneValueAndExchangedRowsWhereNotEveryRowIsSampled)
{
  expect_that_one_fault_shows<double>(1e-6);
  expect_that_one_fault_shows<float>(1e-3); // as verify::Fault changes them
}

/// A row's sum without one product, which is of average size or larger.
template <class T>
void expect_that_a_lost_product_shows(index_t terms)
{
  DenseOperator const op{{1}, DenseOperator::Kind::plain, terms};
  double sum = 0;
  double magnitude = 0;
  op.row(2, [&](index_t k, double element) {
    sum += element * op.values.vector(k);
    magnitude += std::abs(element * op.values.vector(k));
  });
  double lost = 0;
  op.row(2, [&](index_t k, double element) {
    double const product = element * op.values.vector(k);
    if (lost == 0 && std::abs(product) >= magnitude / static_cast<double>(terms))
      lost = product;
  });
  EXPECT_TRUE(passes(op, 2, std::vector<T>{static_cast<T>(sum)})) << terms;
  EXPECT_FALSE(passes(op, 2, std::vector<T>{static_cast<T>(sum - lost)})) << terms;
}

TEST(CheckProduct, RejectsARowThatLacksOneProduct)
{
  for (index_t const terms : {1, 3, 61, 523, 5'000, 26'000})
    expect_that_a_lost_product_shows<float>(terms);
  for (index_t const terms : {1, 3, 61, 523, 5'000, 26'000, 1'000'000})
    expect_that_a_lost_product_shows<double>(terms);
}

/// A serial loop's errors grow like a random walk: the bound is far above them.
TEST(CheckProduct, AcceptsASerialLoopInFloat)
{
  for (index_t const terms : {3, 61, 5'000, 100'000}) {
    DenseOperator const op{{1}, DenseOperator::Kind::plain, terms};
    EXPECT_TRUE(passes(op, 0, product<float>(op, 0, 20))) << terms;
  }
}

TEST(Part, CoversTheMatrixOnceOnAnyNumberOfRanks)
{
  for (std::string const partition : {"rows", "grid"})
    for (int const ranks : {1, 2, 3, 4, 6, 7}) {
      index_t elements = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        auto const part = part_of(partition, {rank, ranks}, 23, 17);
        EXPECT_EQ(part.down.ranks * part.across.ranks, ranks);
        EXPECT_EQ(part.down.rank * part.across.ranks + part.across.rank, rank);
        EXPECT_LE(partition == "rows" ? part.across.ranks : 1, 1);
        elements += part.my_rows() * part.my_cols();
      }
      EXPECT_EQ(elements, 23 * 17);
    }
  EXPECT_EQ(part_of("grid", {0, 6}, 23, 17).down.ranks, 2);
}

} // namespace

} // namespace strata::matvec
