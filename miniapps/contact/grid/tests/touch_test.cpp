#include "array/dense/array.hpp"
#include "array/dense/copy.hpp"
#include "array/launch/for_each.hpp"
#include "grid/geometry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace strata::contact {

namespace {

using Numbers = Array<double, Dynamic<1>, LayoutRight>;

/// answers[n] = whether spheres 2n and 2n + 1 are near.
struct AskPairs
{
  static constexpr char const* name() { return "strata::test::AskPairs"; }
  TouchingSpheres touch;
  double* answers;

  KOKKOS_FUNCTION void operator()(index_t n) const
  {
    answers[n] = touch.near(2 * n, 2 * n + 1) ? 1 : 0;
  }
};

} // namespace

// What a file's spheres are must not depend on the device, nor on which of its kernels asks: a
// product and a sum that are rounded as one decide otherwise.
TEST(TouchingSpheres, AreDecidedOnTheDeviceAsWithoutFusedOperations)
{
  constexpr index_t pairs = 20'000;
  Numbers numbers[4];
  for (auto& one : numbers)
    one = Numbers("strata::test::numbers", Dynamic<1>(2 * pairs));
  Numbers answers("strata::test::answers", Dynamic<1>(pairs));
  auto const x = host_mirror(numbers[0]);
  auto const y = host_mirror(numbers[1]);
  auto const z = host_mirror(numbers[2]);
  auto const radius = host_mirror(numbers[3]);
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> part(0, 1);
  for (index_t n = 0; n < 2 * pairs; ++n) {
    x(n) = part(random);
    y(n) = part(random);
    z(n) = part(random);
  }
  for (index_t n = 0; n < 2 * pairs; n += 2) { // as far apart as they touch, but for rounding
    double const apart = std::hypot(x(n + 1) - x(n), y(n + 1) - y(n), z(n + 1) - z(n));
    radius(n) = apart * part(random);
    radius(n + 1) = apart - radius(n);
  }
  auto const host_answers = host_mirror(answers);
  copy(numbers[0], x);
  copy(numbers[1], y);
  copy(numbers[2], z);
  copy(numbers[3], radius);
  Geometry scene;
  for (int k = 0; k < 3; ++k)
    scene.at[k] = numbers[k].data();
  scene.half[0] = numbers[3].data();
  for_each(pairs, AskPairs{{scene}, answers.data()});
  copy(host_answers, answers);
  Kokkos::fence();

  index_t near = 0;
  for (index_t n = 0; n < pairs; ++n) {
    index_t const i = 2 * n;
    double volatile squares[3] = {x(i + 1) - x(i), y(i + 1) - y(i), z(i + 1) - z(i)};
    for (auto& one : squares)
      one = one * one;
    double const volatile sum = squares[0] + squares[1];
    double const reach = radius(i) + radius(i + 1);
    double const volatile most = reach * reach;
    bool const expected = sum + squares[2] <= most;
    EXPECT_EQ(host_answers(n) != 0, expected) << n;
    near += expected ? 1 : 0;
  }
  EXPECT_GT(near, pairs / 10); // both answers are frequent
  EXPECT_LT(near, pairs * 9 / 10);
}

} // namespace strata::contact
