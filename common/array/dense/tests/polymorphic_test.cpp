#include "array/dense/polymorphic.hpp"
#include "array/launch/elementwise.hpp"
#include "array/tests/on_host.hpp"
#include "testing/listener.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace strata {

namespace {

/// What objects do to memory when they die.
struct Grave
{
  double* deaths;
  double size;
};

class Shape
{
public:
  KOKKOS_FUNCTION explicit Shape(Grave const& grave)
      : grave_(grave)
  {
  }
  KOKKOS_FUNCTION virtual ~Shape() { *grave_.deaths += grave_.size; }
  Shape(Shape const&) = delete;
  Shape& operator=(Shape const&) = delete;

  [[nodiscard]] KOKKOS_FUNCTION virtual double volume() const = 0;

protected:
  [[nodiscard]] KOKKOS_FUNCTION double size() const { return grave_.size; }

private:
  Grave grave_;
};

class Cube : public Shape
{
public:
  using Shape::Shape;
  [[nodiscard]] KOKKOS_FUNCTION double volume() const override
  {
    return size() * size() * size();
  }
};

/// Its Shape is not where it begins.
class Named
{
public:
  KOKKOS_FUNCTION virtual ~Named() { name[0] = 0; }
  Named() = default;
  Named(Named const&) = delete;
  Named& operator=(Named const&) = delete;
  double name[3] = {};
};
class Rod : public Named, public Shape
{
public:
  KOKKOS_FUNCTION explicit Rod(Grave const& grave)
      : Shape(grave)
  {
  }
  [[nodiscard]] KOKKOS_FUNCTION double volume() const override { return 2 * size(); }
};

struct Volumes
{
  static constexpr char const* name() { return "strata::test::Volumes"; }
  Shape const* shapes[2];
  double* volumes;

  KOKKOS_FUNCTION void operator()(index_t i) const { volumes[i] = shapes[i % 2]->volume(); }
};

/// This file is the one that calls.
using Object = Polymorphic<Shape, Grave>;

TEST(Polymorphic, CallsVirtualFunctionsOnTheDevice)
{
  testing::Listener const listener;
  test::Vector<double> const deaths("strata::test::deaths", Dynamic<1>(1));
  for_each(1, test::Place<decltype(deaths.write())>{deaths.write()}); // 0
  test::Vector<double> const volumes("strata::test::volumes", Dynamic<1>(100));
  auto const cube = Object::make<Cube>("strata::test::cube", Grave{deaths.data(), 3});
  auto const rod = Object::make<Rod>("strata::test::rod", Grave{deaths.data(), 5});
  for_each(100, Volumes{{cube.get(), rod.get()}, volumes.data()});
  auto const host = test::on_host(volumes);
  for (index_t i = 0; i < 100; ++i)
    EXPECT_EQ(host.read()(i), i % 2 == 0 ? 27 : 10);
  EXPECT_EQ(test::on_host(deaths).read()(0), 0);
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

TEST(Polymorphic, IsDestroyedOnTheDeviceByItsLastCopy)
{
  testing::Listener const listener;
  test::Vector<double> const deaths("strata::test::deaths", Dynamic<1>(1));
  for_each(1, test::Place<decltype(deaths.write())>{deaths.write()});
  {
    Object last;
    EXPECT_FALSE(last);
    {
      auto const rod = Object::make<Rod>("strata::test::rod", Grave{deaths.data(), 5});
      last = rod;
      EXPECT_EQ(last.get(), rod.get());
    }
    EXPECT_TRUE(last);
    EXPECT_EQ(test::on_host(deaths).read()(0), 0);
  }
  EXPECT_EQ(test::on_host(deaths).read()(0), 5);
  std::vector<std::string> const expected{
      "strata::test::Place", "strata::Polymorphic construct", "strata::Polymorphic destroy"};
  EXPECT_EQ(listener.launches(), expected);
}

struct VolumesOfAll
{
  static constexpr char const* name() { return "strata::test::VolumesOfAll"; }
  Span<Shape* const, Dynamic<1>, LayoutRight, AccessReadOnly> shapes;
  double* volumes;

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    volumes[i] = shapes(i) == nullptr ? -1 : shapes(i)->volume();
  }
};

struct SetGraves
{
  static constexpr char const* name() { return "strata::test::SetGraves"; }
  Span<Grave, Dynamic<1>, LayoutRight> graves;
  double* deaths;

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    graves(i) = {deaths + i, static_cast<double>(i + 1)};
  }
};

TEST(Polymorphic, ArraysHaveObjectsOfSeveralClasses)
{
  testing::Listener const listener;
  test::Vector<double> const deaths("strata::test::deaths", Dynamic<1>(7));
  for_each(7, Set<Span<double, Dynamic<1>, LayoutRight>>{deaths.write(), 0});
  test::Vector<double> const volumes("strata::test::volumes", Dynamic<1>(8));
  {
    PolymorphicArray<Shape, Grave> last;
    PolymorphicArray<Shape, Grave> const shapes("strata::test::shapes", 8);
    last = shapes;
    for (auto const& [first, count, cubes] :
         {std::tuple(0, 4, true), std::tuple(4, 3, false)}) {
      test::Vector<Grave> const graves("strata::test::graves", Dynamic<1>(count));
      for_each(count, SetGraves{graves.write(), deaths.data() + first});
      if (cubes)
        last.construct<Cube>(first, graves);
      else
        last.construct<Rod>(first, graves);
    }
    for_each(8, VolumesOfAll{shapes.read(), volumes.data()});
    auto const host = test::on_host(volumes);
    for (index_t i = 0; i < 8; ++i)
      EXPECT_EQ(host(i), i == 7 ? -1 : i < 4 ? (i + 1) * (i + 1) * (i + 1) : 2 * (i - 3));
    EXPECT_EQ(test::on_host(deaths)(6), 0);
    test::Vector<Grave> const two("strata::test::graves", Dynamic<1>(2));
    EXPECT_THROW(last.construct<Cube>(7, two), std::invalid_argument);
  }
  auto const dead = test::on_host(deaths);
  for (index_t i = 0; i < 7; ++i)
    EXPECT_EQ(dead(i), i < 4 ? i + 1 : i - 3);
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

} // namespace

} // namespace strata
