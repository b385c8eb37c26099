#include "writing.hpp"

#include <sys/stat.h>

namespace strata::contact {

namespace {

/// What follows a line of a file.
std::string_view after(std::string const& bytes, std::string const& line)
{
  auto const at = bytes.find("\n" + line + "\nLOOKUP_TABLE default\n");
  EXPECT_NE(at, std::string::npos) << line;
  return std::string_view(bytes).substr(at + line.size() + 23);
}

std::int32_t int_at(std::string_view numbers, std::size_t i)
{
  std::int32_t value = 0;
  for (std::size_t b = 0; b < 4; ++b)
    value = value << 8 | static_cast<unsigned char>(numbers[4 * i + b]);
  return value;
}

/// Why nothing can be written there; empty where something can.
std::string refused(std::string const& path)
{
  Problem problem(writing("lattice", "sphere", 3, path), setting_of_world());
  try {
    problem.prepare();
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::results);
    return error.what();
  }
  return "";
}

std::string cannot_write(std::string const& path, std::string const& why)
{
  return "cannot write '" + path + "': " + why +
         "; make room and access there for all ranks, or choose another place with "
         "problem.write_vtk";
}

} // namespace

TEST(VtkWriter, WritesElementsThatReadBackAsTheSame)
{
  Folder const folder;
  auto const path = folder.path("out.vtk");
  for (int const dim : {2, 3})
    for (auto const* shape : {"sphere", "box", "simplex"}) {
      auto const facts = found_in(writing("lattice", shape, dim, path));
      auto config = reading(path, shape, dim);
      config.radius = 2;
      config.gap = std::string(shape) == "simplex" ? 0 : 1;
      config.kernel = {"build"};
      EXPECT_EQ(found_in(config), facts) << shape << dim;
    }
}

TEST(VtkWriter, WritesTheLengthsOfRows)
{
  Folder const folder;
  auto config = writing("lattice", "sphere", 3, folder.path("out.vtk"));
  config.elements = 1000;
  found_in(config);
  auto const bytes = bytes_in(folder.path("out.vtk"));
  auto const lengths = after(bytes, "SCALARS row_length int 1");
  std::map<std::int32_t, int> rows;
  for (std::size_t i = 0; i < 1000; ++i)
    ++rows[int_at(lengths, i)];
  EXPECT_EQ(rows, (std::map<std::int32_t, int>{{3, 8}, {4, 96}, {5, 384}, {6, 512}}));
  EXPECT_EQ(int_at(lengths, 0), 3); // a corner
  auto const gids = after(bytes, "SCALARS gid vtktypeint64 1");
  EXPECT_EQ(int_at(gids, 1), 0);
  EXPECT_EQ(int_at(gids, 1999), 999);
  auto const ranks = after(bytes, "SCALARS rank int 1");
  for (std::size_t i = 0; i < 1000; ++i)
    EXPECT_LT(int_at(ranks, i), runtime::Communicator::world().ranks());
}

TEST(VtkWriter, WritesElementsWhereTheyAreAfterSteps)
{
  Folder const folder;
  auto config = writing("impact", "box", 2, folder.path("out.vtk"));
  config.kernel = {"update"};
  config.steps = 30;
  found_in(config);
  auto const bytes = bytes_in(folder.path("out.vtk"));
  EXPECT_TRUE(
      bytes.starts_with("# vtk DataFile Version 3.0\nstrata-contact, step 30\nBINARY\n"));
  auto const bodies = after(bytes, "SCALARS body vtktypeint64 1");
  EXPECT_EQ(int_at(bodies, 0), -1); // all have broken off
  auto again = reading(folder.path("out.vtk"), "box", 2);
  again.kernel = {"build"};
  EXPECT_NE(found_in(again).at("build contacts"), "0");
}

TEST(VtkWriter, RefusesWhatCannotBeWrittenBeforeAnythingRuns)
{
  Folder const folder;
  auto const place = folder.path("none/out.vtk");
  EXPECT_EQ(refused(place), cannot_write(place, "No such file or directory"));
  EXPECT_EQ(refused(folder.path("out.vtk")), "");
  EXPECT_FALSE(std::filesystem::exists(folder.path("out.vtk")));
  auto const pipe = folder.path("pipe.vtk");
  if (runtime::Communicator::world().rank() == 0) {
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  }
  EXPECT_EQ(refused(pipe), "cannot write '" + pipe +
                               "': it is there and no file; choose another place with "
                               "problem.write_vtk");
  EXPECT_EQ(refused(folder.path(".")), cannot_write(folder.path("."), "Is a directory"));
  Scene many;
  many.elements = index_t{1} << 29;
  many.shape = Shape::box;
  try {
    probe_vtk(folder.path("out.vtk"), many, runtime::Communicator::world());
    FAIL();
  } catch (Error const& error) {
    EXPECT_EQ(error.what(), std::string("problem.write_vtk: legacy VTK numbers 2147483647 "
                                        "corners at most, and these elements have 4294967296; "
                                        "take fewer elements, or a name that ends in .pvtu"));
  }
}

TEST(VtkWriter, RefusesLinksThatLeadNowhere)
{
  Folder const folder;
  if (runtime::Communicator::world().rank() == 0) {
    std::filesystem::create_symlink("second.vtk", folder.path("first.vtk"));
    std::filesystem::create_symlink("first.vtk", folder.path("second.vtk"));
    std::filesystem::create_symlink("none/out.vtk", folder.path("lost.vtk"));
  }
  runtime::Communicator::world().barrier();
  EXPECT_EQ(refused(folder.path("first.vtk")),
            cannot_write(folder.path("first.vtk"), "Too many levels of symbolic links"));
  EXPECT_EQ(
      refused(folder.path("first.vtk/out.vtk")),
      cannot_write(folder.path("first.vtk/out.vtk"), "Too many levels of symbolic links"));
  EXPECT_EQ(refused(folder.path("lost.vtk")),
            cannot_write(folder.path("none/out.vtk"), "No such file or directory"));
}

TEST(VtkWriter, WritesWhereLinksLeadAndLeavesThem)
{
  Folder const folder;
  bool const first = runtime::Communicator::world().rank() == 0;
  if (first) {
    std::filesystem::create_symlink("second.vtk", folder.path("first.vtk"));
    std::filesystem::create_symlink(folder.path("out.vtk"), folder.path("second.vtk"));
  }
  runtime::Communicator::world().barrier();
  for (auto const* time : {"before it is there", "again"}) {
    found_in(writing("lattice", "sphere", 3, folder.path("first.vtk")));
    if (!first)
      continue;
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path("first.vtk"))) << time;
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path("second.vtk"))) << time;
    EXPECT_TRUE(std::filesystem::is_regular_file(
        std::filesystem::symlink_status(folder.path("out.vtk"))))
        << time;
  }
}

} // namespace strata::contact
