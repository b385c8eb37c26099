#pragma once

#include "cell_table.hpp"
#include "device_vector.hpp"
#include "geometry.hpp"

#include <cstdint>

namespace strata::contact {

/// How the candidates of a contact are found.
enum class Broad
{
  grid, ///< a uniform grid, its cells larger than the reach where objects are few
  hash, ///< cells of the reach, wrapped around a table of about two places an object
  brute ///< all with all
};

/// The objects sorted into cells whose edge no two objects that are near can span: objects that
/// touch lie in the same or neighbouring cells. Counting sort, places of the table in order of
/// gid, so that no scheduling shows. Everything is kept for the next call. The table of `hash`
/// is that of S. Green, "Particle Simulation using CUDA" (2010), its grid without bounds.
class Grid
{
public:
  /// `reach`: the largest distance of two that are near, along an axis.
  void bin(Geometry const& objects, index_t count, Shape shape, double reach, Broad broad);

  [[nodiscard]] Cells const& cells() const { return cells_; }
  /// Positions and sizes in the order of slots; `order` leads to the rest. Behind the last slot
  /// there is memory for reading another `Geometry::padding`.
  [[nodiscard]] Geometry const& sorted() const { return sorted_; }
  [[nodiscard]] index_t slots() const { return count_; }
  /// Slot of a local index.
  [[nodiscard]] std::int32_t const* slot_of() const { return place_.data(); }
  [[nodiscard]] index_t bytes() const;

private:
  void choose_cells(Geometry const& objects, double reach, Broad broad);
  void sort(Geometry const& objects);
  void gather(Geometry const& objects, Shape shape);

  index_t count_ = 0;
  Cells cells_;
  Geometry sorted_;
  DeviceVector<index_t> start_{"cells"};
  DeviceVector<std::int32_t> cell_{"cell of object"};
  DeviceVector<std::int32_t> place_{"place in cell, then slot"};
  DeviceVector<std::int32_t> order_{"slots"};
  DeviceVector<double> at_[3] = {DeviceVector<double>{"sorted x"},
                                 DeviceVector<double>{"sorted y"},
                                 DeviceVector<double>{"sorted z"}};
  DeviceVector<double> half_[3] = {DeviceVector<double>{"sorted half x"},
                                   DeviceVector<double>{"sorted half y"},
                                   DeviceVector<double>{"sorted half z"}};
};

/// Around the centres of objects [0, count).
Box centres(Geometry const& objects, index_t count);

} // namespace strata::contact
