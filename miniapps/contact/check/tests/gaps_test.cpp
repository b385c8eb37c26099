#include "check/judge.hpp"
#include "io/readers.hpp"
#include "io/tests/files.hpp"

namespace strata::contact {

namespace {

constexpr int points = 40;

/// In the triangle below, off its centre: in units of its scale.
Vector place_of(int point)
{
  return {1, 0.5 + point / 300.0, 0};
}

/// Two triangles that touch, and free points in the first.
VtkText triangles(double scale)
{
  VtkText text{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {8, 0, 0}, {8, 4, 0}},
               {{Cell::triangle, {0, 1, 2}}, {Cell::triangle, {1, 3, 4}}}};
  for (int p = 0; p < points; ++p)
    text.points.push_back(place_of(p));
  for (auto& point : text.points)
    for (double& x : point)
      x *= scale;
  return text;
}

} // namespace

// A barycentric coordinate has no dimension: 2^-16 of it are told apart at every scale, and the
// sums of rows, which have lengths as well, are exact.
TEST(Gaps, OfPointsDoNotDependOnTheUnitOfLength)
{
  Folder const folder;
  for (double const scale : {0x1p-24, 0x1p-10, 1.0, 0x1p10, 0x1p23}) {
    auto const file = folder.write("scaled.vtk", triangles(scale).in("BINARY", true));
    auto const config = reading(file, "simplex", 2);
    EXPECT_EQ(found_in(config).at("build contacts"), std::to_string(2 + points)) << scale;
    Problem problem(config, setting_of_world());
    problem.prepare();
    auto const& population = problem.scenery().population;
    auto const& objects = population.objects();
    auto const placed = [&](std::size_t i) {
      return Placed{&objects.all[i], &objects.corners[i], objects.all[i].at, objects.all[i].gid,
                    objects.all[i].gid >= 2};
    };
    Judge const judge(population.scene(), population.geometry().quanta);
    for (std::size_t e = 0; e < objects.all.size() && objects.all[e].gid == 0; ++e)
      for (std::size_t i = 0; i < objects.all.size(); ++i) {
        double gap = 0;
        if (objects.all[i].gid < 2 || !judge.touch(placed(e), placed(i), gap))
          continue;
        double const least = place_of(static_cast<int>(objects.all[i].gid) - 2)[1] / 4;
        EXPECT_NEAR(gap, least, 0x1p-17) << "at scale " << scale;
      }
  }
}

} // namespace strata::contact
