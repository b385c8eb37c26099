#pragma once

#include "tiles/tiles.hpp"

// Algorithms over panels of columns, for more columns than a tile has.

namespace strata::mgs {

/// Columns of a panel, and of a block of products.
inline constexpr index_t panel_width = most_tile_columns;
/// Greatest number of columns onto which `project` projects at once.
inline constexpr index_t most_projected = 4 * panel_width;

class ByPanels
{
public:
  ByPanels() = default;
  ByPanels(ByPanels const&) = delete;
  ByPanels& operator=(ByPanels const&) = delete;
  virtual ~ByPanels() = default;

  /// CholeskyQR of a panel, twice; `again`, of one that is nearly orthonormal: once. R's block
  /// of the panel becomes its U, or U times what it was.
  virtual void orthonormalise(ColumnRange const& panel, bool again) = 0;
  /// columns -= Q·S with S = Qᵀ·columns over all ranks and Q the orthonormal columns `onto`, at
  /// most `most_projected`. R's block becomes S; `again`, with `columns` a panel that has been
  /// orthonormalised: S times the panel's own block of R is added to it.
  virtual void project(ColumnRange const& onto, ColumnRange const& columns, bool again) = 0;
};

/// Block modified Gram-Schmidt. Source: Golub and Van Loan, section 5.2; Barlow 2019 and
/// Carson, Lund, Rozložník and Thomas 2022 for its loss of orthogonality, which is MGS' where
/// panels are orthonormal to rounding.
void blocked_panels(ByPanels& on, index_t columns);

/// Block classical Gram-Schmidt with reorthogonalisation, each panel by CholeskyQR, twice. On
/// more than `most_projected` columns a panel is projected part after part, whose coefficients
/// fit a GPU's scratch memory. Source: Barlow and Smoktunowicz 2013.
void cholesky_panels(ByPanels& on, index_t columns);

} // namespace strata::mgs
