#include "shape_test.hpp"

namespace strata::contact {

namespace {

struct NoParameters
{
};

template <class Touch>
class TestOf : public ShapeTest
{
public:
  KOKKOS_FUNCTION explicit TestOf(NoParameters) {}

  KOKKOS_FUNCTION bool near(Geometry const& in, index_t i, index_t j) const override
  {
    return Touch{in}.near(i, j);
  }
  KOKKOS_FUNCTION bool touch(Geometry const& in, index_t i, index_t j) const override
  {
    return Touch{in}.touch(i, j);
  }
  KOKKOS_FUNCTION double distance(Geometry const& in, index_t i, index_t j) const override
  {
    return Touch{in}.distance(i, j);
  }
};

} // namespace

ShapeObject make_shape_test(Shape shape, int dim)
{
  ShapeObject made;
  with_touch(shape, dim, [&]<class Touch>() {
    made = ShapeObject::make<TestOf<Touch>>("strata::contact shape test", NoParameters{});
  });
  return made;
}

} // namespace strata::contact
