#pragma once

#include "columns.hpp"
#include "geometry.hpp"

#include <cstdint>

namespace strata::contact {

/// Cells in a row along x, one after the other in memory; numbers of the objects in each.
struct Cells
{
  double low[3] = {};
  double per_unit[3] = {}; ///< cells per unit length
  index_t count[3] = {1, 1, 1};
  index_t const* start = nullptr; ///< of a cell's slots; one more than there are cells

  KOKKOS_FUNCTION index_t along(int k, double x) const
  {
    double const at = (x - low[k]) * per_unit[k];
    auto const last = static_cast<double>(count[k] - 1);
    return static_cast<index_t>(fmin(fmax(at, 0.0), last)); // clamped before the cast
  }
  KOKKOS_FUNCTION index_t number(index_t x, index_t y, index_t z) const
  {
    return x + count[0] * (y + count[1] * z);
  }
  KOKKOS_FUNCTION index_t all() const { return count[0] * count[1] * count[2]; }
};

/// The objects sorted into the cells of a uniform grid, whose edge no two objects that are near
/// can span: objects that touch lie in the same or neighbouring cells. Counting sort, cells in
/// order of gid, so that no scheduling shows. Everything is kept for the next call.
class Grid
{
public:
  /// `reach`: the largest distance of two that are near, along an axis.
  void bin(Geometry const& objects, index_t count, Shape shape, double reach);

  [[nodiscard]] Cells const& cells() const { return cells_; }
  /// Positions and sizes in the order of slots; `order` leads to the rest.
  [[nodiscard]] Geometry const& packed() const { return packed_; }
  [[nodiscard]] index_t slots() const { return count_; }
  /// Slot of a local index.
  [[nodiscard]] std::int32_t const* slot_of() const { return place_.data(); }
  [[nodiscard]] index_t bytes() const;

private:
  void choose_cells(Geometry const& objects, double reach);
  void sort(Geometry const& objects);
  void pack(Geometry const& objects, Shape shape);

  index_t count_ = 0;
  Cells cells_;
  Geometry packed_;
  Column<index_t> start_{"cells"};
  Column<std::int32_t> cell_{"cell of object"};
  Column<std::int32_t> place_{"place in cell, then slot"};
  Column<std::int32_t> order_{"slots"};
  Column<double> at_[3] = {Column<double>{"packed x"}, Column<double>{"packed y"},
                           Column<double>{"packed z"}};
  Column<double> half_[3] = {Column<double>{"packed half x"}, Column<double>{"packed half y"},
                             Column<double>{"packed half z"}};
};

/// The smallest box around positions.
struct Box
{
  double low[3] = {INFINITY, INFINITY, INFINITY};
  double high[3] = {-INFINITY, -INFINITY, -INFINITY};

  KOKKOS_FUNCTION Box& operator+=(Box const& other)
  {
    for (int k = 0; k < 3; ++k) {
      low[k] = fmin(low[k], other.low[k]);
      high[k] = fmax(high[k], other.high[k]);
    }
    return *this;
  }
};

/// Around the centres of objects [0, count).
Box centres(Geometry const& objects, index_t count);

} // namespace strata::contact
