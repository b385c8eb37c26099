#include "objects.hpp"

namespace strata::contact {

Shape shape_of(std::string const& name)
{
  return name == "sphere" ? Shape::sphere : name == "box" ? Shape::box : Shape::simplex;
}

} // namespace strata::contact
