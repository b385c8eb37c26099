#pragma once

#include "runtime/share.hpp"

#include <string>

namespace strata::matvec {

/// This rank's part of a rows × cols matrix that is distributed over a grid of ranks, numbered
/// along the grid's rows. A grid of one column is the partition by rows. The vectors are
/// distributed over all ranks: rank (r, c) owns the c-th piece of the outputs of grid row r,
/// and the r-th piece of the inputs of grid column c.
struct Part
{
  runtime::Share down;   ///< this rank's place among the grid's rows
  runtime::Share across; ///< and columns
  index_t rows = 0;      ///< of the whole matrix
  index_t cols = 0;

  [[nodiscard]] index_t first_row() const { return down.begin(rows); }
  [[nodiscard]] index_t my_rows() const { return down.count(rows); }
  [[nodiscard]] index_t first_col() const { return across.begin(cols); }
  [[nodiscard]] index_t my_cols() const { return across.count(cols); }
};

/// All ranks in one column, or for "grid" the squarest grid with no more rows than columns.
Part part_of(std::string const& partition, runtime::Share const& share, index_t rows,
             index_t cols);

/// Whether in y = A x the grid has each rank receive fewer elements than the partition by rows:
/// those of x along a column of ranks and partial sums of y along a row of them, not all of x.
bool grid_receives_less(int ranks, index_t rows, index_t cols);

} // namespace strata::matvec
