#pragma once

#include "array/layout/layout.hpp"
#include "driver/axis.hpp"
#include "driver/miniapp.hpp"
#include "matrix/matrix.hpp"
#include "panels/panels.hpp"
#include "rows/factor.hpp"
#include "rows/launches.hpp"
#include "rows/row_launches.hpp"
#include "tiles/tiles.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace strata::mgs {

/// The layouts on offer; tiles of 32 rows hold whole packs of hosts and whole warps of GPUs.
using SpanLayouts = driver::Axis<LayoutLeft, LayoutRight, LayoutTiled<32>>;

/// The best layout for vector operations on every device: contiguous columns.
using LayoutBest = LayoutLeft;

/// One combination of the axes, by the deck's words; the layout is never `default`.
struct Choice
{
  std::string algorithm, variant, layout, results;
  std::string scalar = "double";
};

/// The multivector of one case, this rank's part of it and the communicator.
struct Problem
{
  Matrix matrix;
  index_t first = 0; ///< this rank's first row
  index_t count = 0; ///< this rank's number of rows
  runtime::Communicator world = runtime::Communicator::self();
  runtime::GpuAware gpu_aware = {"auto", "staged", ""};
  bool added_by_library = false; ///< sums over rows are a library's, in an order of its own
};

/// Loss of orthogonality of an algorithm: ‖QᵀQ − I‖ is eps times this power of the condition
/// number.
enum class Stability
{
  orthogonal,   ///< 0
  proportional, ///< 1: MGS
  squared       ///< 2: CGS
};

/// An algorithm by its deck name.
struct Algorithm
{
  char const* name;
  Stability stability;
  void (*by_rows)(RowOperations&, index_t columns);     ///< or null
  void (*by_tiles)(TileOperations&, index_t columns);   ///< or null; of as many as a tile holds
  void (*by_panels)(PanelOperations&, index_t columns); ///< of more; set where by_tiles is
  bool keeps_products;                                  ///< needs a Factor with products
  bool reflects; ///< Householder's: R's diagonal has either sign, errors mix between rows
};
std::vector<Algorithm> const& algorithms();
Algorithm const& algorithm(std::string const& name);
/// The same of all columns at once, however many, as libraries have it.
Algorithm const& whole_algorithm(std::string const& name);

/// Greatest number of columns of a rest that PanelOperations::update changes and multiplies in
/// one pass on this device, which must have been initialised; 0: none.
index_t most_in_one_pass();
/// Whether `cholesky2` divides by U⁻¹ of all columns, on every rank: where the device can, it
/// is faster, and the condition is known to be so small that rounding grows little in U⁻¹. Asks
/// no device.
bool divides_by_inverses(Problem const& problem);

/// Pooled memory of the multivector.
driver::Slot slot(Problem const& problem, index_t bytes_of_element = sizeof(double));

// Makers of the trials; empty where a combination is not measured.
driver::Maker row_maker(Choice const& choice, Problem const& problem);
driver::Maker tile_maker(Choice const& choice, Problem const& problem);
driver::Maker view_maker(Choice const& choice, Problem const& problem);
driver::Maker native_maker(Choice const& choice, Problem const& problem);
driver::Maker vendor_maker(Choice const& choice, Problem const& problem);
driver::Maker pointer_maker(Choice const& choice, Problem const& problem);

/// Memory of the rows of a case of pointer_maker.
index_t pointer_bytes(Problem const& problem);

/// Why the vendor's factorisation cannot run; empty where it can.
std::string vendor_unavailable(Choice const& choice, Problem const& problem);

} // namespace strata::mgs
