#include "writing.hpp"

#include <cstring>

namespace strata::contact {

namespace {

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

template <class T>
void add(std::map<std::int64_t, T>& to, std::vector<std::int64_t> const& gids,
         std::vector<T> const& values)
{
  ASSERT_EQ(values.size(), gids.size());
  for (std::size_t i = 0; i < gids.size(); ++i)
    to[gids[i]] = values[i];
}

/// As a legacy file has the values.
template <class T>
std::string in_order(std::map<std::int64_t, T> const& values)
{
  std::string bytes;
  for (auto const& [gid, value] : values)
    bytes += raw(value, true);
  return bytes;
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
      found_in(writing("lattice", shape, dim, pieces));
      found_in(writing("lattice", shape, dim, whole));
      runtime::Communicator::world().barrier();
      std::map<std::int64_t, std::vector<double>> corners; // by gid
      std::map<std::int64_t, std::int32_t> length;
      std::map<std::int64_t, std::int64_t> body;
      std::map<std::int64_t, double> radius;
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
        add(length, gids, array_in<std::int32_t>(piece, "row_length"));
        add(body, gids, array_in<std::int64_t>(piece, "body"));
        if (std::string(shape) == "sphere")
          add(radius, gids, array_in<double>(piece, "radius"));
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
      auto const bytes = bytes_in(whole);
      auto const has = [&](std::string const& list) {
        EXPECT_NE(bytes.find(list), std::string::npos) << what << list.substr(0, 30);
      };
      std::string const table = " 1\nLOOKUP_TABLE default\n";
      has(" double\n" + all + "\nCELLS ");
      has("row_length int" + table + in_order(length) + "\nSCALARS gid");
      has("body vtktypeint64" + table + in_order(body) + "\nSCALARS rank");
      if (!radius.empty())
        has("radius double" + table + in_order(radius));
      EXPECT_EQ(type, std::string(shape) == "sphere" ? 1U
                      : std::string(shape) == "box"  ? (dim == 2 ? 9U : 12U)
                                                     : (dim == 2 ? 5U : 10U));
    }
}

TEST(VtuWriter, WritesWhatHasBrokenOffAsOfNoBody)
{
  Folder const folder;
  auto config = writing("impact", "box", 2, folder.path("out.pvtu"));
  config.kernel = {"update"};
  config.steps = 30;
  found_in(config);
  runtime::Communicator::world().barrier();
  std::size_t count = 0;
  for (int r = 0; r < ranks(); ++r) {
    auto const piece = bytes_in(name_of_piece(folder, r));
    for (auto const body : array_in<std::int64_t>(piece, "body"))
      EXPECT_EQ(body, -1);
    count += array_in<std::int64_t>(piece, "body").size();
    EXPECT_NE(piece.find("format=\"ascii\">30</DataArray>"), std::string::npos);
  }
  EXPECT_GT(count, 100U);
}

TEST(VtuWriter, ListsThePieces)
{
  Folder const folder;
  found_in(writing("lattice", "sphere", 3, folder.path("a&b.pvtu")));
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
  Problem problem(writing("lattice", "sphere", 3, folder.path("out.pvtu")), setting_of_world());
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
