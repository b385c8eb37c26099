#include "order.hpp"

#include "scene/motion.hpp"
#include "scene/stretches.hpp"

#include <array>
#include <cmath>
#include <mutex>
#include <type_traits>

namespace strata::contact {

namespace {

/// The cell of an object at a step, as whole numbers.
struct CellOf
{
  index_t elements;
  double edge;
  Bounds const& bounds;
  std::int64_t step;

  [[nodiscard]] double point(Object const& object) const
  {
    return object.gid >= elements ? 1 : 0;
  }
  [[nodiscard]] Vector operator()(Object const& object) const
  {
    if (!(edge > 0))
      return {};
    auto cell = position(object, bounds, step);
    for (auto& number : cell)
      number = std::floor(number / edge);
    return cell;
  }
};

/// Cells that objects lie in.
struct CellRange
{
  Vector low{HUGE_VAL, HUGE_VAL, HUGE_VAL};
  Vector high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};

  void add(Vector const& cell)
  {
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], cell[k]);
      high[k] = std::max(high[k], cell[k]);
    }
  }
  [[nodiscard]] double width(std::size_t k) const { return high[k] - low[k] + 1; }
  /// Whether 64 bits hold the numbers of all cells, of elements and of points.
  [[nodiscard]] bool fits() const { return 2 * width(0) * width(1) * width(2) < 0x1p63; }
  /// The number of a cell, x fastest; those of points (1) come after those of elements (0).
  [[nodiscard]] std::uint64_t number(double point, Vector const& cell) const
  {
    auto number = static_cast<std::uint64_t>(point);
    for (std::size_t k = 3; k-- > 0;)
      number = number * static_cast<std::uint64_t>(width(k)) +
               static_cast<std::uint64_t>(cell[k] - low[k]);
    return number;
  }
};

CellRange range_of(std::vector<Object> const& objects, CellOf const& cell_of)
{
  CellRange range;
  std::mutex lock;
  in_stretches("strata::contact cell range", static_cast<index_t>(objects.size()),
               [&](index_t first, index_t last) {
                 CellRange mine;
                 for (index_t i = first; i < last; ++i)
                   mine.add(cell_of(objects[static_cast<std::size_t>(i)]));
                 std::scoped_lock const hold(lock);
                 range.add(mine.low);
                 range.add(mine.high);
               });
  return range;
}

template <class Cell>
struct Key
{
  Cell cell;
  index_t gid;
  std::uint32_t index;

  bool operator<(Key const& other) const
  {
    return cell != other.cell ? cell < other.cell : gid < other.gid;
  }
};

template <class T>
std::vector<T> by(std::vector<std::uint32_t> const& from, std::vector<T> const& values)
{
  std::vector<T> sorted(values.size());
  for_each_on_host("strata::contact reorder", values.size(),
                   [&](std::size_t i) { sorted[i] = values[from[i]]; });
  return sorted;
}

/// `key_of(object)`: what objects are ordered by before their gids.
template <class KeyOf>
Ordered ordered_by(Objects objects, KeyOf const& key_of)
{
  std::vector<Key<std::invoke_result_t<KeyOf, Object const&>>> keys(objects.all.size());
  for_each_on_host("strata::contact keys", keys.size(), [&](std::size_t i) {
    auto const& object = objects.all[i];
    keys[i] = {key_of(object), object.gid, static_cast<std::uint32_t>(i)};
  });
  bool const stays = std::is_sorted(keys.begin(), keys.end());
  if (!stays)
    sort_on_host("strata::contact sort", keys);
  std::vector<std::uint32_t> from(keys.size());
  for_each_on_host("strata::contact places before", keys.size(),
                   [&](std::size_t i) { from[i] = keys[i].index; });
  if (!stays) {
    objects.all = by(from, objects.all);
    if (!objects.corners.empty())
      objects.corners = by(from, objects.corners);
  }
  return {std::move(objects), std::move(from)};
}

} // namespace

Ordered in_order(Objects objects, index_t elements, double edge, Bounds const& bounds,
                 std::int64_t step)
{
  CellOf const cell_of{elements, edge, bounds, step};
  auto const range = range_of(objects.all, cell_of);
  if (range.fits())
    return ordered_by(std::move(objects), [&](Object const& object) {
      return range.number(cell_of.point(object), cell_of(object));
    });
  return ordered_by(std::move(objects), [&](Object const& object) {
    auto const [x, y, z] = cell_of(object);
    return std::array{cell_of.point(object), z, y, x};
  });
}

} // namespace strata::contact
