#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace strata::report {

/// How a piece of text looks on a terminal that shows colour.
enum class Look
{
  plain,
  strong,
  faint,
  good,
  bad,
  warning
};

/// `text` in that look, or unchanged where there is no colour.
std::string painted(std::string_view text, Look look, bool colour);

struct Cell
{
  std::string text;
  Look look = Look::plain;
};

/// Text in aligned columns, two spaces apart, as wide as its content needs.
class Grid
{
public:
  enum class Align
  {
    left,
    right
  };

  /// Columns come left to right; the heading follows the column's alignment.
  void column(std::string heading, Align align);

  /// One cell per column.
  void row(std::vector<Cell> cells);

  /// Cells of the first columns, then free text in place of the others.
  void row(std::vector<Cell> cells, Cell rest);

  /// The headings, a rule and the rows, each line ended and without trailing spaces. A column
  /// whose cells are all empty is left out.
  [[nodiscard]] std::string text(bool colour) const;

private:
  struct Column
  {
    std::string heading;
    Align align;
    std::size_t width = 0; ///< of the cells
  };

  struct Row
  {
    std::vector<Cell> cells;
    Cell rest;
  };

  void widen(std::vector<Cell> const& cells);
  [[nodiscard]] std::string line(Row const& row, bool colour) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

} // namespace strata::report
