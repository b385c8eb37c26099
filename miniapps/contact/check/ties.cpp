#include "ties.hpp"

#include "array/launch/for_each.hpp"
#include "array/launch/reduce.hpp"
#include "search/detect.hpp"

namespace strata::contact {

namespace {

constexpr double units = 8 * 0x1p-52; ///< at least 8 units in the last place of 1

/// How far two are from just touching, as a part of what is subtracted: |d² − R²| / R² of
/// spheres; of boxes the least along an axis, and where they are apart, none.
KOKKOS_FUNCTION inline bool is_tie(TouchingSpheres const& touch, index_t i, index_t j)
{
  double const reach = touch.in.half[0][i] + touch.in.half[0][j] + touch.in.gap;
  return fabs(touch.square(i, j) - reach * reach) <= units * reach * reach;
}
KOKKOS_FUNCTION inline bool is_tie(TouchingBoxes const& touch, index_t i, index_t j)
{
  auto const& in = touch.in;
  bool tie = false;
  for (int k = 0; k < 3; ++k) {
    double const beyond = touch.separation(k, i, j) - in.gap;
    double const sides = fabs(in.at[k][i]) + fabs(in.at[k][j]) + in.half[k][i] + in.half[k][j];
    if (beyond > units * sides)
      return false;
    tie = tie || beyond >= -units * sides;
  }
  return tie;
}
template <int Dim>
KOKKOS_FUNCTION bool is_tie(TouchingSimplices<Dim> const& touch, index_t i, index_t j)
{
  if (!touch.is_point(touch.in.local(j)))
    return is_tie(touch.boxes(), i, j);
  return touch.near(i, j) && fabs(touch.coordinate(i, j)) <= units;
}

template <class Touch>
struct CountTies
{
  static constexpr char const* name() { return "strata::contact::CountTies"; }
  Touch touch; ///< on positions in the order of slots
  Cells cells;
  std::int32_t const* slot_of;

  KOKKOS_FUNCTION void operator()(index_t& ties, index_t row) const
  {
    auto const& in = touch.in;
    index_t const slot = slot_of[row];
    auto const look = [&](index_t first, index_t last) {
      for (index_t j = first; j < last; ++j)
        if (in.counts(row, in.order[j]) && is_tie(touch, slot, j))
          ++ties;
    };
    cells.for_each_stretch(in.at[0][slot], in.at[1][slot], in.at[2][slot], look);
  }
};

} // namespace

index_t near_ties(Scenery const& scenery)
{
  auto in = scenery.grid.sorted();
  in.half_list = true;
  index_t found = 0;
  with_touch(scenery.population.scene().shape, scenery.population.scene().dim,
             [&]<class Touch>() {
               found = reduced<index_t>(
                   in_order_of<LayoutRight>(Dynamic<1>(scenery.population.rows())),
                   CountTies<Touch>{Touch{in}, scenery.grid.cells(), scenery.grid.slot_of()});
             });
  return found;
}

} // namespace strata::contact
