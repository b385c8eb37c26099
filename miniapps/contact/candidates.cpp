#include "candidates.hpp"

#include "detect.hpp"

#include <type_traits>

namespace strata::contact {

namespace {

/// Rows that are counted or filled; of what there is to know of an entry they keep whose it is.
template <class RowsView>
struct CandidatesBeingFound : RowsView
{
  std::int32_t* neighbours;

  KOKKOS_FUNCTION bool add(index_t row, double gap, std::int32_t neighbour,
                           std::int32_t born) const
  {
    return set(this->append(row), gap, neighbour, born);
  }
  KOKKOS_FUNCTION bool set(index_t entry, double, std::int32_t neighbour, std::int32_t) const
  {
    if (entry >= 0)
      neighbours[entry] = neighbour;
    return entry >= 0;
  }
};

} // namespace

void Candidates::find(Scenery& scenery, double skin, bool half_list)
{
  auto in = scenery.grid.packed();
  in.half_list = half_list;
  in.bonded = false; // bonds may break before the grid is made anew
  in.gap += skin;
  if (scenery.scene().shape == Shape::sphere)
    find_by(TouchingSpheres{in}, scenery);
  else
    find_by(TouchingBoxes{in}, scenery);
}

template <class Touch>
void Candidates::find_by(Touch const& touch, Scenery& scenery)
{
  auto const& grid = scenery.grid;
  auto const pass = [&]<class View>(View const& view) {
    auto const found = scenery.kept.with(CandidatesBeingFound<View>{view, neighbours_.data()});
    using Kernel = Detect<Touch, std::remove_const_t<decltype(found)>>;
    Kernel const detect{touch, grid.cells(), grid.slot_of(), found, 0};
    for_each(grid.slots(), BySlot<Kernel>{detect, rows_.rows()});
  };
  pass(rows_.counting());
  check_slots("strata::contact candidates", rows_.index(), options_);
  reserve(neighbours_, rows_.entries());
  pass(rows_.filling());
}

} // namespace strata::contact
