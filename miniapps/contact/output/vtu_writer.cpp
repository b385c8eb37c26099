#include "vtu_writer.hpp"

#include "shared_file.hpp"

#include "io/readers.hpp"

#include <bit>
#include <filesystem>
#include <optional>

namespace strata::contact {

namespace {

/// An array of a piece: a line of XML, then numbers of all elements.
struct PieceArray
{
  enum class Of
  {
    points,
    cells,
    cell_data,
    point_data
  };

  Of of;
  char const* name;
  char const* type;
  int components;
  index_t bytes; ///< of an element
  void (*put_element)(std::string& to, Element const& element, index_t number, int type);
};

template <class T>
void put_raw(std::string& to, T value)
{
  static_assert(std::endian::native == std::endian::little); // as xml_opening() says
  to.append(reinterpret_cast<char const*>(&value), sizeof(T));
}

void put_piece_points(std::string& to, Element const& element, index_t, int type)
{
  for (int c = 0; c < corners_of_type(type); ++c)
    for (double const x : corner_of(element, type, static_cast<std::size_t>(c)))
      put_raw(to, x);
}

void put_connectivity(std::string& to, Element const&, index_t number, int type)
{
  index_t const corners = corners_of_type(type);
  for (index_t c = 0; c < corners; ++c)
    put_raw<std::int64_t>(to, number * corners + c);
}

std::vector<PieceArray> arrays_of(Scene const& scene)
{
  using enum PieceArray::Of;
  index_t const corners = corners_of_type(cell_type(scene));
  std::vector<PieceArray> arrays{
      {points, "Points", "Float64", 3, 24 * corners, put_piece_points},
      {cells, "connectivity", "Int64", 1, 8 * corners, put_connectivity},
      {cells, "offsets", "Int64", 1, 8,
       [](std::string& to, Element const&, index_t number, int type) {
         put_raw<std::int64_t>(to, (number + 1) * corners_of_type(type));
       }},
      {cells, "types", "UInt8", 1, 1,
       [](std::string& to, Element const&, index_t, int type) {
         put_raw(to, static_cast<std::uint8_t>(type));
       }},
      {cell_data, "row_length", "Int32", 1, 4,
       [](std::string& to, Element const& e, index_t, int) { put_raw(to, e.length); }},
      {cell_data, "gid", "Int64", 1, 8,
       [](std::string& to, Element const& e, index_t, int) { put_raw(to, e.gid); }},
      {cell_data, "body", "Int64", 1, 8,
       [](std::string& to, Element const& e, index_t, int) { put_raw(to, e.body); }},
      {cell_data, "rank", "Int32", 1, 4,
       [](std::string& to, Element const& e, index_t, int) { put_raw(to, e.rank); }}};
  if (scene.shape == Shape::sphere)
    arrays.push_back(
        {point_data, "radius", "Float64", 1, 8,
         [](std::string& to, Element const& e, index_t, int) { put_raw(to, e.half[0]); }});
  return arrays;
}

std::string xml_opening(char const* kind)
{
  return std::string("<?xml version=\"1.0\"?>\n<VTKFile type=\"") + kind +
         "\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n";
}

std::string in_xml_text(std::string const& text)
{
  std::string found;
  for (char const c : text)
    found += c == '&'   ? "&amp;"
             : c == '<' ? "&lt;"
             : c == '>' ? "&gt;"
             : c == '"' ? "&quot;"
                        : std::string(1, c);
  return found;
}

/// The elements' arrays in XML, by where they belong. `rest` is the end of the line of an array
/// of so many bytes before it.
template <class Rest>
std::string in_xml(std::vector<PieceArray> const& arrays, std::string const& prefix,
                   Rest&& rest)
{
  std::string text;
  auto const section = [&](char const* name, PieceArray::Of of) {
    index_t before = 0;
    text += "<" + prefix + name + ">\n";
    for (auto const& array : arrays) {
      if (array.of == of)
        text += "<" + prefix + "DataArray type=\"" + array.type + "\" Name=\"" + array.name +
                "\" NumberOfComponents=\"" + std::to_string(array.components) + "\"" +
                rest(before) + "/>\n";
      before += array.bytes;
    }
    text += "</" + prefix + name + ">\n";
  };
  section("Points", PieceArray::Of::points);
  if (prefix.empty())
    section("Cells", PieceArray::Of::cells);
  section("CellData", PieceArray::Of::cell_data);
  section("PointData", PieceArray::Of::point_data);
  return text;
}

constexpr index_t size_bytes = sizeof(std::uint64_t); // before the numbers of an array

std::string head_of_piece(std::vector<PieceArray> const& arrays, Elements const& mine)
{
  index_t const count = mine.size();
  index_t const corners = corners_of_type(cell_type(mine.scene()));
  index_t number = 0;
  auto const place = [&](index_t before) {
    return " format=\"appended\" offset=\"" +
           std::to_string(before * count + size_bytes * number++) + "\"";
  };
  return xml_opening("UnstructuredGrid") +
         "<UnstructuredGrid>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" "
         "NumberOfTuples=\"1\" format=\"ascii\">" +
         std::to_string(mine.step()) + "</DataArray>\n</FieldData>\n<Piece NumberOfPoints=\"" +
         std::to_string(count * corners) + "\" NumberOfCells=\"" + std::to_string(count) +
         "\">\n" + in_xml(arrays, "", place) +
         "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
}

std::string piece_name(std::string const& path, int rank)
{
  auto const name = std::filesystem::path(path);
  return (name.parent_path() / name.stem()).string() + "_" + std::to_string(rank) + ".vtu";
}

std::string list_of_pieces(std::string const& path, std::vector<PieceArray> const& arrays,
                           int ranks)
{
  std::string text = xml_opening("PUnstructuredGrid") +
                     "<PUnstructuredGrid GhostLevel=\"0\">\n" +
                     in_xml(arrays, "P", [](index_t) { return ""; });
  for (int r = 0; r < ranks; ++r) {
    auto const piece = std::filesystem::path(piece_name(path, r)).filename().string();
    text += "<Piece Source=\"" + in_xml_text(piece) + "\"/>\n";
  }
  return text + "</PUnstructuredGrid>\n</VTKFile>\n";
}

void write_piece(SharedFile const& file, std::vector<PieceArray> const& arrays,
                 Elements const& mine)
{
  constexpr index_t at_once = 1 << 17; // elements
  int const type = cell_type(mine.scene());
  auto const head = head_of_piece(arrays, mine);
  file.write(0, head);
  auto at = static_cast<index_t>(head.size());
  for (auto const& array : arrays) {
    std::string bytes;
    put_raw<std::uint64_t>(bytes, static_cast<std::uint64_t>(array.bytes * mine.size()));
    for (index_t first = 0; first < mine.size() || !bytes.empty(); first += at_once) {
      auto number = first;
      for (auto const& element : mine.numbered(first, first + at_once))
        array.put_element(bytes, element, number++, type);
      file.write(at, bytes);
      at += static_cast<index_t>(bytes.size());
      bytes.clear();
    }
  }
  file.write(at, "\n</AppendedData>\n</VTKFile>\n");
}

} // namespace

bool is_parallel_vtk(std::string const& path)
{
  return path.ends_with(".pvtu");
}

void write_parallel_vtk(std::string const& path, Elements const& mine,
                        runtime::Communicator const& world)
{
  auto const arrays = arrays_of(mine.scene());
  SharedFile list(path, write_vtk_key, world);
  std::optional<SharedFile> piece;
  world.together([&] {
    piece.emplace(piece_name(path, world.rank()), write_vtk_key, runtime::Communicator::self());
    write_piece(*piece, arrays, mine);
    if (world.rank() == 0)
      list.write(0, list_of_pieces(path, arrays, world.ranks()));
    piece->sync();
  });
  list.sync();
  world.together([&] { piece->finish(); });
  list.finish();
}

void probe_parallel_vtk(std::string const& path, runtime::Communicator const& world)
{
  std::string const blank(4096, ' ');
  SharedFile const list(path, write_vtk_key, world);
  world.together([&] {
    SharedFile const piece(piece_name(path, world.rank()), write_vtk_key,
                           runtime::Communicator::self());
    piece.write(0, blank);
    list.write(0, blank);
  });
}

} // namespace strata::contact
