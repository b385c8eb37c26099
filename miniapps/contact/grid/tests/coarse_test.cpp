#include "grid/coarse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace strata::contact {

namespace {

struct Sphere
{
  double at[3];
  double radius;
};

/// d² - s² in more digits than any sphere's numbers have.
long double exact(Sphere const& a, Sphere const& b, double gap)
{
  long double sum = 0;
  for (int k = 0; k < 3; ++k) {
    long double const apart = static_cast<long double>(a.at[k]) - b.at[k];
    sum += apart * apart;
  }
  long double const reach = static_cast<long double>(a.radius) + b.radius + gap;
  return sum - reach * reach;
}

Coarse coarse_of(Sphere const& sphere)
{
  return {{static_cast<float>(sphere.at[0]), static_cast<float>(sphere.at[1]),
           static_cast<float>(sphere.at[2]), static_cast<float>(sphere.radius)}};
}

/// A sphere, and one that is as far from it as they touch, but for a small part of that.
std::vector<Sphere> nearly_touching(std::mt19937_64& random, double size, double radius,
                                    double gap)
{
  std::uniform_real_distribution<double> part(0, 1);
  std::normal_distribution<double> normal;
  Sphere a{{part(random) * size, part(random) * size, part(random) * size},
           radius * (1 - part(random) / 2)};
  Sphere b{{}, radius * (1 - part(random) / 2)};
  double direction[3] = {normal(random), normal(random), normal(random)};
  double const length = std::hypot(direction[0], direction[1], direction[2]);
  double const apart =
      (a.radius + b.radius + gap) * (1 + normal(random) * std::pow(10, -9 * part(random)));
  for (int k = 0; k < 3; ++k)
    b.at[k] = std::min(size, std::max(0.0, a.at[k] + direction[k] / length * apart));
  return {a, b};
}

/// Whether two are near, if there is no doubt.
std::optional<bool> tested(Sphere const& a, Sphere const& b, double size, double reach,
                           double gap)
{
  Coarse const objects[2 + CoarseSpheres::padding] = {coarse_of(a), coarse_of(b)};
  auto const test = coarse_spheres(objects, size, reach, gap);
  std::uint32_t near = 0;
  if (!test.near(test.of(0), 1, 1, near))
    return {};
  return near == 1;
}

/// Of a hundred thousand pairs, how many single precision says nothing of; expects it to be
/// right about the others.
int doubts(double size, double radius, double gap)
{
  std::mt19937_64 random(7);
  int doubted = 0;
  for (int n = 0; n < 100'000; ++n) {
    auto const pair = nearly_touching(random, size, radius, gap);
    auto const found = tested(pair[0], pair[1], size, 2 * radius + gap, gap);
    if (!found)
      ++doubted;
    else
      EXPECT_EQ(*found, exact(pair[0], pair[1], gap) < 0) << n;
  }
  return doubted;
}

/// Spheres along a line, two apart but for the seventh and the eighth, that touch the first.
std::vector<Coarse> along_a_line(int count)
{
  std::vector<Coarse> objects;
  for (int n = 0; n < count; ++n)
    objects.push_back(coarse_of({{n == 6 || n == 7 ? 1.0 : 2.5 * n + 2.5, 0, 0}, 1}));
  objects[0] = coarse_of({{0, 0, 0}, 1});
  objects.insert(objects.end(), CoarseSpheres::padding, objects[0]);
  return objects;
}

} // namespace

TEST(CoarseSpheres, HaveABitEachInTheirOrder)
{
  for (int count = 8; count <= 29; ++count) {
    auto const objects = along_a_line(count);
    auto const test = coarse_spheres(objects.data(), 2.5 * count, 2, 0);
    std::uint32_t near = 0;
    EXPECT_TRUE(test.near(test.of(0), 1, count - 1, near));
    EXPECT_EQ(near, 0b1100000U) << count; // of those from the second on
  }
}

TEST(CoarseSpheres, AreRightOrInDoubt)
{
  // Most pairs are nearer to touching than a part in 1000 of their distance.
  EXPECT_LT(doubts(4, 1, 0), 60'000);
  EXPECT_LT(doubts(1000, 1, 0.25), 90'000);
  doubts(1e6, 1, 0);
  doubts(100, 1, -0.75);
  doubts(1e6, 1e-3, 1e-3);
}

TEST(CoarseSpheres, DoubtWhatSinglePrecisionCannotHold)
{
  EXPECT_EQ(doubts(1e30, 1, 0), 100'000);
  EXPECT_EQ(doubts(1e-25, 1e-26, 0), 100'000);
  Sphere const far{{1e200, 0, 0}, 1};
  EXPECT_FALSE(tested(far, far, 1e200, 2, 0));
}

TEST(CoarseSpheres, AreSeldomInDoubtWhereCellsAreFew)
{
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> place(0, 200);
  int doubted = 0;
  for (int n = 0; n < 100'000; ++n) {
    Sphere const a{{place(random), place(random), place(random)}, 0.5};
    Sphere b = a;
    for (double& x : b.at)
      x += place(random) / 100 - 1;
    doubted += tested(a, b, 201, 1, 0) ? 0 : 1;
  }
  EXPECT_LT(doubted, 100);
}

} // namespace strata::contact
