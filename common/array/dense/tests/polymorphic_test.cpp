#include "array/dense/polymorphic.hpp"
#include "array/tests/on_host.hpp"
#include "testing/listener.hpp"

#include <gtest/gtest.h>

#include <string>
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

} // namespace

} // namespace strata
