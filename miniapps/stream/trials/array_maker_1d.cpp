#include "array_maker.hpp"

#include "driver/axis.hpp"

namespace strata::stream {

template driver::Maker array_maker<1>(Choice const&, Geometry const&);

driver::Maker flat_view_maker(Choice const& choice, Geometry const& geometry)
{
  bool const contiguous = choice.layout == driver::word_of<LayoutLeft>() ||
                          choice.layout == driver::word_of<LayoutRight>();
  if (choice.scalar != "double" || !contiguous || !detail::is_plain(choice))
    return {};
  return maker<double, 1, LayoutDefault>(
      choice, geometry.flattened(),
      detail::view_launch<double, 1, LayoutDefault, ViewTile::standard>(choice.id));
}

} // namespace strata::stream
