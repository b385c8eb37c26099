#pragma once

#include "geometry.hpp"

#include "array/dense/polymorphic.hpp"

namespace strata::contact {

/// The test of a shape as a class with virtual functions, of which an object lives on the
/// device (S5 Algorithm 1): what `narrow: virtual` calls for every candidate.
class ShapeTest
{
public:
  ShapeTest() = default;
  ShapeTest(ShapeTest const&) = delete;
  ShapeTest& operator=(ShapeTest const&) = delete;
  KOKKOS_FUNCTION virtual ~ShapeTest() {} // NOLINT(modernize-use-equals-default): on a device

  KOKKOS_FUNCTION virtual bool near(Geometry const& in, index_t i, index_t j) const = 0;
  KOKKOS_FUNCTION virtual bool touch(Geometry const& in, index_t i, index_t j) const = 0;
  KOKKOS_FUNCTION virtual double gap(Geometry const& in, index_t i, index_t j) const = 0;
};

/// The test of Touch behind virtual functions.
template <class Touch>
class VirtualTest final : public ShapeTest
{
public:
  struct NoParameters
  {
  };
  KOKKOS_FUNCTION explicit VirtualTest(NoParameters) {}

  KOKKOS_FUNCTION bool near(Geometry const& in, index_t i, index_t j) const override
  {
    return Touch{in}.near(i, j);
  }
  KOKKOS_FUNCTION bool touch(Geometry const& in, index_t i, index_t j) const override
  {
    return Touch{in}.touch(i, j);
  }
  KOKKOS_FUNCTION double gap(Geometry const& in, index_t i, index_t j) const override
  {
    return Touch{in}.gap(i, j);
  }
};

template <class User>
using ShapeObject = Polymorphic<ShapeTest, User>;

/// The test of `shape`, for kernels of the source file that User belongs to.
template <class User>
ShapeObject<User> make_shape_test(Shape shape, int dim)
{
  ShapeObject<User> made;
  with_touch(shape, dim, [&]<class Touch>() {
    using Test = VirtualTest<Touch>;
    made = ShapeObject<User>::template make<Test>("strata::contact shape test",
                                                  typename Test::NoParameters{});
  });
  return made;
}

/// The narrow phase by such an object.
struct VirtualTouch
{
  static constexpr bool near_is_touch = false; ///< not known here
  Geometry in;
  ShapeTest const* shape;

  KOKKOS_FUNCTION bool near(index_t i, index_t j) const { return shape->near(in, i, j); }
  KOKKOS_FUNCTION bool touch(index_t i, index_t j) const { return shape->touch(in, i, j); }
  KOKKOS_FUNCTION double gap(index_t i, index_t j) const { return shape->gap(in, i, j); }
};

} // namespace strata::contact
