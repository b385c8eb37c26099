#include "files.hpp"

#include "io/file_contents.hpp"
#include "io/readers.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace strata::contact {

namespace {

/// Why a deck is refused, without its file's folder; the same on all ranks.
std::string refusal(Folder const& folder, Config const& config)
{
  try {
    make_scene_source(config, setting_of_world(), 0, contents_of);
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::deck);
    std::string message = error.what();
    auto const at = message.find(folder.path(""));
    return at == 0 ? message.substr(folder.path("").size()) : message;
  }
  return "is taken";
}

std::string refusal(Folder const& folder, std::string const& name, std::string const& bytes,
                    std::string const& shape = "sphere", int dim = 3)
{
  auto config = reading(folder.write(name, bytes), shape, dim);
  config.radius = 1;
  return refusal(folder, config);
}

/// A place in a folder that a socket takes.
class Socket
{
public:
  Socket() = default;
  Socket(Socket const&) = delete;
  Socket& operator=(Socket const&) = delete;
  ~Socket() { ::close(descriptor_); }
  [[nodiscard]] bool bind(std::string const& path) const
  {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    return ::bind(descriptor_, reinterpret_cast<sockaddr const*>(&address), sizeof(address)) ==
           0;
  }

private:
  int descriptor_ = ::socket(AF_UNIX, SOCK_STREAM, 0);
};

std::string npy_of(std::initializer_list<double> numbers)
{
  std::string data;
  for (double const number : numbers)
    data += raw(number);
  return npy(npy_head("<f8", numbers.size() / 4, 4), data);
}

/// Two triangles of the unit square.
VtkText square()
{
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}},
          {{Cell::triangle, {0, 1, 2}}, {Cell::triangle, {1, 3, 2}}}};
}

std::string head(std::string const& format)
{
  return "# vtk DataFile Version 3.0\nof a test\n" + format + "\nDATASET UNSTRUCTURED_GRID\n";
}

} // namespace

TEST(FileFaults, OfAFileThatIsNoneOrOfNoKnownKind)
{
  Folder const folder;
  EXPECT_EQ(refusal(folder, reading(folder.path("none.csv"))),
            "none.csv: cannot be read: No such file or directory; problem.file is relative to "
            "the folder that the run starts in");
  EXPECT_EQ(refusal(folder, "cells.vtu", "<VTKFile>"),
            "cells.vtu: files that end in .vtk, .npy, .csv, .txt or .dat are read; convert "
            "others, with meshio for one");
  EXPECT_EQ(refusal(folder, "POINTS.CSV", "1 2\n"),
            "POINTS.CSV: has no column z; set problem.dim to 2");
}

// None of these may be waited for, which opening a pipe would.
TEST(FileFaults, OfWhatIsThereAndNoRegularFile)
{
  Folder const folder;
  auto const pipe = folder.path("pipe.csv");
  auto const socket = folder.path("socket.csv");
  auto const loop = folder.path("loop.csv");
  Socket listening;
  if (runtime::Communicator::world().rank() == 0) {
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    ASSERT_TRUE(listening.bind(socket));
    std::filesystem::create_symlink(loop, loop);
  }
  runtime::Communicator::world().barrier();
  std::string const remedy = ", no regular file; set problem.file to one";
  EXPECT_EQ(refusal(folder, reading(folder.path("."))), ".: is a directory" + remedy);
  EXPECT_EQ(refusal(folder, reading(pipe)), "pipe.csv: is a pipe" + remedy);
  EXPECT_EQ(refusal(folder, reading(socket)), "socket.csv: is a socket" + remedy);
  EXPECT_EQ(refusal(folder, reading("/dev/null")), "/dev/null: is a device" + remedy);
  EXPECT_EQ(refusal(folder, reading(loop)),
            "loop.csv: cannot be read: Too many levels of symbolic links; problem.file is "
            "relative to the folder that the run starts in");
}

TEST(FileFaults, OfValues)
{
  Folder const folder;
  constexpr double inf = INFINITY;
  EXPECT_EQ(refusal(folder, "a.npy", npy_of({1, 2, 3, 1, 4, NAN, 6, 1, 7, 8, -inf, 1})),
            "a.npy: point 1 is the first of 2 with a coordinate that is not finite"
            "; correct or remove those, which are counted from 0");
  EXPECT_EQ(refusal(folder, "a.npy", npy_of({1, 2, 3, 1, 4, 5, 6, inf})),
            "a.npy: point 1 is the first of 1 with a radius that is not finite"
            "; correct or remove those, which are counted from 0");
  EXPECT_EQ(refusal(folder, "a.csv", "0 0 0 1\n1 1 1 -2\n2 2 2 -3\n"),
            "a.csv: point 1 is the first of 2 with a negative radius"
            "; correct or remove those, which are counted from 0");
  EXPECT_EQ(refusal(folder, "a.csv", "0 0 0 1\n1 1 nan 2\n"),
            "a.csv: point 1 is the first of 1 with a coordinate that is not finite"
            "; correct or remove those, which are counted from 0");
  EXPECT_EQ(refusal(folder, "a.csv", "0 0 0\n1 1 0\n1 1 3\n", "sphere", 2),
            "a.csv: point 2 is the first of 1 with a z other than 0, in a deck of two "
            "dimensions; set problem.dim to 3");
  for (auto const* line : {"-1e308 0 0 1\n", "1e190 0 0 1\n", "0 0 0 1e190\n"})
    EXPECT_EQ(refusal(folder, "a.csv", std::string("0 0 0 1\n") + line),
              "a.csv: point 1 is the first of 1 with a number beyond 2^400, whose square may "
              "leave double precision; scale the file");
  for (auto const* lines : {"0 0 0 0\n1e-170 0 0 0\n", "0 0 0 1e-170\n1 0 0 0\n"})
    EXPECT_EQ(refusal(folder, "a.csv", lines).substr(0, 40),
              "a.csv: cutoff below resolution: objects ");
  EXPECT_EQ(refusal(folder, "a.csv", "0 0 0 1\n1e-170 0 0 1\n"), "is taken");
  auto const far = npy_of({0, 0, 0, 0.5, 1e12, 0, 0, 0.5});
  EXPECT_EQ(refusal(folder, "a.npy", far),
            "a.npy: cutoff below resolution: coordinates up to 1000000000000.5 are "
            "0.0001220703125 apart in double precision and contacts 1; move the objects to the "
            "origin");
  auto config = reading(folder.write("a.csv", "0 0 0 4\n1 1 1 2\n2 2 2 1\n"));
  config.gap = -3;
  EXPECT_EQ(refusal(folder, config),
            "a.csv: element 2 is the first of 1 of which problem.gap leaves nothing; above -2 "
            "radius something is left");
  config = reading(folder.write("a.csv", "0 0 0\n"));
  EXPECT_EQ(refusal(folder, config),
            "a.csv: has no radii; set problem.radius, or add a column r");
}

TEST(FileFaults, OfTables)
{
  Folder const folder;
  std::string many;
  for (int i = 0; i < 100; ++i)
    many += "1 2 3\n";
  EXPECT_EQ(refusal(folder, "a.csv", "# a comment\nx,y,z\n" + many + "1,2\n" + many),
            "a.csv:103: has 2 numbers where the lines before have 3");
  EXPECT_EQ(refusal(folder, "a.csv", many + "1 2 3 4\n"),
            "a.csv:101: has 4 numbers where the lines before have 3");
  EXPECT_EQ(refusal(folder, "a.csv", many + "\n1 2 3x\n" + many + "1 2\n"),
            "a.csv:102: '3x' is no number");
  EXPECT_EQ(refusal(folder, "a.csv", many + "1 ,, 3\n"), "a.csv:101: '' is no number");
  EXPECT_EQ(refusal(folder, "a.csv", "1 2 3\n1 2 1e999\n"), "a.csv:2: '1e999' is no number");
  EXPECT_EQ(refusal(folder, "a.csv", "x y z\nalpha beta gamma\n"),
            "a.csv:2: 'alpha' is no number");
  EXPECT_EQ(refusal(folder, "a.csv", "x,y,mass\n1,2,3\n"),
            "a.csv:1: 'mass' is neither a number nor one of the columns x, y, z and r");
  EXPECT_EQ(refusal(folder, "a.csv", "x,x\n1,2\n"), "a.csv:1: column 'x' is there twice");
  EXPECT_EQ(refusal(folder, "a.csv", "x,z\n1,2\n"), "a.csv:1: columns x and y must be there");
  EXPECT_EQ(refusal(folder, "a.csv", "1 2\n"), "a.csv: has no column z; set problem.dim to 2");
  EXPECT_EQ(refusal(folder, "a.csv", "x y r\n1 2 3\n"),
            "a.csv: has no column z; set problem.dim to 2");
  EXPECT_EQ(refusal(folder, "a.csv", "1 2 3 4 5\n"),
            "a.csv: has 5 columns; x y [z] [r] are 2 to 4, and a comma separates two, so that "
            "decimals need a point");
  EXPECT_EQ(refusal(folder, "a.csv", "# nothing\n\n"), "a.csv: has no numbers");
  EXPECT_EQ(refusal(folder, "a.csv", "1 2 3\n" + std::string(2'000'000, 'x')),
            "a.csv: byte 6: here starts a line of more than 65536 characters; this is no text");
  EXPECT_EQ(refusal(folder, "a.csv", "1 2 3\n", "simplex"),
            "a.csv: has points only; set problem.shape to sphere or box");
}

TEST(FileFaults, OfNpy)
{
  Folder const folder;
  auto const good = npy(npy_head("<f8", 1, 3), std::string(24, '\0'));
  EXPECT_EQ(refusal(folder, "a.npy", good), "is taken");
  EXPECT_EQ(refusal(folder, "a.npy", "1 2 3"),
            "a.npy: is no .npy file: it does not start with \\x93NUMPY");
  auto other = good;
  other[6] = 4;
  EXPECT_EQ(refusal(folder, "a.npy", other),
            "a.npy: byte 6: version 4.0 of the .npy format is not read; versions 1 to 3 are");
  EXPECT_EQ(refusal(folder, "a.npy", good.substr(0, 40)),
            "a.npy: is cut off in its header, which ends at byte 124");
  EXPECT_EQ(refusal(folder, "a.npy", good.substr(0, good.size() - 1)),
            "a.npy: its header says 1 row of 24 bytes and 23 bytes follow; it is cut off or "
            "damaged");
  EXPECT_EQ(
      refusal(folder, "a.npy", npy(npy_head("<f8", 1UL << 60U, 3), "odd")),
      "a.npy: its header says 1152921504606846976 rows of 24 bytes and 3 bytes follow; it "
      "is cut off or damaged");
  EXPECT_EQ(refusal(folder, "a.npy", npy(npy_head(">f8", 1, 3), "")),
            "a.npy: its numbers are '>f8'; '<f4' and '<f8' are read, little-endian floating "
            "point");
  EXPECT_EQ(refusal(folder, "a.npy", npy(npy_head("<i8", 1, 3), "")),
            "a.npy: its numbers are '<i8'; '<f4' and '<f8' are read, little-endian floating "
            "point");
  EXPECT_EQ(refusal(folder, "a.npy",
                    npy("{'descr': '<f8', 'fortran_order': True, 'shape': (1, 3), }", "")),
            "a.npy: is in Fortran order; save it in C order, with numpy.ascontiguousarray");
  EXPECT_EQ(refusal(folder, "a.npy",
                    npy("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", "")),
            "a.npy: has shape (3,); it must have two dimensions, rows and columns");
  EXPECT_EQ(refusal(folder, "a.npy",
                    npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-3, 3), }", "")),
            "a.npy: its shape (-3, 3) is none");
  EXPECT_EQ(refusal(folder, "a.npy", npy("{'descr': '<f8', 'shape': (1, 3), }", "")),
            "a.npy: its header has no 'fortran_order'");
  EXPECT_EQ(refusal(folder, "a.npy", npy(npy_head("<f8", 1, 5), std::string(40, '\0'))),
            "a.npy: has 5 columns; x y [z] [r] are 2 to 4");
}

TEST(FileFaults, OfVtkText)
{
  Folder const folder;
  auto const refused = [&](std::string const& bytes) {
    return refusal(folder, "a.vtk", bytes, "simplex", 2);
  };
  EXPECT_EQ(refused(square().in("ASCII", false)), "is taken");
  EXPECT_EQ(refused("<VTKFile>"), "a.vtk: is no legacy VTK file: it does not start with '# vtk "
                                  "DataFile Version'");
  EXPECT_EQ(refused("# vtk DataFile Version 3.0\n\nXML\n"),
            "a.vtk: byte 28: the third line must be ASCII or BINARY");
  EXPECT_EQ(refused("# vtk DataFile Version 3.0\n\nASCII\nDATASET POLYDATA\n"),
            "a.vtk: byte 34: DATASET POLYDATA is not read; UNSTRUCTURED_GRID is");
  EXPECT_EQ(refused("# vtk DataFile Version 3.0\n\nASCII\nPOINTS 3 float\n"),
            "a.vtk: byte 34: DATASET and its kind must be here");
  EXPECT_EQ(refused(head("ASCII")), "a.vtk: has no POINTS");
  EXPECT_EQ(refused(head("ASCII") + "POLYGONS 1 4\n"),
            "a.vtk: byte 69: 'POLYGONS' is no part of an UNSTRUCTURED_GRID that is read");
  EXPECT_EQ(refused(head("ASCII") + "POINTS many float\n"),
            "a.vtk: byte 69: 'POINTS many float' lacks a count");
  EXPECT_EQ(refused(head("ASCII") + "POINTS 1\n"),
            "a.vtk: byte 69: 'POINTS 1' lacks a type of numbers");
  EXPECT_EQ(refused(head("ASCII") + "POINTS 1 int\n0 0 0\n"),
            "a.vtk: byte 69: POINTS of type int are not read; float and double are");
  EXPECT_EQ(refused(head("ASCII") + "POINTS 2 float\n0 0 0 1 CELLS 1 4\n"),
            "a.vtk: byte 92: 'CELLS' is where number 5 of the 6 of 'POINTS 2 float' must be");
  EXPECT_EQ(
      refused(head("ASCII") + "POINTS 2 float\n0 0 0.25 1 1.125\n"),
      "a.vtk: byte 101: the file ends where number 6 of the 6 of 'POINTS 2 float' must be");
  EXPECT_EQ(refused(head("ASCII") + "POINTS 9000000000000000000 float\n0 0 0\n"),
            "a.vtk: byte 69: 'POINTS 9000000000000000000 float' needs at least "
            "9000000000000000000 times 6 bytes, and 6 follow; the file is cut off or damaged");
  EXPECT_EQ(refused(head("ASCII") + "POINTS 1 float\n0 0 0\nCELLS 1 2\n1 0\n"),
            "a.vtk: has no CELL_TYPES");
  EXPECT_EQ(refused(head("ASCII") + "POINTS 1 float\n0 0 0\nCELLS 0 0\nCELL_TYPES 0\n" +
                    "CELLS 9000000000000000000 0\n"),
            "a.vtk: has 0 CELL_TYPES and 9000000000000000000 cells");
  EXPECT_EQ(
      refused(head("ASCII") + "POINTS 1 float\n0 0 0\nCELLS 1 2\n1 0\nCELL_TYPES 2\n1 1\n"),
      "a.vtk: byte 104: CELL_TYPES says 2 cells and CELLS 1");
  EXPECT_EQ(
      refused(head("ASCII") + "POINTS 1 float\n0 0 0\nCELLS 1 2\n1 0.5\nCELL_TYPES 1\n1\n"),
      "a.vtk: byte 102: '0.5' is no whole number");
  // The low 32 bits of both are 5, a triangle's type.
  for (auto const* type : {"4294967301", "-4294967291"})
    EXPECT_EQ(refused(head("ASCII") +
                      "POINTS 3 float\n0 0 0 1 0 0 0 1 0\nCELLS 1 4\n3 0 1 2\n" +
                      "CELL_TYPES 1\n" + type + "\n"),
              std::string("a.vtk: cell 0 is of type ") + type +
                  "; types 5, 9, 10 and 12 are read as elements and 1 as points");
}

TEST(FileFaults, OfVtkBinary)
{
  Folder const folder;
  auto const refused = [&](VtkText const& text, bool apart, std::size_t cut = 0) {
    auto const bytes = text.in("BINARY", apart);
    return refusal(folder, "a.vtk", bytes.substr(0, bytes.size() - cut), "simplex", 2);
  };
  EXPECT_EQ(refused(square(), false), "is taken");
  EXPECT_EQ(refused(square(), false, 15),
            "a.vtk: byte 250: 'CELL_TYPES 2' needs at least 2 times 4 bytes, and 6 follow; the "
            "file is cut off or damaged");
  auto huge = head("BINARY") + "POINTS 1000000000000 double\n" + std::string(24, '\0');
  EXPECT_EQ(refusal(folder, "a.vtk", huge),
            "a.vtk: byte 70: 'POINTS 1000000000000 double' needs at least 1000000000000 times "
            "24 bytes, and 24 follow; the file is cut off or damaged");
  for (bool const apart : {false, true}) {
    auto text = square();
    text.cells[1].second = {1, 4, 2};
    EXPECT_EQ(refused(text, apart),
              "a.vtk: cell 1 has point 4 as a corner, and there are points 0 to 3");
    text.cells[1].second = {1, -1, 2};
    EXPECT_EQ(refused(text, apart),
              "a.vtk: cell 1 has point -1 as a corner, and there are points 0 to 3");
    text = square();
    text.cells[1].first = 13;
    EXPECT_EQ(refused(text, apart), "a.vtk: cell 1 is of type 13; types 5, 9, 10 and 12 are "
                                    "read as elements and 1 as points");
    text = square();
    text.cells[0].second = {0, 1};
    text.cells[1].second = {1, 3, 2, 0};
    EXPECT_EQ(refused(text, apart), apart
                                        ? "a.vtk: cell 1 has not the 3 corners of its type 5"
                                        : "a.vtk: cell 0 has not the 3 corners of its type 5");
    text.cells[1].second = {1, 3, 2};
    EXPECT_EQ(refused(text, apart),
              apart ? "a.vtk: its cells have 6 numbers by their types and 5 by CELLS"
                    : "a.vtk: its cells have 8 numbers by their types and 7 by CELLS");
  }
}

TEST(FileFaults, OfShapes)
{
  Folder const folder;
  auto const refused = [&](VtkText const& text, std::string const& shape, int dim) {
    return refusal(folder, "a.vtk", text.in("BINARY", false), shape, dim);
  };
  EXPECT_EQ(refused(square(), "sphere", 2),
            "a.vtk: cell 0 is of type 5, no sphere; set problem.shape to box, which takes all "
            "cells by their bounding boxes, or to simplex");
  EXPECT_EQ(refused(square(), "simplex", 3),
            "a.vtk: cell 0 is of type 5, and simplices of three dimensions are of type 10; set "
            "problem.dim to 2");
  auto mixed = square();
  mixed.cells[1] = {Cell::quadrilateral, {0, 1, 3, 2}};
  EXPECT_EQ(refused(mixed, "simplex", 2),
            "a.vtk: cell 1 is of type 9, no simplex; set problem.shape to box, which takes all "
            "cells by their bounding boxes");
  auto small = square();
  for (auto& point : small.points)
    for (double& x : point)
      x *= 0x1p-27;
  EXPECT_EQ(refused(small, "simplex", 2), "is taken");
  small.points.push_back({0x1p-28, 0x1p-29, 0});
  EXPECT_EQ(refused(small, "simplex", 2),
            "a.vtk: rows of simplices and points have exact sums where simplices touch at "
            "distances between 2^-26 and 2^27, and these do at 7.450580596923828e-09; scale "
            "the file");
  auto flat = square();
  flat.points[3] = {0.5, 0.5, 0};
  EXPECT_EQ(refused(flat, "simplex", 2),
            "a.vtk: element 1 is the first of 1 without volume; mend them, or set "
            "problem.degenerate to drop");
}

} // namespace strata::contact
