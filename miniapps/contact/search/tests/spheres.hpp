#pragma once

#include "grid/grid.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

// Spheres that tests search in different ways.

namespace strata::contact {

/// Spheres in a box of 10 by 10, the last tenth of them without a row, as ghosts are.
struct Spheres
{
  explicit Spheres(index_t count, double radius, bool bonds = false, Broad broad = Broad::grid,
                   double length = 10)
      : rows(count - count / 10)
  {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> place(0, 10);
    for (index_t i = 0; i < count; ++i) {
      for (auto& x : at)
        x.push_back(place(random));
      at[0].back() *= length / 10;
      half.push_back(radius * (1 + place(random) / 10));
      gid.push_back(i);
      body.push_back(bonds ? i / 3 : i);
    }
    coarse.resize(static_cast<std::size_t>(count + CoarseSpheres::padding));
    geometry.at[0] = at[0].data();
    geometry.at[1] = at[1].data();
    geometry.at[2] = at[2].data();
    geometry.half[0] = half.data();
    geometry.gid = gid.data();
    geometry.body = body.data();
    geometry.elements = count;
    geometry.bonded = bonds;
    geometry.quanta = {{0x1p-20, 0x1p20}, {0x1p-20, 0x1p20}};
    grid.bin(geometry, count, Shape::sphere, 4 * radius, broad);
    auto const& sorted = grid.sorted();
    for (index_t slot = 0; slot < count; ++slot) {
      auto& made = coarse[static_cast<std::size_t>(slot)];
      for (int k = 0; k < 3; ++k)
        made.number[k] = static_cast<float>(sorted.at[k][slot]);
      made.number[3] = static_cast<float>(sorted.half[0][slot]);
    }
  }

  std::vector<double> at[3];
  std::vector<double> half;
  std::vector<index_t> gid, body;
  std::vector<Coarse> coarse;
  Geometry geometry;
  Grid grid;
  index_t rows;
};

using Row = std::vector<std::pair<std::int32_t, double>>; ///< neighbours and gaps

/// Of all rows, sorted.
template <class Rows>
std::vector<Row> rows_of(Rows const& rows)
{
  auto const view = rows.view();
  std::vector<Row> all;
  for (index_t i = 0; i < view.rows(); ++i) {
    Row row;
    view.for_each_entry(
        i, [&](auto entry) { row.emplace_back(view.neighbour(entry), view.gap(entry)); });
    std::sort(row.begin(), row.end());
    all.push_back(row);
  }
  return all;
}

/// All with all, by the same test.
inline std::vector<Row> by_all(Spheres const& spheres)
{
  TouchingSpheres const touch{spheres.geometry};
  std::vector<Row> all(static_cast<std::size_t>(spheres.rows));
  for (index_t i = 0; i < spheres.rows; ++i)
    for (index_t j = 0; j < spheres.geometry.elements; ++j)
      if (i != j && touch.near(i, j) && touch.in.counts(i, j))
        all[static_cast<std::size_t>(i)].emplace_back(static_cast<std::int32_t>(j),
                                                      touch.gap(i, j));
  return all;
}

} // namespace strata::contact
