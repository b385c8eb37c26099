#pragma once

#include "array/dense/polymorphic.hpp"
#include "grid/geometry.hpp"

namespace strata::contact {

/// A shape's test as a class with virtual functions, with an object on the device (S5 Algorithm
/// 1): `narrow: virtual` calls it for every candidate.
class PolymorphicTouch
{
public:
  PolymorphicTouch() = default;
  PolymorphicTouch(PolymorphicTouch const&) = delete;
  PolymorphicTouch& operator=(PolymorphicTouch const&) = delete;
  // Not defaulted, which would be a function of the host alone.
  KOKKOS_FUNCTION virtual ~PolymorphicTouch() {} // NOLINT(modernize-use-equals-default)

  KOKKOS_FUNCTION virtual bool near(Geometry const& in, index_t i, index_t j) const = 0;
  KOKKOS_FUNCTION virtual bool touch(Geometry const& in, index_t i, index_t j) const = 0;
  KOKKOS_FUNCTION virtual double gap(Geometry const& in, index_t i, index_t j) const = 0;
};

/// The test of Touch behind virtual functions.
template <class Touch>
class TouchObject final : public PolymorphicTouch
{
public:
  struct NoParameters
  {
  };
  KOKKOS_FUNCTION explicit TouchObject(NoParameters) {}

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
using TouchHandle = Polymorphic<PolymorphicTouch, User>;

/// The test of `shape`, for kernels of the source file that User belongs to.
template <class User>
TouchHandle<User> make_touch(Shape shape, int dim)
{
  TouchHandle<User> made;
  with_touch(shape, dim, [&]<class Touch>() {
    using Test = TouchObject<Touch>;
    made = TouchHandle<User>::template make<Test>("strata::contact touch",
                                                  typename Test::NoParameters{});
  });
  return made;
}

/// The narrow phase that calls such an object.
struct VirtualTouch
{
  static constexpr bool near_is_touch = false; ///< not known here
  Geometry in;
  PolymorphicTouch const* shape;

  KOKKOS_FUNCTION bool near(index_t i, index_t j) const { return shape->near(in, i, j); }
  KOKKOS_FUNCTION bool touch(index_t i, index_t j) const { return shape->touch(in, i, j); }
  KOKKOS_FUNCTION double gap(index_t i, index_t j) const { return shape->gap(in, i, j); }
};

} // namespace strata::contact
