#pragma once

#include "tiles/tiles.hpp"

// Algorithms over panels of columns, for more columns than a tile has.

namespace strata::mgs {

/// Columns of a panel, and of a block of products.
inline constexpr index_t panel_width = most_tile_columns;

/// A panel and the columns behind it.
struct PanelStep
{
  ColumnRange panel;
  ColumnRange rest;
  bool again = false; ///< the columns are nearly orthonormal, from an earlier sweep: the
                      ///< panel's rows of R become (U, C)·R

  /// Both.
  [[nodiscard]] KOKKOS_FUNCTION constexpr ColumnRange all() const
  {
    return {panel.first, panel.count + rest.count};
  }
};

class PanelOperations
{
public:
  PanelOperations() = default;
  PanelOperations(PanelOperations const&) = delete;
  PanelOperations& operator=(PanelOperations const&) = delete;
  virtual ~PanelOperations() = default;

  /// Products of a panel with itself and the columns behind it, over all ranks.
  virtual void multiply(PanelStep const& step) = 0;
  /// After `multiply`: Cholesky's U of the panel's products with itself, C = U⁻ᵀ·(those with
  /// the rest), and the panel's rows of R.
  virtual void factor(PanelStep const& step) = 0;
  /// panel = panel·U⁻¹, its products with itself over all ranks, their U, C = U⁻ᵀ·C.
  virtual void refine(PanelStep const& step) = 0;
  /// The same with C from products of the refined panel with the rest. Does nothing unless the
  /// panel's first U needed a shift, or C's rounding could grow in U⁻ᵀ. Its sum over ranks is
  /// not counted.
  virtual void repair(PanelStep const& step) = 0;
  /// panel = panel·U⁻¹, rest -= panel·C, and products of `next`, the first of the rest, with
  /// the rest, over all ranks.
  virtual void update(PanelStep const& step, ColumnRange const& next) = 0;

  /// Whether the three below are there.
  [[nodiscard]] virtual bool has_all_at_once() const = 0;
  /// Products of all columns with each other, over all ranks.
  virtual void multiply_all() = 0;
  /// After `multiply_all`: Cholesky's U of the products, U⁻¹, and R = U, or U·R if `again`.
  /// Returns whether rounding grows little enough in U⁻¹ to divide by it: if not, R is what it
  /// was. That of `again`, of nearly orthonormal columns, always is.
  virtual bool factor_all(bool again) = 0;
  /// All columns = columns·U⁻¹.
  virtual void divide_all() = 0;
};

/// Block modified Gram-Schmidt, each panel by CholeskyQR twice. Source: Golub and Van Loan,
/// section 5.2; Barlow 2019 and Carson, Lund, Rozložník and Thomas 2022 for its loss of
/// orthogonality, which is MGS' where panels are orthonormal to rounding and C = Qᵀ·rest is
/// found to rounding: of a panel whose products with the rest are those from before its
/// division, where U⁻ᵀ lets their rounding grow little.
void blocked_panels(PanelOperations& on, index_t columns);

/// CholeskyQR of all columns at once, twice, where a device has it and rounding grows little in
/// the first factor: see cholesky_twice. Else `blocked_panels`, then once more with each panel
/// by CholeskyQR once. Source: Giraud and Langou 2002: what MGS leaves of columns that are not
/// numerically dependent is well conditioned.
void cholesky_panels(PanelOperations& on, index_t columns);

} // namespace strata::mgs
