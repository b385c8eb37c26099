#include "geometry.hpp"

#include "array/access/bits.hpp"
#include "base/error.hpp"
#include "base/kokkos.hpp"
#include "base/text.hpp"
#include "driver/axis.hpp"

#include <algorithm>
#include <cmath>

namespace strata::stream {

namespace {

/// Elements in the size of a double, of the widest scalar in the deck.
index_t elements_per_double(Config const& config)
{
  if (std::ranges::all_of(config.access,
                          [](auto const& one) { return one == driver::word_of<AccessBits>(); }))
    return word_bits;
  std::size_t widest = sizeof(bool);
  for (auto const& scalar : config.scalar)
    if (scalar != "bool")
      widest =
          std::max(widest, driver::with_scalar(scalar, [&]<class T>() { return sizeof(T); }));
  return static_cast<index_t>(sizeof(double) / widest);
}

/// Elements of one array over all ranks.
index_t requested_size(Config const& config, driver::Setting const& setting)
{
  constexpr auto word = static_cast<index_t>(sizeof(double));
  if (config.size)
    return *config.size;
  if (config.size_bytes)
    return *config.size_bytes / word;
  auto const kinds = device_is_host ? static_cast<double>(config.pages.size()) : 1;
  index_t const per_rank = // three arrays of each page size
      setting.array_bytes(config.memory_fraction, 3 * kinds, setting.beyond_cache()) / word *
      elements_per_double(config);
  constexpr index_t whole = 512; // a page of doubles: every rank's part is whole packs
  return per_rank / whole * whole * setting.share.ranks;
}

/// Equal sizes per index, at most `size` elements in all; multiples of 16 where large enough,
/// so that rows are whole packs.
void size_equally(Geometry& geometry, index_t size)
{
  auto edge = static_cast<index_t>(
      std::floor(std::pow(static_cast<double>(size), 1.0 / geometry.rank) * (1 + 1e-12)));
  if (geometry.rank > 1 && edge >= 32)
    edge = edge / 16 * 16;
  for (int r = 0; r < geometry.rank; ++r)
    geometry.global[static_cast<std::size_t>(r)] = geometry.rank == 1 ? size : edge;
}

/// Elements of the first `rows` rows.
index_t elements_of(Geometry const& geometry, index_t rows)
{
  index_t elements = 0;
  if (geometry.lengths.longest > 0) {
    for (index_t row = 0; row < rows; ++row)
      elements += geometry.lengths(row);
    return elements;
  }
  elements = rows;
  for (int r = 1; r < geometry.rank; ++r)
    elements *= geometry.global[static_cast<std::size_t>(r)];
  return elements;
}

} // namespace

Geometry geometry_of(std::string const& shape, Config const& config,
                     driver::Setting const& setting)
{
  auto const& share = setting.share;
  index_t const size = requested_size(config, setting);
  Geometry geometry;
  if (shape == "ragged") { // so many rows that their expected total is the size
    geometry.lengths = {config.shortest_row, config.longest_row, setting.seed};
    geometry.global[0] = 2 * size / (config.shortest_row + config.longest_row);
  } else {
    geometry.rank = shape[0] - '0';
    size_equally(geometry, size);
  }
  geometry.first = share.begin(geometry.global[0]);
  geometry.rows = share.count(geometry.global[0]);
  if (geometry.global[0] < share.ranks)
    throw Error(Exit::deck, "shape " + shape + " has " +
                                text::plural(geometry.global[0], "row") + " for " +
                                text::plural(share.ranks, "rank") +
                                "; raise problem.size or use fewer ranks");
  geometry.first_element = elements_of(geometry, geometry.first);
  geometry.elements =
      elements_of(geometry, geometry.first + geometry.rows) - geometry.first_element;
  geometry.lengths.first = geometry.first;
  return geometry;
}

report::Facts problem_of(Geometry const& geometry)
{
  static constexpr std::array names{"rows", "size_1", "size_2", "size_3"};
  report::Facts problem;
  for (int r = 0; r < geometry.rank; ++r)
    problem.push_back({names[static_cast<std::size_t>(r)],
                       std::to_string(geometry.global[static_cast<std::size_t>(r)])});
  if (geometry.lengths.longest > 0) {
    problem.push_back({"shortest_row", std::to_string(geometry.lengths.shortest)});
    problem.push_back({"longest_row", std::to_string(geometry.lengths.longest)});
  }
  return problem;
}

} // namespace strata::stream
