#include "readers.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <optional>

namespace strata::contact {

namespace {

/// Where the rows start, and what is in them.
struct TableHeader
{
  index_t start;
  index_t line; ///< number of the first
  Columns columns;
};

/// Words of a line between blanks and single commas or semicolons, without what follows a #.
std::vector<std::string_view> words_of(std::string_view line)
{
  std::vector<std::string_view> words;
  line = line.substr(0, line.find('#'));
  auto const skip_blanks = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  };
  for (skip_blanks(); !line.empty(); skip_blanks()) {
    auto const end = std::min(line.find_first_of(" \t,;"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
    skip_blanks();
    if (!line.empty() && (line[0] == ',' || line[0] == ';'))
      line.remove_prefix(1);
  }
  return words;
}

/// From a line of names.
Columns named(InputFile const& file, index_t line, std::vector<std::string_view> const& words)
{
  Columns columns;
  for (auto word : words) {
    if (word.size() > 1 && word.front() == '"' && word.back() == '"')
      word = word.substr(1, word.size() - 2);
    auto const name = std::string(word == "radius" ? "r" : word);
    auto const place = name.size() == 1 ? std::string("xyzr").find(name) : std::string::npos;
    if (place == std::string::npos)
      file.refuse_line(line, "'" + name +
                                 "' is neither a number nor one of the columns x, y, "
                                 "z and r");
    if (columns.of[place] >= 0)
      file.refuse_line(line, "column '" + name + "' is there twice");
    columns.of[place] = columns.count++;
  }
  if (columns.of[0] < 0 || columns.of[1] < 0)
    file.refuse_line(line, "columns x and y must be there");
  return columns;
}

TableHeader header_in(InputFile const& file, int dim)
{
  Scanner scanner(file, 0);
  TableHeader found{0, 1, {}};
  std::string_view line;
  bool any = false;
  while (scanner.line(line)) {
    auto const words = words_of(line);
    any = any || !words.empty();
    double number = 0;
    if (!words.empty() && number_in(words[0], number)) {
      if (found.columns.count == 0)
        found.columns = Columns::in_order(file, static_cast<int>(words.size()), dim);
      break;
    }
    if (!words.empty() && found.columns.count > 0)
      file.refuse_line(found.line, "'" + std::string(words[0]) + "' is no number");
    if (!words.empty())
      found.columns = named(file, found.line, words);
    ++found.line;
    found.start = scanner.position();
  }
  if (!any)
    file.refuse("has no numbers");
  if (found.columns.of[2] < 0 && dim == 3)
    file.refuse("has no column z; set problem.dim to 2");
  return found;
}

/// The lines that start in a rank's stretch of the bytes.
class PartOfTable
{
public:
  PartOfTable(InputFile const& file, TableHeader const& header,
              runtime::Communicator const& world)
      : columns_(header.columns)
      , scanner_(file, header.start)
  {
    index_t const bytes = file.size() - header.start;
    auto const cut = [&](int rank) {
      return header.start + bytes / world.ranks() * rank +
             std::min<index_t>(rank, bytes % world.ranks());
    };
    end_ = cut(world.rank() + 1);
    if (cut(world.rank()) == header.start)
      return;
    scanner_ = Scanner(file, cut(world.rank()) - 1);
    std::string_view rest; // of the line that the rank below reads
    scanner_.line(rest);
  }
  /// Reads on to the first line that is wrong.
  void read(Cloud& cloud)
  {
    std::string_view line;
    while (fault_.empty() && scanner_.position() < end_ && scanner_.line(line)) {
      ++lines_;
      auto const words = words_of(line);
      if (!words.empty())
        add(words, cloud);
    }
  }
  [[nodiscard]] index_t lines() const { return lines_; }
  /// What is wrong with the last line, if anything.
  [[nodiscard]] std::string const& fault() const { return fault_; }

private:
  void add(std::vector<std::string_view> const& words, Cloud& cloud)
  {
    if (words.size() != static_cast<std::size_t>(columns_.count)) {
      fault_ = "has " + text::plural(words.size(), "number") + " where the lines before have " +
               std::to_string(columns_.count);
      return;
    }
    std::array<double, 4> row{};
    for (std::size_t i = 0; i < words.size(); ++i)
      if (!number_in(words[i], row[i])) {
        fault_ = "'" + std::string(words[i]) + "' is no number";
        return;
      }
    columns_.add(row.data(), cloud);
  }

  Columns columns_;
  Scanner scanner_;
  index_t end_;
  index_t lines_ = 0;
  std::string fault_;
};

} // namespace

Cloud read_table(InputFile const& file, int dim, runtime::Communicator const& world)
{
  auto const header = found_by_rank_0<TableHeader>(world, [&] { return header_in(file, dim); });
  Cloud cloud;
  std::optional<PartOfTable> part;
  world.together([&] { part.emplace(file, header, world).read(cloud); });
  // The first rank with a fault is the one whose error all get: below it, all lines are known.
  auto const before = stretch_of(world, part->lines()).first;
  world.together([&] {
    if (!part->fault().empty())
      file.refuse_line(header.line + before + part->lines() - 1, part->fault());
  });
  cloud.has_radii = header.columns.has_radius();
  cloud.stretch = stretch_of(world, static_cast<index_t>(cloud.at.size()));
  return cloud;
}

} // namespace strata::contact
