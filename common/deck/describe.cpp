#include "describe.hpp"

#include <algorithm>

namespace strata::deck {

namespace {

constexpr std::size_t line_width = 96;
constexpr std::size_t widest_aligned = 40; // a longer line does not push the others' comments

/// `text` broken between words into lines of at most `width`.
std::vector<std::string> wrapped(std::string const& text, std::size_t width)
{
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    auto end = text.size();
    if (end - start > width) {
      end = text.rfind(' ', start + width);
      if (end == text.npos || end <= start)
        end = std::min(text.find(' ', start), text.size());
    }
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

std::string remark(Key const& key)
{
  std::string text = key.doc;
  if (!key.unit.empty())
    text += " [" + key.unit + "]";
  auto const range = allowed(key);
  if (!range.empty() && key.choices.size() != 1)
    text += (key.choices.empty() ? "; " : key.list ? "; any of " : "; one of ") + range;
  return text + (key.required ? "; required" : "");
}

/// Writes a deck, the comments of one map's keys in one column.
class DeckWriter
{
public:
  DeckWriter(Outline const& outline, std::vector<Value> const& values)
      : outline_(outline)
      , values_(values)
  {
  }

  std::string deck;

  void comment(std::string const& text, std::string const& indent)
  {
    for (auto const& line : wrapped(text, line_width - indent.size() - 2))
      deck.append(indent).append("# ").append(line).append("\n");
  }

  void map(Branch const& branch, std::string const& indent)
  {
    std::size_t column = 0;
    for (auto const& child : branch.branches)
      if (auto const width = line(child, indent).size() + 2;
          child.key && width <= widest_aligned)
        column = std::max(column, width);
    for (auto const& child : branch.branches)
      if (child.key)
        key(outline_.keys[*child.key], line(child, indent), indent, column);
      else
        section(child, indent);
  }

private:
  /// "rows: 1000"; commented out where an optional has neither value nor word.
  [[nodiscard]] std::string line(Branch const& branch, std::string const& indent) const
  {
    auto const start = leaf(branch.path) + ":";
    if (!branch.key)
      return indent + start;
    auto const value = to_yaml(outline_.keys[*branch.key], values_[*branch.key]);
    return indent + (value.empty() ? "# " + start : start + " " + value);
  }

  void key(Key const& key, std::string text, std::string const& indent, std::size_t column)
  {
    auto const about = remark(key);
    column = std::max(column, text.size() + 2);
    if (column + 2 + about.size() > line_width) {
      comment(about, indent);
    } else {
      text.resize(column, ' ');
      text += "# " + about;
    }
    deck += text + "\n";
  }

  void section(Branch const& branch, std::string const& indent)
  {
    deck += (indent.empty() ? "\n" : "") + line(branch, indent) + "\n";
    map(branch, indent + "  ");
  }

  Outline const& outline_;
  std::vector<Value> const& values_;
};

std::string table_cell(std::string const& text)
{
  std::string cell;
  for (char const c : text)
    cell += c == '|' ? "\\|" : std::string(1, c);
  return cell;
}

} // namespace

std::string describe(Outline const& outline, std::vector<Value> const& values)
{
  DeckWriter out(outline, values);
  if (!outline.app.empty())
    out.comment("strata-" + outline.app + ": " + outline.doc, "");
  out.map(tree(outline), "");
  return std::move(out.deck);
}

std::string key_table(Outline const& outline, std::vector<Value> const& defaults)
{
  std::string table = "| key | type | default | allowed | meaning |\n|---|---|---|---|---|\n";
  for (std::size_t i = 0; i < outline.keys.size(); ++i) {
    auto const& key = outline.keys[i];
    auto const value = to_yaml(key, defaults[i]);
    auto const preset = key.required ? "required" : value.empty() ? "" : "`" + value + "`";
    table += "| `" + key.path + "` | " + type_name(key) + " | " + table_cell(preset) + " | " +
             table_cell(allowed(key)) + " | " + table_cell(key.doc) + " |\n";
  }
  return table;
}

} // namespace strata::deck
