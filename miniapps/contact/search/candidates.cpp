#include "candidates.hpp"

#include <type_traits>

namespace strata::contact {

namespace {

/// A view of rows being counted or filled that stores the neighbour of an entry and drops its
/// gap and birth.
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

void Candidates::find(Search const& search, double skin)
{
  auto in = search.sorted();
  in.bonded = false; // bonds may break before the grid is made anew
  in.gap += skin;
  if (search.scene.shape == Shape::sphere)
    find_by(TouchingSpheres{in}, search);
  else
    find_by(TouchingBoxes{in}, search);
}

template <class Touch>
void Candidates::find_by(Touch const& touch, Search const& search)
{
  auto const& grid = search.grid;
  auto const pass = [&]<class View>(View const& view) {
    auto const found = search.keeping(CandidatesBeingFound<View>{view, neighbours_.data()});
    launch(search, rows_.rows(),
           Detect<Touch, std::remove_const_t<decltype(found)>>{touch, grid.cells(),
                                                               grid.slot_of(), found, 0});
  };
  pass(rows_.counting());
  check_slots("strata::contact candidates", rows_.index(), options_);
  reserve(neighbours_, rows_.entries());
  pass(rows_.filling());
}

} // namespace strata::contact
