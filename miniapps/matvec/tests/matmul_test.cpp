#include "operands.hpp"

#include "array/dense/array.hpp"
#include "array/dense/copy.hpp"
#include "matmul/host_tile.hpp"
#include "matmul/launch_cuda_product.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace strata::matvec {

namespace {

/// C(i, j) of factors that `set` has filled.
template <class Matrix>
void expect_product(Matrix const& c, index_t order)
{
  for (index_t i = 0; i < c.extent(0); ++i)
    for (index_t j = 0; j < order; ++j) {
      double sum = 0;
      for (index_t k = 0; k < order; ++k)
        sum += whole(i, k) * whole(k, j);
      ASSERT_EQ(c(i, j), sum) << i << " " << j << " of " << c.extent(0) << " x " << order;
    }
}

template <class T, class First, class Second, class Third>
void expect_tiles(index_t rows, index_t order, index_t threads)
{
  HostArray<T, First, 2> const left("strata::test::a", Dynamic<2>(rows, order));
  HostArray<T, Second, 2> const right("strata::test::b", Dynamic<2>(order, order));
  HostArray<computed_t<T>, Third, 2> const product("strata::test::c", Dynamic<2>(rows, order));
  set(left);
  set(right);
  auto const c = product.write();
  constexpr bool along = y_along_k<decltype(right.read()), decltype(product.write())>;
  HostTile<T, along> const kernel(operands_of(left.read(), right.read(), c), threads);
  for_each_team<1, Host>(kernel.tiles(), kernel);
  Kokkos::fence();
  expect_product(c, order);
}

template <class T>
void expect_tiles_of_any_order()
{
  for (auto const& [rows, order] : {Shape{1, 1}, {7, 7}, {5, 50}, {200, 211}, {50, 401}})
    for (index_t const threads : {1, 5}) {
      expect_tiles<T, LayoutRight, LayoutRight, LayoutRight>(rows, order, threads);
      expect_tiles<T, LayoutRight, LayoutLeft, LayoutRight>(rows, order, threads);
      expect_tiles<T, LayoutLeft, LayoutLeft, LayoutLeft>(rows, order, threads);
    }
}

TEST(HostTile, IsExactForAnyOrder)
{
  expect_tiles_of_any_order<double>();
  expect_tiles_of_any_order<float>();
  expect_tiles_of_any_order<float16>();
  expect_tiles_of_any_order<bfloat16>();
}

#if defined(KOKKOS_ENABLE_CUDA)

#if defined(STRATA_MATVEC_WARPGROUP)
/// Whether this device must run the product by warp groups.
bool is_hopper()
{
  return nvidia::attribute(cudaDevAttrComputeCapabilityMajor) == 9;
}
#endif

/// Of launch(A, B, C, room), which returns the kernel's name or null.
template <class T, class First, class Second, class Launch>
void expect_cuda_product(index_t rows, index_t order, Launch const& launch)
{
  HostArray<T, First, 2> const left("strata::test::a", Dynamic<2>(rows, order));
  HostArray<T, Second, 2> const right("strata::test::b", Dynamic<2>(order, order));
  HostArray<computed_t<T>, First, 2> const product("strata::test::c", Dynamic<2>(rows, order));
  set(left);
  set(right);
  Array<T, Dynamic<2>, First> const a("strata::test::a", left.extents());
  Array<T, Dynamic<2>, Second> const b("strata::test::b", right.extents());
  Array<computed_t<T>, Dynamic<2>, First> const c("strata::test::c", product.extents());
  Array<T, Dynamic<1>> const room(
      "strata::test::room",
      Dynamic<1>(padded_elements<T>(std::is_same_v<First, LayoutLeft>, rows, order)));
  copy(a, left);
  copy(b, right);
  if (!launch(a.read(), b.read(), c.write(), room.data()))
    GTEST_SKIP() << "this device lacks what the kernel for such numbers needs";
  copy(product, c);
  expect_product(product.read(), order);
}

/// Below and above a tile, a panel and a vector; more rows of tiles than a band.
template <class T>
void expect_cuda_products()
{
  for (auto const& [rows, order] : {Shape{1, 1},
                                    {7, 7},
                                    {1, 64},
                                    {64, 64},
                                    {65, 66},
                                    {130, 47},
                                    {50, 401},
                                    {600, 96},
                                    {1100, 264}}) {
    auto const launch = [](auto const& a, auto const& b, auto const& c, T* room) {
      char const* const name = launch_cuda_product(a, b, c, room);
#if defined(STRATA_MATVEC_WARPGROUP)
      if (is_narrow<T> && is_hopper())
        EXPECT_STREQ(name, warpgroup_product_name);
#endif
      return name;
    };
    expect_cuda_product<T, LayoutRight, LayoutRight>(rows, order, launch);
    expect_cuda_product<T, LayoutRight, LayoutLeft>(rows, order, launch);
    expect_cuda_product<T, LayoutLeft, LayoutLeft>(rows, order, launch);
  }
}

TEST(TensorProduct, IsExactForAnyOrder)
{
  expect_cuda_products<double>();
}
TEST(FloatProduct, IsExactForAnyOrder)
{
  expect_cuda_products<float>();
}
TEST(TensorProduct, IsExactForAnyOrderOfHalves)
{
  expect_cuda_products<float16>();
}
TEST(TensorProduct, IsExactForAnyOrderOfBfloats)
{
  expect_cuda_products<bfloat16>();
}

#if defined(STRATA_MATVEC_WARPGROUP)

/// By so few blocks that each has several tiles; eleven panels and a rest, in a ring of four.
template <class T>
void expect_tile_after_tile()
{
  for (int const blocks : {1, 2, 5}) {
    auto const launch = [&](auto const& a, auto const& b, auto const& c, T* /*room*/) {
      constexpr bool along =
          y_along_k<std::remove_cvref_t<decltype(b)>, std::remove_cvref_t<decltype(c)>>;
      auto const operands = warpgroup_operands<along>(operands_of(a, b, c));
      if (!runs_warpgroup_product(operands))
        return false;
      launch_cuda(warpgroup_product_name, [&](cudaStream_t stream) {
        return launch_warpgroup_product(operands, blocks, stream);
      });
      return true;
    };
    expect_cuda_product<T, LayoutRight, LayoutRight>(304, 712, launch);
    expect_cuda_product<T, LayoutRight, LayoutLeft>(304, 712, launch);
    expect_cuda_product<T, LayoutLeft, LayoutLeft>(304, 712, launch);
  }
}

TEST(WarpgroupProduct, GoesFromTileToTileOfHalves)
{
  expect_tile_after_tile<float16>();
}
TEST(WarpgroupProduct, GoesFromTileToTileOfBfloats)
{
  expect_tile_after_tile<bfloat16>();
}
TEST(WarpgroupProduct, DeclinesWhatItDoesNotCount)
{
  WarpgroupOperands const operands{nullptr, nullptr, nullptr, 8, 8, 8, 8, 8, 8, true, false};
  EXPECT_EQ(runs_warpgroup_product(operands), is_hopper());
  for (auto const size :
       {&WarpgroupOperands::rows, &WarpgroupOperands::columns, &WarpgroupOperands::depth})
    for (index_t const refused : {index_t{0}, index_t{1} << 31}) {
      auto other = operands;
      other.*size = refused;
      EXPECT_FALSE(runs_warpgroup_product(other));
    }
}

#endif

#endif

} // namespace

} // namespace strata::matvec
