#include "vtk_writer.hpp"

#include "shared_file.hpp"
#include "vtk_elements.hpp"
#include "vtu_writer.hpp"

#include "base/error.hpp"
#include "io/readers.hpp"
#include "runtime/share.hpp"

#include <algorithm>
#include <bit>

namespace strata::contact {

namespace {

/// Big-endian, as the format has it.
template <class T>
void put(std::string& to, T value)
{
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  static_assert(std::endian::native == std::endian::little);
  std::reverse(bytes, bytes + sizeof(T));
  to.append(bytes, sizeof(T));
}

/// A section of the file: a text, then numbers of all elements.
struct Block
{
  std::string head;
  index_t bytes; ///< of an element
  void (*put_element)(std::string& to, Element const& element, index_t number, int type);
  index_t at = 0; ///< where the numbers start
};

void put_points(std::string& to, Element const& element, index_t, int type)
{
  for (int c = 0; c < corners_of_type(type); ++c)
    for (double const x : corner_of(element, type, static_cast<std::size_t>(c)))
      put(to, x);
}

void put_cell(std::string& to, Element const&, index_t number, int type)
{
  int const corners = corners_of_type(type);
  put(to, corners);
  for (int c = 0; c < corners; ++c)
    put(to, static_cast<std::int32_t>(number * corners + c));
}

std::string scalars(char const* name, char const* type)
{
  return std::string("SCALARS ") + name + " " + type + " 1\nLOOKUP_TABLE default\n";
}

std::vector<Block> blocks_of(Scene const& scene, std::int64_t step)
{
  int const type = cell_type(scene);
  index_t const corners = corners_of_type(type);
  auto const cells = std::to_string(scene.elements);
  auto const points = std::to_string(scene.elements * corners);
  std::vector<Block> blocks{
      {"# vtk DataFile Version 3.0\nstrata-contact, step " + std::to_string(step) +
           "\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS " + points + " double\n",
       24 * corners, put_points},
      {"\nCELLS " + cells + " " + std::to_string(scene.elements * (corners + 1)) + "\n",
       4 * (corners + 1), put_cell},
      {"\nCELL_TYPES " + cells + "\n", 4,
       [](std::string& to, Element const&, index_t, int cell) { put(to, cell); }},
      {"\nCELL_DATA " + cells + "\n" + scalars("row_length", "int"), 4,
       [](std::string& to, Element const& e, index_t, int) { put(to, e.length); }},
      {"\n" + scalars("gid", "vtktypeint64"), 8,
       [](std::string& to, Element const& e, index_t, int) { put(to, e.gid); }},
      {"\n" + scalars("body", "vtktypeint64"), 8,
       [](std::string& to, Element const& e, index_t, int) { put(to, e.body); }},
      {"\n" + scalars("rank", "int"), 4,
       [](std::string& to, Element const& e, index_t, int) { put(to, e.rank); }}};
  if (scene.shape == Shape::sphere)
    blocks.push_back(
        {"\nPOINT_DATA " + points + "\n" + scalars("radius", "double"), 8,
         [](std::string& to, Element const& e, index_t, int) { put(to, e.half[0]); }});
  blocks.push_back({"\n", 0, nullptr});
  index_t at = 0;
  for (auto& block : blocks) {
    block.at = at + static_cast<index_t>(block.head.size());
    at = block.at + block.bytes * scene.elements;
  }
  return blocks;
}

void write_legacy(std::string const& path, Elements const& mine,
                  runtime::Communicator const& world)
{
  constexpr index_t piece = 1 << 17; // elements that a rank writes at once
  int const type = cell_type(mine.scene());
  auto const blocks = blocks_of(mine.scene(), mine.step());
  SharedFile file(path, write_vtk_key, world);
  for (index_t done = 0; done < mine.scene().elements; done += piece * world.ranks()) {
    std::vector<std::vector<Element>> parts;
    for (int r = 0; r < world.ranks(); ++r)
      parts.push_back(mine.with_gids(done + r * piece, done + (r + 1) * piece));
    auto elements = world.all_to_all(parts).values;
    std::sort(elements.begin(), elements.end(),
              [](Element const& a, Element const& b) { return a.gid < b.gid; });
    world.together([&] {
      index_t const first = done + world.rank() * piece;
      for (auto const& block : blocks) {
        std::string bytes;
        for (std::size_t i = 0; block.bytes > 0 && i < elements.size(); ++i)
          block.put_element(bytes, elements[i], first + static_cast<index_t>(i), type);
        file.write(block.at + block.bytes * first, bytes);
      }
    });
  }
  world.together([&] {
    for (auto const& block : blocks)
      if (world.rank() == 0)
        file.write(block.at - static_cast<index_t>(block.head.size()), block.head);
  });
  file.finish();
}

void probe_legacy(std::string const& path, Scene const& scene,
                  runtime::Communicator const& world)
{
  index_t const corners = corners_of_type(cell_type(scene));
  if (scene.elements * corners > INT32_MAX)
    throw Error(Exit::deck, std::string(write_vtk_key) +
                                ": legacy VTK numbers 2147483647 corners at most, and these "
                                "elements have " +
                                std::to_string(scene.elements * corners) +
                                "; take fewer elements, or a name that ends in .pvtu");
  SharedFile const probe(path, write_vtk_key, world);
  world.together([&] { probe.write(0, std::string(4096, ' ')); });
}

} // namespace

void write_vtk(std::string const& path, Scene const& scene, Objects const& objects,
               std::int64_t step, std::vector<index_t> const& lengths,
               runtime::Communicator const& world)
{
  Elements const mine(scene, objects, step, lengths, world.rank());
  if (is_parallel_vtk(path))
    write_parallel_vtk(path, mine, world);
  else
    write_legacy(path, mine, world);
}

void probe_vtk(std::string const& path, Scene const& scene, runtime::Communicator const& world)
{
  if (is_parallel_vtk(path))
    probe_parallel_vtk(path, world);
  else
    probe_legacy(path, scene, world);
}

} // namespace strata::contact
