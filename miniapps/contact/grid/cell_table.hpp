#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <cmath>
#include <cstdint>

namespace strata::contact {

/// The smallest box around positions.
struct Box
{
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
  double high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};

  KOKKOS_FUNCTION Box& operator+=(Box const& other)
  {
    for (int k = 0; k < 3; ++k) {
      low[k] = other.low[k] < low[k] ? other.low[k] : low[k];
      high[k] = other.high[k] > high[k] ? other.high[k] : high[k];
    }
    return *this;
  }
};

/// The cells of a grid and the slots of the objects in each; cells along x are contiguous in
/// memory. If there are more cells than places in the table, cells are wrapped around it:
/// distant cells may share a place; neighbours never do, since a wrapped axis has at least four
/// places.
struct Cells
{
  double low[3] = {};
  double per_unit[3] = {};             ///< cells per unit length
  index_t count[3] = {1, 1, 1};        ///< cells
  index_t places[3] = {1, 1, 1};       ///< of the table: the cells, or a power of two
  index_t mask[3] = {-1, -1, -1};      ///< of a cell's number for its place
  index_t beside = 1;                  ///< cells to either side that are near
  std::int32_t const* start = nullptr; ///< of a place's slots; one more than there are places

  KOKKOS_FUNCTION index_t along(int k, double x) const
  {
    double const at = (x - low[k]) * per_unit[k];
    auto const last = static_cast<double>(count[k] - 1);
    return static_cast<index_t>(at > 0 ? (at < last ? at : last) : 0); // clamped, then cast
  }
  KOKKOS_FUNCTION index_t place_along(int k, double x) const { return along(k, x) & mask[k]; }
  KOKKOS_FUNCTION index_t place(index_t x, index_t y, index_t z) const
  {
    return (x & mask[0]) + places[0] * ((y & mask[1]) + places[1] * (z & mask[2]));
  }
  KOKKOS_FUNCTION index_t all() const { return places[0] * places[1] * places[2]; }

  /// Calls f(first, last) for the ranges of slots in the cells around a position: one range per
  /// row of cells along x, two where the row wraps around the table.
  template <class F>
  KOKKOS_FUNCTION void for_each_stretch(double x, double y, double z, F const& f) const
  {
    index_t const cell[3] = {along(0, x), along(1, y), along(2, z)};
    for (index_t k = first_near(cell, 2); k <= last_near(cell, 2); ++k)
      for (index_t j = first_near(cell, 1); j <= last_near(cell, 1); ++j)
        line(first_near(cell, 0), last_near(cell, 0), j, k, f);
  }
  /// The same for half of these cells, so that every pair of slots occurs once: in the
  /// position's own cell only the slots after `slot`, which is at that position. Cells must not
  /// be wrapped.
  template <class F>
  KOKKOS_FUNCTION void for_each_stretch_behind(index_t slot, double x, double y, double z,
                                               F const& f) const
  {
    index_t const cell[3] = {along(0, x), along(1, y), along(2, z)};
    f(slot + 1, start[place(last_near(cell, 0), cell[1], cell[2]) + 1]);
    for (index_t k = cell[2]; k <= last_near(cell, 2); ++k)
      for (index_t j = k > cell[2] ? first_near(cell, 1) : cell[1] + 1; j <= last_near(cell, 1);
           ++j)
        line(first_near(cell, 0), last_near(cell, 0), j, k, f);
  }

  /// The end of the slots in a position's line of cells along x.
  KOKKOS_FUNCTION std::int32_t end_of_line(double y, double z) const
  {
    return start[place(0, along(1, y), along(2, z)) + places[0]];
  }
  /// Whether distant cells of an axis share a place.
  KOKKOS_FUNCTION bool is_wrapped(int k) const { return places[k] < count[k]; }

  KOKKOS_FUNCTION index_t first_near(index_t const (&cell)[3], int k) const
  {
    return cell[k] > beside ? cell[k] - beside : 0;
  }
  KOKKOS_FUNCTION index_t last_near(index_t const (&cell)[3], int k) const
  {
    return cell[k] + beside < count[k] ? cell[k] + beside : count[k] - 1;
  }
  template <class F>
  KOKKOS_FUNCTION void line(index_t first_x, index_t last_x, index_t y, index_t z,
                            F const& f) const
  {
    index_t const first = place(first_x, y, z);
    index_t const last = place(last_x, y, z);
    if (first <= last) {
      f(start[first], start[last + 1]);
    } else {
      index_t const line = place(0, y, z);
      f(start[first], start[line + places[0]]);
      f(start[line], start[last + 1]);
    }
  }
};

/// The stretches of Cells::for_each_stretch one at a time, for work items that go from each to
/// the next together. Places have 32 bits: a table has fewer than 2^31.
class NearStretches
{
public:
  KOKKOS_FUNCTION NearStretches(Cells const& cells, double x, double y, double z)
      : cells_(cells)
  {
    index_t const cell[3] = {cells.along(0, x), cells.along(1, y), cells.along(2, z)};
    first_x_ = masked(0, cells.first_near(cell, 0));
    last_x_ = masked(0, cells.last_near(cell, 0));
    y_ = first_y_ = static_cast<std::uint32_t>(cells.first_near(cell, 1));
    z_ = static_cast<std::uint32_t>(cells.first_near(cell, 2));
    lines_ = static_cast<std::uint32_t>(cells.last_near(cell, 1)) - first_y_ + 1;
    left_ = lines_ * (static_cast<std::uint32_t>(cells.last_near(cell, 2)) - z_ + 1);
  }
  /// Those around all positions of one line of cells from the cell of `x` to that of `last_x`.
  /// Where cells share places, others of the line may lie elsewhere along y and z.
  static KOKKOS_FUNCTION NearStretches of_line(Cells const& cells, double x, double last_x,
                                               double y, double z)
  {
    NearStretches near(cells, x, y, z);
    index_t const beside = cells.beside;
    index_t const cell[3] = {cells.along(0, last_x), cells.along(1, y), cells.along(2, z)};
    near.last_x_ = near.masked(0, cells.last_near(cell, 0));
    if (cells.is_wrapped(0)) {
      index_t const first = cells.place_along(0, x) - beside;
      index_t const last = cells.place_along(0, last_x) + beside;
      bool const are_all = last - first + 1 >= cells.places[0];
      near.first_x_ = are_all ? 0 : near.masked(0, first);
      near.last_x_ = are_all ? near.width(0) - 1 : near.masked(0, last);
    }
    if (cells.is_wrapped(1)) {
      near.y_ = near.first_y_ = near.masked(1, cell[1] - beside);
      near.lines_ = static_cast<std::uint32_t>(2 * beside + 1);
    }
    index_t planes = cells.last_near(cell, 2) - cells.first_near(cell, 2) + 1;
    if (cells.is_wrapped(2)) {
      near.z_ = near.masked(2, cell[2] - beside);
      planes = 2 * beside + 1;
    }
    near.left_ = near.lines_ * static_cast<std::uint32_t>(planes);
    return near;
  }
  /// Sets the next one, and returns false where there was none.
  KOKKOS_FUNCTION bool next(std::int32_t& first, std::int32_t& last)
  {
    if (around_) { // the end of the last one, where the table begins
      around_ = false;
      first = cells_.start[line_];
      last = cells_.start[line_ + last_x_ + 1];
      return true;
    }
    if (left_ == 0)
      return false;
    --left_;
    line_ = width(0) * (masked(1, y_) + width(1) * masked(2, z_));
    around_ = last_x_ < first_x_;
    first = cells_.start[line_ + first_x_];
    last = cells_.start[line_ + (around_ ? width(0) : last_x_ + 1)];
    if (++y_ - first_y_ == lines_) {
      y_ = first_y_;
      ++z_;
    }
    return true;
  }

  /// The most that there are, of which some may be empty: two of each of nine lines.
  static constexpr int most = 18;
  /// How many there are, before the first call of next().
  [[nodiscard]] KOKKOS_FUNCTION int count() const { return static_cast<int>(2 * left_); }
  /// Sets the n-th of them, which may be empty, before the first call of next().
  KOKKOS_FUNCTION void get(int n, std::int32_t& first, std::int32_t& last) const
  {
    auto const number = static_cast<std::uint32_t>(n) / 2;
    std::uint32_t const line = width(0) * (masked(1, y_ + number % lines_) +
                                           width(1) * masked(2, z_ + number / lines_));
    bool const around = last_x_ < first_x_;
    bool const again = n % 2 != 0;
    first = cells_.start[line + (again ? 0 : first_x_)];
    last = again && !around ? first
                            : cells_.start[line + (around && !again ? width(0) : last_x_ + 1)];
  }

private:
  KOKKOS_FUNCTION std::uint32_t masked(int k, index_t cell) const
  {
    return static_cast<std::uint32_t>(cell & cells_.mask[k]);
  }
  KOKKOS_FUNCTION std::uint32_t width(int k) const
  {
    return static_cast<std::uint32_t>(cells_.places[k]);
  }

  Cells const& cells_;
  std::uint32_t first_x_, last_x_; ///< places
  std::uint32_t first_y_, lines_;  ///< of each z
  std::uint32_t y_, z_, left_;     ///< of the next one
  std::uint32_t line_ = 0;
  bool around_ = false;
};

/// At most 4 cells per object and 64 more. If `edge` would give more, cells are larger, which
/// costs tests but loses no contact.
Cells bounded_cells(Box const& box, double edge, index_t objects);

/// All cells of that edge, wrapped around a table whose sizes are powers of two: two to four
/// places per object, with the longest axes wrapped. Axes have at most 2^31 cells, whose
/// numbers are then exact within the margin.
Cells wrapped_cells(Box const& box, double edge, index_t objects);

/// One row of cells in which all are neighbours of each other.
Cells one_neighbourhood(Cells const& cells);

} // namespace strata::contact
