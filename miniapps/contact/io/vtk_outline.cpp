#include "vtk_outline.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <sstream>

namespace strata::contact {

namespace {

struct Named
{
  char const* name;
  char kind;
  int bytes;
};

constexpr std::array types{
    Named{"float", 'f', 4},         Named{"double", 'f', 8},
    Named{"int", 'i', 4},           Named{"vtkIdType", 'i', 4},
    Named{"long", 'i', 8},          Named{"vtktypeint64", 'i', 8},
    Named{"unsigned_char", 'u', 1}, Named{"char", 'i', 1},
    Named{"short", 'i', 2},         Named{"unsigned_short", 'u', 2},
    Named{"unsigned_int", 'u', 4},  Named{"unsigned_long", 'u', 8},
    Named{"vtktypeuint64", 'u', 8},
};

/// Reads the lines of a file and goes over the numbers between them.
class Outliner
{
public:
  explicit Outliner(InputFile const& file)
      : file_(file)
      , scanner_(file, 0)
  {
  }
  VtkOutline read()
  {
    read_head();
    while (next_line() && words_[0] != "CELL_DATA" && words_[0] != "POINT_DATA")
      read_section();
    if (found_.coordinates.kind == 0)
      file_.refuse("has no POINTS");
    if (found_.cells > 0 && found_.types.kind == 0)
      file_.refuse("has no CELL_TYPES");
    if (found_.types.count != found_.cells)
      file_.refuse("has " + std::to_string(found_.types.count) + " CELL_TYPES and " +
                   text::plural(static_cast<std::size_t>(found_.cells), "cell"));
    return found_;
  }

private:
  /// The next line that is not empty, by words.
  bool next_line()
  {
    std::string_view line;
    do {
      line_at_ = scanner_.position();
      if (!scanner_.line(line))
        return false;
      words_.clear();
      std::istringstream words{std::string(line)}; // between any white space
      for (std::string word; words >> word;)
        words_.push_back(word);
    } while (words_.empty());
    return true;
  }
  [[noreturn]] void refuse(std::string const& why) const { file_.refuse_byte(line_at_, why); }

  void read_head()
  {
    std::string_view line;
    if (!scanner_.line(line) || !line.starts_with("# vtk DataFile Version"))
      file_.refuse("is no legacy VTK file: it does not start with '# vtk DataFile Version'");
    scanner_.line(line); // the title
    if (!next_line() || (words_[0] != "ASCII" && words_[0] != "BINARY"))
      refuse("the third line must be ASCII or BINARY");
    found_.binary = words_[0] == "BINARY";
    if (!next_line() || words_.size() != 2 || words_[0] != "DATASET")
      refuse("DATASET and its kind must be here");
    if (words_[1] != "UNSTRUCTURED_GRID")
      refuse("DATASET " + words_[1] + " is not read; UNSTRUCTURED_GRID is");
  }
  void read_section()
  {
    auto const& keyword = words_[0];
    if (keyword == "POINTS") {
      found_.points = count_in(1);
      found_.coordinates = numbers(type_in(2), found_.points, 3);
      if (found_.coordinates.kind != 'f')
        refuse("POINTS of type " + words_[2] + " are not read; float and double are");
    } else if (keyword == "CELLS")
      read_cells();
    else if (keyword == "CELL_TYPES") {
      if (count_in(1) != found_.cells)
        refuse("CELL_TYPES says " + words_[1] + " cells and CELLS " +
               std::to_string(found_.cells));
      found_.types = numbers({'i', 4, 0, 0}, found_.cells, 1);
    } else if (keyword == "METADATA") {
      std::string_view line;
      while (scanner_.line(line) && !line.empty())
        continue;
    } else if (keyword == "FIELD")
      skip_field();
    else
      refuse("'" + keyword + "' is no part of an UNSTRUCTURED_GRID that is read");
  }
  void read_cells()
  {
    index_t const first = count_in(1);
    index_t const second = count_in(2);
    found_.offsets_apart = file_.read_some(scanner_.position(), 7) == "OFFSETS";
    if (!found_.offsets_apart) {
      found_.cells = first;
      found_.connectivity = numbers({'i', 4, 0, 0}, second, 1);
      return;
    }
    found_.cells = std::max<index_t>(first - 1, 0);
    next_line();
    found_.offsets = numbers(index_type_in(1), first, 1);
    if (!next_line() || words_[0] != "CONNECTIVITY")
      refuse("CONNECTIVITY must follow OFFSETS");
    found_.connectivity = numbers(index_type_in(1), second, 1);
  }
  void skip_field()
  {
    for (index_t left = count_in(2); left > 0; --left) {
      if (!next_line())
        refuse("the file ends within a FIELD");
      numbers(type_in(3), count_in(2), count_in(1));
    }
  }

  index_t count_in(std::size_t word) const
  {
    index_t count = -1;
    if (words_.size() <= word || !number_in(words_[word], count) || count < 0)
      refuse("'" + text::join(words_, " ") + "' lacks a count");
    return count;
  }
  Section type_in(std::size_t word) const
  {
    auto const name = word < words_.size() ? words_[word] : std::string();
    auto const* const type = std::find_if(types.begin(), types.end(),
                                          [&](Named const& t) { return name == t.name; });
    if (type == types.end())
      refuse("'" + text::join(words_, " ") + "' lacks a type of numbers");
    return {type->kind, type->bytes, 0, 0};
  }
  Section index_type_in(std::size_t word) const
  {
    auto const type = type_in(word);
    if (type.kind != 'i' || type.number_bytes < 4)
      refuse("'" + text::join(words_, " ") + "' must be of type vtktypeint64, long or int");
    return type;
  }

  /// The list that starts here, rows × columns numbers, which it goes over.
  Section numbers(Section section, index_t rows, index_t columns)
  {
    section.at = scanner_.position();
    index_t const there = file_.size() - section.at;
    // A number of a text takes two bytes, but for the last one's white space.
    index_t const room = found_.binary ? there / section.number_bytes : (there + 1) / 2;
    if (columns > 0 && rows > room / columns)
      refuse("'" + text::join(words_, " ") + "' needs at least " + std::to_string(rows) +
             " times " + std::to_string(columns * (found_.binary ? section.number_bytes : 2)) +
             " bytes, and " + std::to_string(there) +
             " follow; the file is cut off or damaged");
    section.count = rows * columns;
    if (found_.binary)
      scanner_ = Scanner(file_, section.at + section.count * section.number_bytes);
    else
      skip_words(section.count);
    return section;
  }
  void skip_words(index_t count)
  {
    std::string_view word;
    double number = 0;
    for (index_t i = 0; i < count; ++i)
      if (!scanner_.word(word) || !number_in(word, number))
        file_.refuse_byte(scanner_.position() - static_cast<index_t>(word.size()),
                          (word.empty() ? "the file ends" : "'" + std::string(word) + "' is") +
                              std::string(" where number ") + std::to_string(i + 1) +
                              " of the " + std::to_string(count) + " of '" +
                              text::join(words_, " ") + "' must be");
  }

  InputFile const& file_;
  Scanner scanner_;
  VtkOutline found_;
  std::vector<std::string> words_;
  index_t line_at_ = 0;
};

template <class Bits, class Number, class T>
void add_numbers(std::string const& bytes, std::vector<T>& to)
{
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Bits)) {
    Bits bits = 0;
    for (std::size_t b = 0; b < sizeof(Bits); ++b) // big-endian
      bits = static_cast<Bits>(static_cast<std::uint64_t>(bits) << 8 |
                               static_cast<unsigned char>(bytes[at + b]));
    to.push_back(static_cast<T>(std::bit_cast<Number>(bits)));
  }
}

template <class T>
std::vector<T> words_from(InputFile const& file, Section const& section, index_t first,
                          index_t last)
{
  std::vector<T> found;
  Scanner scanner(file, section.at);
  std::string_view word;
  for (index_t i = 0; i < last; ++i) {
    scanner.word(word);
    if (i < first)
      continue;
    if (!number_in(word, found.emplace_back()))
      file.refuse_byte(scanner.position() - static_cast<index_t>(word.size()),
                       "'" + std::string(word) + "' is no whole number");
  }
  return found;
}

} // namespace

VtkOutline outline_of_vtk(InputFile const& file)
{
  return Outliner(file).read();
}

template <class T>
std::vector<T> numbers_of(InputFile const& file, bool binary, Section const& section,
                          index_t first, index_t last)
{
  if (!binary)
    return words_from<T>(file, section, first, last);
  std::vector<T> found;
  found.reserve(static_cast<std::size_t>(last - first));
  auto const bytes = file.read(section.at + first * section.number_bytes,
                               (last - first) * section.number_bytes);
  bool const real = section.kind == 'f';
  if (section.number_bytes == 4 && real)
    add_numbers<std::uint32_t, float>(bytes, found);
  else if (section.number_bytes == 4)
    add_numbers<std::uint32_t, std::int32_t>(bytes, found);
  else if (section.number_bytes == 8 && real)
    add_numbers<std::uint64_t, double>(bytes, found);
  else
    add_numbers<std::uint64_t, std::int64_t>(bytes, found);
  return found;
}

template std::vector<double> numbers_of(InputFile const&, bool, Section const&, index_t,
                                        index_t);
template std::vector<index_t> numbers_of(InputFile const&, bool, Section const&, index_t,
                                         index_t);

} // namespace strata::contact
