#include "check/host_positions.hpp"
#include "scene/mix.hpp"
#include "tests/contacts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace strata::contact {

namespace {

constexpr index_t count = 10'007; // off chunks and tiles

/// Spheres of radius 8 that move, on whole coordinates below 256.
std::vector<Object> scattered()
{
  std::vector<Object> made;
  for (index_t gid = 0; gid < count; ++gid) {
    Vector at{};
    for (unsigned k = 0; k < 3; ++k)
      at[k] = static_cast<double>(hashed(3, gid, k) % 256);
    made.push_back(sphere(gid, at, 8));
    made.back().velocity = {1, -2, 3};
  }
  return made;
}

Scene scene_of(int dim)
{
  Scene scene;
  scene.dim = dim;
  scene.gap = 2;
  scene.elements = count;
  scene.bounds = {Bounds::Kind::periodic, {}, {256, 256, 256}};
  return scene;
}

/// Those that the whole scene's reach along each axis leaves, each once.
std::vector<int> expected_near(HostPositions const& positions, Scene const& scene,
                               Vector const& at, Vector const& shift, double reach)
{
  std::vector<int> near(positions.count());
  for (std::size_t i = 0; i < near.size(); ++i) {
    near[i] = 1;
    for (std::size_t k = 0; k < static_cast<std::size_t>(scene.dim); ++k)
      if (std::abs(positions.at(i)[k] + shift[k] - at[k]) > reach)
        near[i] = 0;
  }
  return near;
}

} // namespace

TEST(HostPositions, LeaveOutNothingWithinReachAndLittleElse)
{
  auto const objects = scattered();
  for (int const dim : {2, 3}) {
    auto const scene = scene_of(dim);
    HostPositions positions(objects, scene);
    for (std::int64_t const step : {0, 5}) {
      positions.move_to(step);
      for (std::size_t const row : {std::size_t{0}, objects.size() - 1}) {
        auto const at = position(objects[row], scene.bounds, step);
        ASSERT_EQ(positions.at(row), at);
        for (double const shift : {0.0, 256.0}) {
          std::vector<int> near(objects.size());
          for (std::size_t tile = 0; tile < objects.size(); tile += HostPositions::tile)
            positions.for_each_near({&objects[row], nullptr, at, 0, false}, {-shift, 0, shift},
                                    tile, [&](std::size_t i) { ++near.at(i); });
          EXPECT_EQ(near, expected_near(positions, scene, at, {-shift, 0, shift}, 18));
        }
      }
    }
  }
}

} // namespace strata::contact
