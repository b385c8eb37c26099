#include "grid.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <utility>

namespace strata::report {

namespace {

/// Characters of UTF-8 text.
std::size_t width_of(std::string_view text)
{
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  }));
}

std::string_view escape(Look look)
{
  switch (look) {
  case Look::strong:
    return "\033[1m";
  case Look::faint:
    return "\033[2m";
  case Look::good:
    return "\033[32m";
  case Look::bad:
    return "\033[1;31m";
  case Look::warning:
    return "\033[33m";
  case Look::plain:
    break;
  }
  return "";
}

} // namespace

std::string painted(std::string_view text, Look look, bool colour)
{
  if (!colour || look == Look::plain || text.empty())
    return std::string(text);
  return std::string(escape(look)).append(text).append("\033[0m");
}

void Grid::column(std::string heading, Align align)
{
  columns_.push_back({std::move(heading), align});
}

void Grid::row(std::vector<Cell> cells)
{
  STRATA_CHECK(cells.size() == columns_.size(), "a row has one cell per column");
  widen(cells);
  rows_.push_back({std::move(cells), {}});
}

void Grid::row(std::vector<Cell> cells, Cell rest)
{
  STRATA_CHECK(cells.size() <= columns_.size(), "a row has at most one cell per column");
  widen(cells);
  rows_.push_back({std::move(cells), std::move(rest)});
}

void Grid::widen(std::vector<Cell> const& cells)
{
  for (std::size_t i = 0; i < cells.size(); ++i)
    columns_[i].width = std::max(columns_[i].width, width_of(cells[i].text));
}

std::string Grid::line(Row const& row, bool colour) const
{
  std::string line;
  std::size_t gap = 0; // spaces owed before the next text, so that none trail
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    auto const& [heading, align, used] = columns_[i];
    if (used == 0)
      continue;
    auto const& cell = row.cells[i];
    auto const padding = std::max(used, width_of(heading)) - width_of(cell.text);
    if (align == Align::right)
      gap += padding;
    if (!cell.text.empty()) {
      line.append(gap, ' ').append(painted(cell.text, cell.look, colour));
      gap = 0;
    }
    gap += 2 + (align == Align::left ? padding : 0);
  }
  if (!row.rest.text.empty())
    line.append(gap, ' ').append(painted(row.rest.text, row.rest.look, colour));
  return line + "\n";
}

std::string Grid::text(bool colour) const
{
  Row headings;
  for (auto const& column : columns_)
    headings.cells.push_back({column.heading, Look::strong});
  std::string text = line(headings, colour);
  text += painted(std::string(width_of(line(headings, false)) - 1, '-'), Look::faint, colour) +
          "\n";
  for (auto const& row : rows_)
    text += line(row, colour);
  return text;
}

} // namespace strata::report
