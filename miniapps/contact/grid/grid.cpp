#include "grid.hpp"

#include "order_crowded.hpp"

#include "array/launch/elementwise.hpp"
#include "array/launch/for_each.hpp"
#include "array/launch/reduce.hpp"
#include "array/launch/scan.hpp"
#include "array/launch/team.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <limits>

namespace strata::contact {

namespace {

struct AddCentre
{
  static constexpr char const* name() { return "strata::contact::AddCentre"; }
  Geometry in;

  KOKKOS_FUNCTION void operator()(Box& box, index_t i) const
  {
    Box one;
    for (int k = 0; k < 3; ++k)
      one.low[k] = one.high[k] = in.at[k][i];
    box += one;
  }
};

/// Counts the objects of each cell. The place of an object in its cell is the order of arrival.
struct CountObjects
{
  static constexpr char const* name() { return "strata::contact::CountObjects"; }
  Geometry in;
  Cells cells;
  std::int32_t* counts;
  std::int32_t* cell;
  std::int32_t* place;

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    index_t const c = cells.place(cells.along(0, in.at[0][i]), cells.along(1, in.at[1][i]),
                                  cells.along(2, in.at[2][i]));
    cell[i] = static_cast<std::int32_t>(c);
    place[i] = Kokkos::atomic_fetch_add(counts + c, 1);
  }
};

struct PlaceObjects
{
  static constexpr char const* name() { return "strata::contact::PlaceObjects"; }
  std::int32_t const* start;
  std::int32_t const* cell;
  std::int32_t const* place;
  std::int32_t* order;

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    order[start[cell[i]] + place[i]] = static_cast<std::int32_t>(i);
  }
};

/// The order of a cell's objects: by gid, and the images of one object by position.
struct ObjectOrder
{
  Geometry in;

  KOKKOS_FUNCTION bool operator()(std::int32_t a, std::int32_t b) const
  {
    return in.gid[a] != in.gid[b] ? in.gid[a] < in.gid[b] : of_images(a, b);
  }
  KOKKOS_FUNCTION bool of_images(std::int32_t a, std::int32_t b) const
  {
    for (int k = 0; k < 2; ++k)
      if (in.at[k][a] != in.at[k][b])
        return in.at[k][a] < in.at[k][b];
    return in.at[2][a] < in.at[2][b];
  }
};

/// Sorts the objects of a cell: by insertion where they are few, as in most cells. A device
/// lists the others.
struct OrderCell
{
  static constexpr char const* name() { return "strata::contact::OrderCell"; }
  static constexpr index_t few = 32;

  ObjectOrder before;
  std::int32_t const* start;
  std::int32_t* order;
  std::int32_t* crowded; ///< cells
  std::int32_t* count;   ///< of crowded

  KOKKOS_FUNCTION void operator()(index_t cell) const
  {
    std::int32_t* const first = order + start[cell];
    index_t const objects = start[cell + 1] - start[cell];
    if (objects > few) {
      if constexpr (device_is_host)
        std::sort(first, first + objects, before);
      else
        crowded[Kokkos::atomic_fetch_add(count, 1)] = static_cast<std::int32_t>(cell);
      return;
    }
    for (index_t i = 1; i < objects; ++i) {
      std::int32_t const moved = first[i];
      index_t hole = i;
      for (; hole > 0 && before(moved, first[hole - 1]); --hole)
        first[hole] = first[hole - 1];
      first[hole] = moved;
    }
  }
};

struct GatherObjects
{
  static constexpr char const* name() { return "strata::contact::GatherObjects"; }
  Geometry in;
  std::int32_t const* order;
  std::int32_t* slot_of;
  double* at[3];
  double* half[3];
  int halves;
  Coarse* coarse; ///< or null
  double low[3];  ///< what coarse positions are counted from

  KOKKOS_FUNCTION void operator()(index_t slot) const
  {
    index_t const i = order[slot];
    slot_of[i] = static_cast<std::int32_t>(slot);
    for (int k = 0; k < 3; ++k)
      at[k][slot] = in.at[k][i];
    for (int k = 0; k < halves; ++k)
      half[k][slot] = in.half[k][i];
    if (coarse != nullptr) {
      Coarse made;
      for (int k = 0; k < 3; ++k)
        made.number[k] = static_cast<float>(in.at[k][i] - low[k]);
      made.number[3] = static_cast<float>(in.half[0][i]);
      coarse[slot] = made;
    }
  }
};

/// The ratio of a cell's edge to the reach. It is larger than 1, so that no rounding of the
/// index separates two that touch by more than one cell: with an edge of the reach itself 430
/// of 205,558 exact ties were lost (contact.md section 1).
constexpr double margin = 1 + 0x1p-20;

} // namespace

Box centres(Geometry const& objects, index_t count)
{
  return reduced<Box>(in_order_of<LayoutRight>(Dynamic<1>(count)), AddCentre{objects});
}

void Grid::bin(Geometry const& objects, index_t count, Shape shape, double reach, Broad broad)
{
  STRATA_CHECK(count <= std::numeric_limits<std::int32_t>::max(),
               "one rank has more than 2^31-1 objects, its own and those near it; use more "
               "ranks");
  count_ = count;
  reach_ = reach;
  sorted_ = objects;
  choose_cells(objects, reach, broad);
  sort(objects);
  gather(objects, shape);
  if (broad == Broad::brute)
    cells_ = one_neighbourhood(cells_);
}

void Grid::choose_cells(Geometry const& objects, double reach, Broad broad)
{
  Box const box = count_ > 0 ? centres(objects, count_) : Box{{0, 0, 0}, {0, 0, 0}};
  size_ = 0;
  for (int k = 0; k < 3; ++k)
    size_ = std::max(size_, box.high[k] - box.low[k]);
  double const edge = std::max(reach * margin, 0x1p-1000);
  cells_ = broad == Broad::hash ? wrapped_cells(box, edge, count_)
                                : bounded_cells(box, edge, count_);
}

void Grid::sort(Geometry const& objects)
{
  index_t const cells = cells_.all();
  std::int32_t* const start = start_.reserve(cells + 2); // the last counts crowded cells
  std::int32_t* const cell = cell_.reserve(count_);
  std::int32_t* const place = place_.reserve(count_);
  std::int32_t* const order = order_.reserve(count_);
  cells_.start = start;
  OffsetsOn<std::int32_t, Device> const counts(start, Dynamic<1>(cells + 1));
  OffsetsOn<std::int32_t, Device> const all(start, Dynamic<1>(cells + 2));
  for_each(cells + 2, Set<decltype(all)>{all, 0}, write_packs<std::int32_t, LayoutRight>);
  for_each(count_, CountObjects{objects, cells_, start, cell, place});
  scan(counts, counts);
  for_each(count_, PlaceObjects{start, cell, place, order});
  std::int32_t* const crowded =
      device_is_host ? nullptr : crowded_.reserve(count_ / OrderCell::few + 1);
  for_each(cells, OrderCell{{objects}, start, order, crowded, start + cells + 1});
  if constexpr (!device_is_host) {
    using Order = OrderCrowdedCells<ObjectOrder>;
    index_t const teams = teams_of_device<Order>();
    for_each_team<Order::members>(
        teams, Order{{objects}, start, order, crowded, start + cells + 1, teams});
  }
}

void Grid::gather(Geometry const& objects, Shape shape)
{
  GatherObjects kernel{
      objects, order_.data(), place_.data(), {}, {}, shape == Shape::sphere ? 1 : 3, nullptr,
      {}};
  if (coarse_bytes_per_object > 0 && shape == Shape::sphere)
    kernel.coarse = coarse_.reserve(count_ + CoarseSpheres::padding);
  for (int k = 0; k < 3; ++k) {
    kernel.low[k] = cells_.low[k];
    sorted_.at[k] = kernel.at[k] = at_[k].reserve(count_ + Geometry::padding);
    sorted_.half[k] = kernel.half[k] =
        half_[k].reserve(k < kernel.halves ? count_ + Geometry::padding : 0);
  }
  sorted_.order = order_.data();
  for_each(count_, kernel);
}

index_t Grid::bytes() const
{
  index_t sum = start_.bytes() + cell_.bytes() + place_.bytes() + order_.bytes() +
                crowded_.bytes() + coarse_.bytes();
  for (int k = 0; k < 3; ++k)
    sum += at_[k].bytes() + half_[k].bytes();
  return sum;
}

} // namespace strata::contact
