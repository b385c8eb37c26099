#include "readers.hpp"

#include "base/text.hpp"
#include "runtime/share.hpp"

#include <algorithm>
#include <bit>

namespace strata::contact {

namespace {

static_assert(std::endian::native == std::endian::little);

/// The position and the shape of the array in the file.
struct NpyHeader
{
  index_t start;
  index_t rows;
  int columns;
  int number_bytes;
};

/// The text behind 'key': in the header's dictionary, up to `end`.
std::string value_of_key(InputFile const& file, std::string const& header,
                         std::string const& key, char end)
{
  auto const at = header.find("'" + key + "'");
  auto const colon = header.find(':', std::min(at, header.size()));
  auto const stop = header.find(end, std::min(colon, header.size()));
  if (at == std::string::npos || stop == std::string::npos)
    file.refuse("its header has no '" + key + "'");
  auto const from = header.find_first_not_of(' ', colon + 1);
  return header.substr(from, stop - from);
}

/// The header's text and where the numbers start.
std::string header_text(InputFile const& file, index_t& start)
{
  auto const lead = file.read_some(0, 12);
  if (!lead.starts_with("\x93NUMPY") || lead.size() < 10)
    file.refuse("is no .npy file: it does not start with \\x93NUMPY");
  auto const byte = [&](std::size_t i) {
    return static_cast<index_t>(static_cast<unsigned char>(lead[i]));
  };
  if (byte(6) < 1 || byte(6) > 3)
    file.refuse_byte(6, "version " + std::to_string(byte(6)) + "." + std::to_string(byte(7)) +
                            " of the .npy format is not read; versions 1 to 3 are");
  bool const wide = byte(6) > 1 && lead.size() == 12;
  index_t const length =
      byte(8) + (byte(9) << 8) + (wide ? (byte(10) << 16) + (byte(11) << 24) : 0);
  start = (wide ? 12 : 10) + length;
  if (start > file.size())
    file.refuse("is cut off in its header, which ends at byte " + std::to_string(start));
  return file.read(start - length, length);
}

/// "(rows, columns)" or "(rows,)".
std::array<index_t, 2> shape_in(InputFile const& file, std::string const& tuple)
{
  std::vector<index_t> sizes;
  for (auto const& word :
       text::split(tuple.substr(std::min<std::size_t>(1, tuple.size())), ',')) {
    auto const from = word.find_first_not_of(' ');
    if (from == std::string::npos)
      continue;
    if (!number_in(std::string_view(word).substr(from), sizes.emplace_back()) ||
        sizes.back() < 0)
      file.refuse("its shape " + tuple + ") is none");
  }
  if (sizes.size() != 2)
    file.refuse("has shape " + tuple + "); it must have two dimensions, rows and columns");
  return {sizes[0], sizes[1]};
}

NpyHeader header_in(InputFile const& file)
{
  NpyHeader found{};
  auto const header = header_text(file, found.start);
  auto const type = value_of_key(file, header, "descr", ',');
  if (type != "'<f4'" && type != "'<f8'")
    file.refuse("its numbers are " + type +
                "; '<f4' and '<f8' are read, little-endian floating point");
  if (value_of_key(file, header, "fortran_order", ',') != "False")
    file.refuse("is in Fortran order; save it in C order, with numpy.ascontiguousarray");
  auto const [rows, columns] = shape_in(file, value_of_key(file, header, "shape", ')'));
  if (columns < 2 || columns > 4)
    file.refuse("has " + std::to_string(columns) + " columns; x y [z] [r] are 2 to 4");
  found.rows = rows;
  found.columns = static_cast<int>(columns);
  found.number_bytes = type == "'<f4'" ? 4 : 8;
  index_t const there = file.size() - found.start;
  index_t const row_bytes = columns * found.number_bytes;
  if (there % row_bytes != 0 || there / row_bytes != rows)
    file.refuse("its header says " + text::plural(static_cast<std::size_t>(rows), "row") +
                " of " + std::to_string(row_bytes) + " bytes and " + std::to_string(there) +
                " bytes follow; it is cut off or damaged");
  return found;
}

template <class Number>
void add_rows(std::string const& bytes, Columns const& columns, Cloud& cloud)
{
  auto const count = static_cast<std::size_t>(columns.count);
  std::array<Number, 4> raw{};
  std::array<double, 4> row{};
  for (std::size_t at = 0; at < bytes.size(); at += count * sizeof(Number)) {
    std::memcpy(raw.data(), bytes.data() + at, count * sizeof(Number));
    std::copy(raw.begin(), raw.end(), row.begin());
    columns.add(row.data(), cloud);
  }
}

} // namespace

Cloud read_npy(InputFile const& file, int dim, runtime::Communicator const& world)
{
  auto const header = found_by_rank_0<NpyHeader>(world, [&] { return header_in(file); });
  Cloud cloud;
  world.together([&] {
    auto const columns = Columns::in_order(file, header.columns, dim);
    runtime::Share const share{world.rank(), world.ranks()};
    index_t const end = share.end(header.rows);
    index_t const row_bytes = header.columns * header.number_bytes;
    constexpr index_t at_once = 1 << 16;
    cloud.has_radii = columns.has_radius();
    cloud.stretch = {share.begin(header.rows), header.rows};
    for (index_t row = cloud.stretch.first; row < end; row += at_once) {
      auto const bytes =
          file.read(header.start + row * row_bytes, std::min(at_once, end - row) * row_bytes);
      if (header.number_bytes == 4)
        add_rows<float>(bytes, columns, cloud);
      else
        add_rows<double>(bytes, columns, cloud);
    }
  });
  return cloud;
}

} // namespace strata::contact
