#include "io/tests/files.hpp"
#include "output/vtk_writer.hpp"

#include <cstring>

namespace strata::contact {

namespace {

Config writing(std::string const& shape, int dim, std::string const& path)
{
  Config config;
  config.deck = "lattice";
  config.shape = shape;
  config.dim = dim;
  config.elements = 150;
  config.kernel = {"build"};
  config.variant = {"dyn_ragged"};
  config.write_vtk = path;
  return config;
}

/// What an attribute of the first element with these words says.
std::string attribute(std::string const& text, std::string const& words,
                      std::string const& name)
{
  auto const element = text.find(words);
  EXPECT_NE(element, std::string::npos) << words;
  auto const at = text.find(name + "=\"", element) + name.size() + 2;
  return text.substr(at, text.find('"', at) - at);
}

/// An array of a piece by its name, as its head says where it is and its size how long.
template <class T>
std::vector<T> array_in(std::string const& piece, std::string const& name)
{
  auto const offset = std::stoul(attribute(piece, "Name=\"" + name + "\"", "offset"));
  std::string const mark = "<AppendedData encoding=\"raw\">\n_";
  auto const at = piece.find(mark) + mark.size() + offset;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, piece.data() + at, sizeof(bytes));
  std::vector<T> numbers(bytes / sizeof(T));
  std::memcpy(numbers.data(), piece.data() + at + sizeof(bytes), bytes);
  return numbers;
}

std::string name_of_piece(Folder const& folder, int rank)
{
  return folder.path("out_" + std::to_string(rank) + ".vtu");
}

int ranks()
{
  return runtime::Communicator::world().ranks();
}

} // namespace

TEST(VtuWriter, WritesEachElementOnceInThePieceOfItsRank)
{
  Folder const folder;
  for (int const dim : {2, 3})
    for (auto const* shape : {"sphere", "box", "simplex"}) {
      auto const what = std::string(shape) + std::to_string(dim);
      auto const pieces = folder.path("out.pvtu");
      auto const whole = folder.path("out.vtk");
      auto const facts = found_in(writing(shape, dim, pieces));
      found_in(writing(shape, dim, whole));
      runtime::Communicator::world().barrier();
      std::map<std::int64_t, std::vector<double>> corners; // by gid
      std::size_t type = 0;
      for (int r = 0; r < ranks(); ++r) {
        auto const piece = bytes_in(name_of_piece(folder, r));
        auto const gids = array_in<std::int64_t>(piece, "gid");
        auto const points = array_in<double>(piece, "Points");
        auto const connectivity = array_in<std::int64_t>(piece, "connectivity");
        auto const offsets = array_in<std::int64_t>(piece, "offsets");
        EXPECT_EQ(attribute(piece, "<Piece", "NumberOfCells"), std::to_string(gids.size()));
        EXPECT_EQ(attribute(piece, "<Piece", "NumberOfPoints"),
                  std::to_string(points.size() / 3));
        EXPECT_EQ(array_in<std::int32_t>(piece, "rank"),
                  std::vector<std::int32_t>(gids.size(), r));
        EXPECT_EQ(array_in<std::int32_t>(piece, "row_length").size(), gids.size());
        for (auto const one : array_in<std::uint8_t>(piece, "types"))
          type = one;
        std::int64_t start = 0;
        for (std::size_t i = 0; i < gids.size(); start = offsets[i++])
          for (auto c = start; c < offsets[i]; ++c)
            for (std::size_t k = 0; k < 3; ++k)
              corners[gids[i]].push_back(
                  points[3 * static_cast<std::size_t>(
                                 connectivity[static_cast<std::size_t>(c)]) +
                         k]);
        EXPECT_TRUE(std::is_sorted(gids.begin(), gids.end())) << what;
      }
      EXPECT_NE(bytes_in(whole).find("\nCELL_TYPES " + std::to_string(corners.size()) + "\n"),
                std::string::npos)
          << what;
      std::string all; // as the legacy file has them
      for (auto const& [gid, of] : corners)
        for (double const x : of)
          all += raw(x, true);
      EXPECT_NE(bytes_in(whole).find(" double\n" + all + "\nCELLS "), std::string::npos)
          << what;
      EXPECT_EQ(type, std::string(shape) == "sphere" ? 1U
                      : std::string(shape) == "box"  ? (dim == 2 ? 9U : 12U)
                                                     : (dim == 2 ? 5U : 10U));
    }
}

TEST(VtuWriter, ListsThePieces)
{
  Folder const folder;
  found_in(writing("sphere", 3, folder.path("a&b.pvtu")));
  runtime::Communicator::world().barrier();
  auto const list = bytes_in(folder.path("a&b.pvtu"));
  std::size_t at = 0;
  for (int r = 0; r < ranks(); ++r) {
    auto const line = "<Piece Source=\"a&amp;b_" + std::to_string(r) + ".vtu\"/>\n";
    at = list.find(line, at);
    EXPECT_NE(at, std::string::npos) << line;
    EXPECT_TRUE(std::filesystem::exists(folder.path("a&b_" + std::to_string(r) + ".vtu")));
  }
  EXPECT_NE(list.find("Name=\"radius\""), std::string::npos);
  EXPECT_EQ(list.find("Name=\"connectivity\""), std::string::npos);
}

TEST(VtuWriter, RefusesBeforeAnythingRunsWhereAPieceCannotBeWritten)
{
  Folder const folder;
  auto const piece = name_of_piece(folder, ranks() - 1);
  if (runtime::Communicator::world().rank() == 0)
    std::filesystem::create_directory(piece);
  runtime::Communicator::world().barrier();
  Problem problem(writing("sphere", 3, folder.path("out.pvtu")), setting_of_world());
  try {
    problem.prepare();
    FAIL();
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::results);
    EXPECT_EQ(error.what(), "cannot write '" + piece +
                                "': Is a directory; make room and access there for all ranks, "
                                "or choose another place with problem.write_vtk");
  }
  runtime::Communicator::world().barrier();
  EXPECT_FALSE(std::filesystem::exists(folder.path("out.pvtu")));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path(".")),
                          std::filesystem::directory_iterator()),
            1);
}

TEST(VtuWriter, TakesMoreCornersThanTheLegacyFormatNumbers)
{
  Folder const folder;
  Scene many;
  many.elements = index_t{1} << 29;
  many.shape = Shape::box;
  probe_vtk(folder.path("out.pvtu"), many, runtime::Communicator::world());
}

} // namespace strata::contact
