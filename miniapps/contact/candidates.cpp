#include "candidates.hpp"

#include "detect.hpp"

namespace strata::contact {

namespace {

/// Rows that are counted or filled; of what there is to know of an entry they keep whose it is.
template <class RowsView>
struct CandidatesBeingFound : RowsView
{
  std::int32_t* neighbours;

  KOKKOS_FUNCTION bool add(index_t row, double, std::int32_t neighbour, std::int32_t) const
  {
    index_t const entry = this->append(row);
    if (entry >= 0)
      neighbours[entry] = neighbour;
    return entry >= 0;
  }
};

} // namespace

void Candidates::find(Scenery const& scenery, double skin, bool half_list)
{
  auto in = scenery.grid.packed();
  in.half_list = half_list;
  in.bonded = false; // bonds may break before the grid is made anew
  in.gap += skin;
  if (scenery.scene().shape == Shape::sphere)
    find_by(TouchingSpheres{in}, scenery.grid);
  else
    find_by(TouchingBoxes{in}, scenery.grid);
}

template <class Touch>
void Candidates::find_by(Touch const& touch, Grid const& grid)
{
  auto const pass = [&]<class View>(View const& view) {
    using Found = CandidatesBeingFound<View>;
    Detect<Touch, Found> const detect{
        touch, grid.cells(), grid.slot_of(), {view, neighbours_.data()}, 0};
    for_each(grid.slots(), BySlot<Detect<Touch, Found>>{detect, rows_.rows()});
  };
  pass(rows_.counting());
  check_slots("strata::contact candidates", rows_.index(), options_);
  reserve(neighbours_, rows_.entries());
  pass(rows_.filling());
}

} // namespace strata::contact
