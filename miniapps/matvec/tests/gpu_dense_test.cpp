#include "operands.hpp"

#include "array/dense/array.hpp"
#include "kernels/across_by_teams.hpp"
#include "kernels/along_by_groups.hpp"
#include "testing/thread_team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

// A GPU's loops of y = A x, run by threads: each element of y is exact for any shape, and the
// tickets are 0 again.

namespace strata::matvec {

namespace {

constexpr int members = 64;

struct MatrixShape
{
  index_t rows, cols;
};
/// Rows and columns below and above a pack, a group and a team; odd ones among them.
constexpr MatrixShape odd_shapes[] = {{1, 1},  {2, 1},   {1, 2},  {5, 3},
                                      {65, 2}, {37, 65}, {3, 259}};

/// A matrix of whole numbers, x and y.
template <class Layout>
struct Product
{
  HostArray<double, Layout, 2> a;
  HostArray<double, LayoutRight, 1> x, y;
  std::vector<double> values = std::vector<double>(1 << 16, NAN);
  std::vector<unsigned> tickets = std::vector<unsigned>(1 << 10, 0);

  explicit Product(MatrixShape const& shape)
      : a("strata::test::a", Dynamic<2>(shape.rows, shape.cols))
      , x("strata::test::x", Dynamic<1>(shape.cols))
      , y("strata::test::y", Dynamic<1>(shape.rows))
  {
    for (index_t j = 0; j < shape.cols; ++j) {
      x.write()(j) = whole(j, 5);
      for (index_t i = 0; i < shape.rows; ++i)
        a.write()(i, j) = whole(i, j);
    }
    std::fill_n(y.data(), shape.rows, static_cast<double>(NAN));
  }
  TeamParts<double> parts(int count) { return {values.data(), tickets.data(), count}; }
  void expect_exact(char const* what) const
  {
    auto const out = y.read();
    for (index_t i = 0; i < out.extent(0); ++i) {
      double sum = 0;
      for (index_t j = 0; j < a.extents().extent(1); ++j)
        sum += whole(i, j) * whole(j, 5);
      ASSERT_EQ(out(i), sum) << "row " << i << " of " << out.extent(0) << " x "
                             << a.extents().extent(1) << ", " << what;
    }
    EXPECT_EQ(std::count(tickets.begin(), tickets.end(), 0U),
              static_cast<std::ptrdiff_t>(tickets.size()));
  }
};

template <int Lanes, int R, int W>
void expect_along(MatrixShape const& shape, index_t parts)
{
  Product<LayoutRight> product(shape);
  auto const a = product.a.read();
  auto const x = product.x.read();
  auto const y = product.y.write();
  auto const run = [&]<bool Aligned>(std::bool_constant<Aligned>) {
    using Kernel =
        AlongByGroups<std::remove_const_t<decltype(a)>, std::remove_const_t<decltype(x)>,
                      std::remove_const_t<decltype(y)>, members, Lanes, R, W, Aligned>;
    index_t const packs = shape.cols / W;
    index_t const part_packs = std::max<index_t>((packs + parts - 1) / parts, 1);
    auto const used =
        static_cast<int>(std::max<index_t>((packs + part_packs - 1) / part_packs, 1));
    Kernel const kernel{a, x, y, product.parts(used), part_packs};
    testing::run_on_threads<members>(Kernel::blocks(shape.rows) * used, kernel);
  };
  if (shape.cols % W == 0)
    run(std::true_type());
  else
    run(std::false_type());
  product.expect_exact("along");
}

TEST(AlongByGroups, IsExactForAnyShapeAndAnyGroup)
{
  for (auto const& shape : odd_shapes) {
    expect_along<1, 2, 2>(shape, 1);
    expect_along<4, 2, 2>(shape, 1);
    expect_along<32, 1, 4>(shape, 1);
    expect_along<32, 2, 4>(shape, 1);
  }
}

TEST(AlongByGroups, SplitsColumnsOverTeams)
{
  for (auto const& shape : odd_shapes)
    for (index_t const parts : {1, 2, 5}) {
      expect_along<members, 1, 2>(shape, parts);
      expect_along<members, 2, 4>(shape, parts);
    }
}

template <int W>
void expect_across(MatrixShape const& shape, index_t parts, int along_bits)
{
  Product<LayoutLeft> product(shape);
  auto const x = product.x.read();
  auto const y = product.y.write();
  auto const run = [&]<int Phases>(auto const& a, std::integral_constant<int, Phases>) {
    using Kernel =
        AcrossByTeams<std::remove_cvref_t<decltype(a)>, std::remove_const_t<decltype(x)>,
                      std::remove_const_t<decltype(y)>, members, W, Phases>;
    index_t const owned = Kernel::rows_of_team(along_bits);
    index_t const blocks = (shape.rows + owned - 1) / owned;
    index_t const part_cols = ((shape.cols + parts - 1) / parts + W - 1) / W * W;
    auto const used = static_cast<int>((shape.cols + part_cols - 1) / part_cols);
    Kernel const kernel{
        a, x, y, product.parts(used), part_cols, along_bits, static_cast<int>(blocks)};
    testing::run_on_threads<members>(blocks * used, kernel, Kernel::scratch_bytes);
  };
  if (shape.rows % W == 0)
    run(product.a.read(), std::integral_constant<int, 1>());
  else {
    // Whole packs; what no column has is NaN.
    Dynamic<1> const count((shape.rows * shape.cols + W - 1) / W * W);
    HostArray<double, LayoutRight, 1> const flat("strata::test::flat", count);
    std::fill_n(flat.data(), count.extent(0), static_cast<double>(NAN));
    std::copy_n(product.a.data(), shape.rows * shape.cols, flat.data());
    auto const values = flat.read();
    run(FlatColumns<std::remove_const_t<decltype(values)>>{values, shape.rows, shape.cols},
        std::integral_constant<int, W>());
  }
  product.expect_exact("across");
}

TEST(AcrossByTeams, IsExactForAnyShape)
{
  for (auto const& shape : odd_shapes)
    for (int const along : {1, 3, 6}) {
      expect_across<2>(shape, 1, along);
      expect_across<4>(shape, 1, along);
    }
}

TEST(AcrossByTeams, SplitsColumnsOverTeams)
{
  for (auto const& shape : odd_shapes)
    for (index_t const parts : {2, 5}) {
      expect_across<2>(shape, parts, 1);
      expect_across<4>(shape, parts, 4);
    }
}

} // namespace

} // namespace strata::matvec
