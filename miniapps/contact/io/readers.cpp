#include "readers.hpp"

namespace strata::contact {

int corners_of_type(index_t type)
{
  switch (type) {
  case Cell::vertex:
    return 1;
  case Cell::triangle:
    return 3;
  case Cell::quadrilateral:
  case Cell::tetrahedron:
    return 4;
  case Cell::hexahedron:
    return 8;
  default:
    return 0;
  }
}

Columns Columns::in_order(InputFile const& file, int count, int dim)
{
  if (count < 2 || count > 4)
    file.refuse("has " + std::to_string(count) +
                " columns; x y [z] [r] are 2 to 4, and a comma separates two, so that "
                "decimals need a point");
  if (count == 2 && dim == 3)
    file.refuse("has no column z; set problem.dim to 2");
  Columns columns;
  columns.count = count;
  for (int i = 0; i < count; ++i)
    columns.of[static_cast<std::size_t>(i)] = i;
  return columns;
}

void Columns::add(double const* row, Cloud& cloud) const
{
  cloud.at.push_back({row[of[0]], row[of[1]], of[2] < 0 ? 0.0 : row[of[2]]});
  if (has_radius())
    cloud.radius.push_back(row[of[3]]);
}

} // namespace strata::contact
