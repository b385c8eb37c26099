#include "contacts.hpp"

#include "scene/generators.hpp"

namespace strata::contact {

namespace {

/// Checksum and directed contacts of a build.
using Built = std::pair<std::string, std::string>;

Built built(Shared const& problem)
{
  auto facts = found_by(problem);
  return {facts["build checksum"], facts["build contacts"]};
}

Built lattice(Counts const& counts, double radius, double gap)
{
  auto config = everything();
  config.dim = counts[2] == 1 ? 2 : 3;
  config.radius = radius;
  config.gap = gap;
  config.steps = 1;
  return built(std::make_shared<Problem>(config, setting_of_world(),
                                         std::make_unique<Lattice>(config, counts)));
}

Shared problem_of(double gap, std::vector<Object> objects)
{
  auto config = everything();
  config.steps = 1;
  return std::make_shared<Problem>(
      config, setting_of_world(),
      std::make_unique<Given>(Shape::sphere, 3, gap, std::move(objects)));
}

Built given(double gap, std::vector<Object> objects)
{
  return built(problem_of(gap, std::move(objects)));
}

} // namespace

// contact.md section 6, "Exact small cases".
TEST(Golden, TwoPoints)
{
  EXPECT_EQ(given(5, {sphere(0, {0, 0, 0}, 0), sphere(1, {3, 4, 0}, 0)}),
            Built("d42052e88f1453f8", "2"));
}

TEST(Golden, Lattices)
{
  EXPECT_EQ(lattice({4, 3, 2}, 2, 1), Built("db6f2a5b38723774", "92"));
  EXPECT_EQ(lattice({10, 10, 10}, 2, 0), Built("331736187fb8d52a", "5400"));
  EXPECT_EQ(lattice({10, 10, 10}, 0, 5), Built("331736187fb8d52a", "5400"));
  EXPECT_EQ(lattice({10, 10, 10}, 3, 0), Built("4306470c58a39fbb", "15120"));
  EXPECT_EQ(lattice({10, 10, 10}, 3, 1), Built("0ac596a7c108b317", "20952"));
  EXPECT_EQ(lattice({10, 10, 10}, 4, 0), Built("e0394a7f749d2d7a", "25752"));
  EXPECT_EQ(lattice({32, 32, 1}, 2, 1), Built("a26e66a27240bff6", "3968"));
  EXPECT_EQ(lattice({32, 32, 1}, 3, 0), Built("b9a3878536c74762", "7812"));
}

TEST(Golden, CoincidentPoints)
{
  std::vector<Object> points;
  for (index_t gid = 0; gid < 17; ++gid)
    points.push_back(sphere(gid, {7, 7, 7}, 0));
  EXPECT_EQ(given(1, points), Built("3ce1359f2dc587e3", "272"));
  EXPECT_EQ(given(0, points), Built("3ce1359f2dc587e3", "272"));
  EXPECT_EQ(found_by(problem_of(0, points))["build coincident"], "136");
}

TEST(Golden, NothingAndOneElement)
{
  EXPECT_EQ(given(1, {}), Built("0000000000000000", "0"));
  EXPECT_EQ(given(1, {sphere(0, {1, 2, 3}, 4)}), Built("0000000000000000", "0"));
}

} // namespace strata::contact
