#include "cell_table.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace strata::contact {

namespace {

/// Cells with that edge that cover a box.
Cells cells_around(Box const& box, double edge)
{
  Cells cells;
  for (int k = 0; k < 3; ++k) {
    cells.low[k] = box.low[k];
    cells.per_unit[k] = 1 / edge;
    cells.count[k] = static_cast<index_t>(std::floor((box.high[k] - box.low[k]) / edge)) + 1;
    cells.places[k] = cells.count[k];
  }
  return cells;
}

} // namespace

Cells bounded_cells(Box const& box, double edge, index_t objects)
{
  double const most = std::min(4 * static_cast<double>(objects) + 64, 0x1p31 - 1);
  for (;; edge *= 1.26) {
    double all = 1;
    for (int k = 0; k < 3; ++k)
      all *= std::floor((box.high[k] - box.low[k]) / edge) + 1;
    if (all <= most)
      return cells_around(box, edge);
  }
}

Cells wrapped_cells(Box const& box, double edge, index_t objects)
{
  for (int k = 0; k < 3; ++k)
    edge = std::max(edge, (box.high[k] - box.low[k]) * 0x1p-31);
  auto cells = cells_around(box, edge);
  auto const power = [](index_t n) {
    return static_cast<index_t>(std::bit_ceil(static_cast<std::uint64_t>(n)));
  };
  auto const most = static_cast<double>(std::clamp<index_t>(2 * power(objects), 64, 1 << 30));
  for (int k = 0; k < 3; ++k)
    cells.places[k] = power(cells.count[k]);
  auto const all = [&] {
    return static_cast<double>(cells.places[0]) * static_cast<double>(cells.places[1]) *
           static_cast<double>(cells.places[2]);
  };
  while (all() > most)
    *std::max_element(cells.places, cells.places + 3) /= 2;
  for (int k = 0; k < 3; ++k)
    cells.mask[k] = cells.places[k] - 1;
  return cells;
}

Cells one_neighbourhood(Cells const& cells)
{
  Cells line;
  line.count[0] = line.places[0] = line.beside = cells.all();
  line.start = cells.start;
  return line;
}

} // namespace strata::contact
