#include "files.hpp"

#include "base/text.hpp"
#include "io/file_contents.hpp"
#include "io/readers.hpp"
#include "scene/generators.hpp"

namespace strata::contact {

namespace {

/// 10^3 points at a distance of 4, x fastest.
std::vector<Vector> lattice_points()
{
  std::vector<Vector> points;
  for (int i = 0; i < 1000; ++i) {
    int const z = i / 100;
    points.push_back({4.0 * (i % 10), 4.0 * (i / 10 % 10), 4.0 * z});
  }
  return points;
}

/// From the third line on: what is before has to stay.
std::string with_tabs(std::string text)
{
  std::replace(text.begin() + static_cast<std::ptrdiff_t>(text.find("ASCII")), text.end(), ' ',
               '\t');
  return text;
}

std::string table(std::vector<Vector> const& points, std::string const& head,
                  std::string const& between, std::string const& end)
{
  std::string text = head;
  for (auto const& [x, y, z] : points)
    text += std::to_string(x) + between + std::to_string(y) + between + std::to_string(z) + end;
  return text;
}

template <class T>
std::string npy_of(std::vector<Vector> const& points)
{
  std::string data;
  for (auto const& point : points)
    for (double const x : point)
      data += raw(static_cast<T>(x));
  return npy(npy_head(sizeof(T) == 4 ? "<f4" : "<f8", points.size(), 3), data);
}

using Found = std::map<std::string, std::string>;

/// n × m × l cells of edge 4 with their corners: of a type with one cell each, or cut into
/// triangles or tetrahedra as Lattice cuts them.
VtkText mesh(int type, Counts const& counts)
{
  int const dim = type == Cell::triangle || type == Cell::quadrilateral ? 2 : 3;
  index_t const nx = counts[0] + 1;
  index_t const ny = counts[1] + 1;
  VtkText made;
  for (index_t i = 0; i < nx * ny * (dim == 2 ? 1 : counts[2] + 1); ++i) {
    index_t const z = i / nx / ny;
    made.points.push_back({4.0 * static_cast<double>(i % nx),
                           4.0 * static_cast<double>(i / nx % ny),
                           4.0 * static_cast<double>(z)});
  }
  auto const node = [&](index_t x, index_t y, index_t z) {
    return static_cast<int>(x + nx * (y + ny * z));
  };
  int const orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}};
  int const side[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (index_t i = 0; i < counts[0] * counts[1] * counts[2]; ++i) {
    index_t const at[3] = {i % counts[0], i / counts[0] % counts[1], i / counts[0] / counts[1]};
    if (type == Cell::quadrilateral || type == Cell::hexahedron) {
      std::vector<int> corners;
      for (int c = 0; c < corners_of_type(type); ++c)
        corners.push_back(node(at[0] + side[c % 4][0], at[1] + side[c % 4][1], at[2] + c / 4));
      made.cells.emplace_back(type, corners);
      continue;
    }
    for (int part = 0; part < (dim == 2 ? 2 : 6); ++part) {
      index_t corner[3] = {at[0], at[1], at[2]};
      std::vector<int> corners{node(corner[0], corner[1], corner[2])};
      for (int k = 0; k < dim; ++k) {
        ++corner[orders[part][k]];
        corners.push_back(node(corner[0], corner[1], corner[2]));
      }
      made.cells.emplace_back(type, corners);
    }
  }
  return made;
}

Found lattice(std::string const& shape, Counts const& counts, std::string const& points)
{
  Config config;
  config.shape = shape;
  config.dim = counts[2] == 1 ? 2 : 3;
  config.gap = 0;
  config.points = points;
  config.steps = 1;
  return found_by(std::make_shared<Problem>(config, setting_of_world(),
                                            std::make_unique<Lattice>(config, counts)));
}

} // namespace

TEST(FileFormats, HaveTheSameLatticeOfPoints)
{
  Folder const folder;
  auto const points = lattice_points();
  VtkText const only_points{points, {}};
  VtkText vertices{points, {}};
  for (int i = 0; i < 1000; ++i)
    vertices.cells.emplace_back(Cell::vertex, std::vector{i});
  std::pair<char const*, std::string> const files[] = {
      {"comma.csv", table(points, "x,y,z\n", ",", "\n")},
      {"quoted.csv", table(points, "# made\n\n\"x\" ; \"y\";\"z\"\r\n", " ;\t", "\r\n")},
      {"blank.txt", table(points, "", "  ", " # a point\n")},
      {"single.npy", npy_of<float>(points)},
      {"double.npy", npy_of<double>(points)},
      {"only_points.vtk", only_points.in("ASCII", false)},
      {"old_ascii.vtk", vertices.in("ASCII", false)},
      {"tabs.vtk", with_tabs(vertices.in("ASCII", false))},
      {"old_binary.vtk", vertices.in("BINARY", false)},
      {"new_ascii.vtk", vertices.in("ASCII", true)},
      {"new_binary.vtk", vertices.in("BINARY", true)}};
  for (auto const& [name, bytes] : files) {
    auto config = reading(folder.write(name, bytes));
    config.radius = 2.5;
    auto const facts = found_in(config);
    EXPECT_EQ(facts.at("build checksum"), "331736187fb8d52a") << name;
    EXPECT_EQ(facts.at("build near_ties"), "0") << name; // the radius is not whole
    config.radius = 2;
    config.gap = 1;
    EXPECT_FALSE(found_in(config).contains("build near_ties")) << name;
  }
}

TEST(FileFormats, TakeRadiiFromTheirColumn)
{
  Folder const folder;
  std::string const lines = "x y r\n0 0 1\n5 0 2\n5 4.5 2\n";
  auto config = reading(folder.write("radii.dat", lines), "sphere", 2);
  EXPECT_EQ(found_in(config).at("build contacts"), "0");
  config.gap = 0.5;
  EXPECT_EQ(found_in(config).at("build contacts"), "2");
  config.gap = 2;
  EXPECT_EQ(found_in(config).at("build near_ties"), "1"); // 5 apart, and a reach of 5
  config.shape = "box";
  config.gap = 0.5;
  EXPECT_EQ(found_in(config).at("build contacts"), "2");
  std::string const bytes =
      raw(0.0) + raw(0.0) + raw(0.0) + raw(1.0) + raw(0.0) + raw(0.0) + raw(3.0) + raw(2.0);
  auto const four = reading(folder.write("four.npy", npy(npy_head("<f8", 2, 4), bytes)));
  EXPECT_EQ(found_in(four).at("build checksum"), "d42052e88f1453f8");
}

TEST(FileFormats, HaveNothing)
{
  Folder const folder;
  auto const none = reading(folder.write("none.npy", npy(npy_head("<f8", 0, 3), "")));
  EXPECT_EQ(found_in(none).at("build contacts"), "0");
  EXPECT_EQ(found_in(reading(folder.write("head.csv", "x,y,z"))).at("build contacts"), "0");
  VtkText const empty{};
  auto const file = folder.write("empty.vtk", empty.in("BINARY", true));
  EXPECT_EQ(found_in(reading(file)).at("build contacts"), "0");
}

TEST(FileFormats, HaveTheSameCellsAsALattice)
{
  Folder const folder;
  struct
  {
    int type;
    char const* shape;
    Counts counts;
  } const meshes[] = {{Cell::triangle, "simplex", {3, 4, 1}},
                      {Cell::quadrilateral, "box", {3, 4, 1}},
                      {Cell::tetrahedron, "simplex", {3, 2, 2}},
                      {Cell::hexahedron, "box", {3, 2, 4}}};
  for (auto const& [type, shape, counts] : meshes) {
    auto const expected = lattice(shape, counts, "none");
    for (auto const* format : {"ASCII", "BINARY"})
      for (bool const apart : {false, true}) {
        auto const file = folder.write("mesh.vtk", mesh(type, counts).in(format, apart));
        auto const facts = found_in(reading(file, shape, counts[2] == 1 ? 2 : 3));
        EXPECT_EQ(facts, expected) << type << format << apart;
      }
  }
}

TEST(FileFormats, CountFreePointsButNotInTheElementsTheyAreCornersOf)
{
  Folder const folder;
  auto cells = mesh(Cell::hexahedron, {3, 2, 4});
  auto const corners = cells.points.size();
  for (int i = 0; i < 24; ++i) { // centres, which no cell names
    int const z = i / 6;
    cells.points.push_back({4.0 * (i % 3) + 2, 4.0 * (i / 3 % 2) + 2, 4.0 * z + 2});
  }
  auto file = folder.write("centres.vtk", cells.in("BINARY", false));
  EXPECT_EQ(found_in(reading(file, "box")), lattice("box", {3, 2, 4}, "centres"));

  auto triangles = mesh(Cell::triangle, {3, 4, 1});
  auto const alone =
      found_in(reading(folder.write("alone.vtk", triangles.in("ASCII", false)), "simplex", 2));
  for (int i = 0; i < 20; ++i)
    triangles.cells.insert(triangles.cells.begin() + i,
                           std::pair(Cell::vertex, std::vector{19 - i}));
  file = folder.write("nodes.vtk", triangles.in("ASCII", false));
  EXPECT_EQ(found_in(reading(file, "simplex", 2)), alone);
  triangles.points.push_back({5, 1.5, 0}); // in one triangle, on the edge of none
  file = folder.write("inside.vtk", triangles.in("BINARY", true));
  EXPECT_EQ(std::stoi(found_in(reading(file, "simplex", 2)).at("build contacts")),
            std::stoi(alone.at("build contacts")) + 1);
  EXPECT_EQ(corners, 60U);
}

TEST(FileFormats, TakeCellsOfAllKindsAsBoxes)
{
  Folder const folder;
  VtkText const mixed{{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {2, 2, 0}, {0, 0, 2}, {5, 5, 2}},
                      {{Cell::triangle, {0, 1, 2}},
                       {Cell::quadrilateral, {0, 1, 3, 2}},
                       {Cell::tetrahedron, {0, 1, 2, 4}}}};
  auto const facts =
      found_in(reading(folder.write("mixed.vtk", mixed.in("ASCII", true)), "box"));
  EXPECT_EQ(facts.at("build contacts"), "6");
}

TEST(FileFormats, LeaveOutSimplicesWithoutVolume)
{
  Folder const folder;
  auto triangles = mesh(Cell::triangle, {3, 4, 1});
  auto const alone =
      found_in(reading(folder.write("good.vtk", triangles.in("ASCII", false)), "simplex", 2));
  triangles.cells.insert(triangles.cells.begin() + 5,
                         std::pair(Cell::triangle, std::vector{0, 1, 2}));
  auto config = reading(folder.write("flat.vtk", triangles.in("ASCII", false)), "simplex", 2);
  config.degenerate = "drop";
  EXPECT_EQ(found_in(config), alone);
  auto const source = make_scene_source(config, setting_of_world(), 0, contents_of);
  EXPECT_EQ(source->facts(), (report::Facts{{"file", config.file}, {"dropped", "1"}}));
}

TEST(FileFormats, AreTheSameOnAnyRanksWhereNumbersAreRounded)
{
  Folder const folder;
  std::string text = "x,y,z,r\n";
  std::uint64_t state = 1;
  auto const uniform = [&state] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  for (int i = 0; i < 500; ++i) {
    for (int k = 0; k < 3; ++k)
      text += text::number(uniform()) + ",";
    text += text::number(0.05 + 0.03 * uniform()) + "\n";
  }
  auto config = everything();
  auto const file = reading(folder.write("rounded.csv", text));
  config.deck = file.deck;
  config.file = file.file;
  config.steps = 2;
  auto facts = found_in(config);
  EXPECT_EQ(facts["build checksum"], "fa7eafa35d9cec86");
  EXPECT_EQ(facts["build near_ties"], "0");
  config.shape = "box";
  facts = found_in(config);
  EXPECT_EQ(facts["build checksum"], "3af760a503b33597");
  EXPECT_EQ(facts["build near_ties"], "0");
}

} // namespace strata::contact
