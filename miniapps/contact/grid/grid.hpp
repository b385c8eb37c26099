#pragma once

#include "cell_table.hpp"
#include "coarse.hpp"
#include "device_vector.hpp"
#include "geometry.hpp"

#include <cstdint>

namespace strata::contact {

/// How the candidates of a contact are found.
enum class Broad
{
  grid, ///< a uniform grid, its cells larger than the reach where objects are few
  hash, ///< cells of the reach, wrapped around a table of two to four places per object
  brute ///< all with all
};

/// The objects sorted into cells, whose edge is larger than the distance of any two that touch:
/// those lie in the same cell or in neighbours. Counting sort; slots of a cell are in the order
/// of gid, so that the result does not depend on scheduling. Memory is kept for the next call.
/// The table of `hash` is that of S. Green, "Particle Simulation using CUDA" (2010), its grid
/// without bounds.
class Grid
{
public:
  /// `reach`: the largest distance along an axis of two objects that are near.
  void bin(Geometry const& objects, index_t count, Shape shape, double reach, Broad broad);

  [[nodiscard]] Cells const& cells() const { return cells_; }
  /// Positions and sizes in the order of slots; all else by `order`. `Geometry::padding` more
  /// numbers may be read behind the last slot.
  [[nodiscard]] Geometry const& sorted() const { return sorted_; }
  [[nodiscard]] index_t slots() const { return count_; }
  /// Slot of a local index.
  [[nodiscard]] std::int32_t const* slot_of() const { return place_.data(); }
  /// Tests of spheres in the order of slots, where they are the objects and a device tests by
  /// them.
  [[nodiscard]] CoarseSpheres coarse(double gap) const
  {
    return coarse_spheres(coarse_.data(), size_, reach_, gap);
  }
  static constexpr index_t coarse_bytes_per_object = device_is_host ? 0 : sizeof(Coarse);
  [[nodiscard]] index_t bytes() const;

private:
  void choose_cells(Geometry const& objects, double reach, Broad broad);
  void sort(Geometry const& objects);
  void gather(Geometry const& objects, Shape shape);

  index_t count_ = 0;
  Cells cells_;
  Geometry sorted_;
  double reach_ = 0;
  double size_ = 0; ///< of the box of all
  DeviceVector<std::int32_t> start_{"cells"};
  DeviceVector<std::int32_t> cell_{"cell of object"};
  DeviceVector<std::int32_t> place_{"place in cell, then slot"};
  DeviceVector<std::int32_t> order_{"slots"};
  DeviceVector<std::int32_t> crowded_{"crowded cells"};
  DeviceVector<double> at_[3] = {"sorted x", "sorted y", "sorted z"};
  DeviceVector<double> half_[3] = {"sorted half x", "sorted half y", "sorted half z"};
  DeviceVector<Coarse> coarse_{"sorted in single precision"};
};

/// The bounding box of the centres of objects [0, count).
Box centres(Geometry const& objects, index_t count);

} // namespace strata::contact
