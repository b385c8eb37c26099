#include "array/dense/array.hpp"
#include "array/dense/copy.hpp"
#include "array/launch/for_each.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <type_traits>

namespace strata {

namespace {

using E = Extents<index_t, dyn, 3>;
using Values = Array<double, E, LayoutRight, HostSpace>;

TEST(Array, IsNullUntilItHasMemory)
{
  Values const none;
  EXPECT_TRUE(none.is_null());
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(none.use_count(), 0);
  EXPECT_FALSE(Values("strata::test::values", E(5)).is_null());
}

TEST(Array, OwnsLabelledMemoryOfItsMapping)
{
  Values const values("strata::test::values", E(5));
  EXPECT_EQ(values.label(), "strata::test::values");
  EXPECT_EQ(values.size(), 15);
  EXPECT_EQ(values.memory().size(), 15 * sizeof(double));
  Array<float, E, LayoutTiled<8>, HostSpace> const padded("strata::test::padded", E(5));
  EXPECT_EQ(padded.size(), 15);
  EXPECT_EQ(padded.memory().size(), 24 * sizeof(float));
}

TEST(Array, IsSharedByItsCopiesAndFreedByTheLast)
{
  auto memory = null_view<Memory<HostSpace>>();
  {
    Values last;
    {
      Values const first("strata::test::values", E(5));
      EXPECT_EQ(first.use_count(), 1);
      last = first;
      Values const third = last;
      EXPECT_EQ(first.use_count(), 3);
      EXPECT_EQ(third.data(), first.data());
      first.write()(4, 2) = 7;
    }
    EXPECT_EQ(last.use_count(), 1);
    EXPECT_EQ(last.read()(4, 2), 7);
    memory = last.memory();
    EXPECT_EQ(memory.use_count(), 2);
    last = Values(); // cleared
    EXPECT_EQ(memory.use_count(), 1);
  }
}

TEST(Array, LivesInMemoryGivenToIt)
{
  auto const memory = allocate<HostSpace>("strata::test::pool", 1000);
  Values const values(memory, Values::mapping_type(E(5)));
  EXPECT_EQ(static_cast<void*>(values.data()), static_cast<void*>(memory.data()));
  EXPECT_EQ(memory.use_count(), 2);
}

TEST(Array, RefusesMemoryThatIsTooSmall)
{
  auto const memory = allocate<HostSpace>("strata::test::pool", 15 * 8 - 1);
  try {
    Values const values(memory, Values::mapping_type(E(5)));
    FAIL() << "it fits";
  } catch (std::invalid_argument const& error) {
    EXPECT_NE(std::string(error.what())
                  .find("array 'strata::test::pool' does not fit the memory given to it"),
              std::string::npos);
  }
}

TEST(Array, GivesSpansToWriteAndToRead)
{
  Values const values("strata::test::values", E(5));
  using Space = Values::memory_space;
  static_assert(std::is_same_v<decltype(values.write()),
                               Span<double, E, LayoutRight, AccessIn<AccessDefault, Space>>>);
  static_assert(
      std::is_same_v<decltype(values.read()),
                     Span<double const, E, LayoutRight, AccessIn<AccessReadOnly, Space>>>);
  EXPECT_EQ(values.write<AccessAtomic>().data_handle(), values.data());
}

TEST(Array, IsItsOwnMirrorWhereTheHostReachesIt)
{
  Array<double, E, LayoutLeft> const values("strata::test::values", E(5));
  auto const mirror = host_mirror(values);
  EXPECT_EQ(mirror.extents(), values.extents());
  EXPECT_EQ(static_cast<void*>(mirror.data()) == static_cast<void*>(values.data()),
            device_is_host);
}

template <class Values>
struct FillWithPlace
{
  static constexpr char const* name() { return "strata::test::FillWithPlace"; }
  Values values;
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k) const
  {
    values(i, j, k) = static_cast<double>((i * 10 + j) * 20 + k);
  }
};

template <class A, class B>
bool equal_elements(A const& a, B const& b)
{
  auto const x = a.read();
  auto const y = b.read();
  for (index_t i = 0; i < a.extents().extent(0); ++i)
    for (index_t j = 0; j < a.extents().extent(1); ++j)
      for (index_t k = 0; k < a.extents().extent(2); ++k)
        if (x(i, j, k) != y(i, j, k))
          return false;
  return true;
}

/// S1 Fig 2: create, fill, copy deep and shallow between host and device, and who frees what.
TEST(Array, LivesAsS1Figure2)
{
  using Space = Extents<index_t, dyn, 10, 20>;
  using OnHost = Array<double, Space, LayoutRight, HostSpace>;
  using OnDevice = Array<double, Space, LayoutDefault, DeviceSpace>;
  Space const extents(37);
  OnHost host_z;
  OnDevice device_z;
  {
    OnHost const host_x("strata::test::host_x", extents);
    OnHost const host_y("strata::test::host_y", extents);
    OnDevice const device_x("strata::test::device_x", extents);
    device_z = OnDevice("strata::test::device_z", extents);
    host_z = host_y; // shallow: the same elements
    EXPECT_EQ(host_z.data(), host_y.data());
    EXPECT_EQ(host_y.use_count(), 2);

    auto const filled = host_x.write();
    for_each<Host>(in_order_of<LayoutRight>(extents), FillWithPlace<decltype(filled)>{filled});
    Kokkos::fence();
    copy(device_x, host_x);   // device <- host
    copy(device_z, device_x); // device <- device
    copy(host_y, device_z);   // host <- device
    EXPECT_NE(host_x.data(), host_z.data());
    EXPECT_TRUE(equal_elements(host_x, host_z));
    EXPECT_EQ(device_x.use_count(), 1);
  }
  EXPECT_EQ(host_z.use_count(), 1);
  EXPECT_EQ(device_z.use_count(), 1);
  EXPECT_EQ(host_z.read()(36, 9, 19), 36 * 200 + 9 * 20 + 19);
}

TEST(Array, RefusesMoreThanItsIndicesOrAnyMemoryHold)
{
  using Narrow = Dynamic<2, int>;
  EXPECT_THROW((Array<double, Narrow>("strata::test::narrow", Narrow(65'536, 65'536))),
               std::invalid_argument);
  using Long = Dynamic<1>;
  LayoutRight::mapping<Long> const mapping(Long(index_t{1} << 60));
  try {
    Array<double, Long, LayoutRight>::bytes_for(mapping);
    FAIL() << "it has a number of bytes";
  } catch (std::invalid_argument const& error) {
    EXPECT_STREQ(error.what(), "an array of 1152921504606846976 elements of 8 bytes is larger "
                               "than any memory");
  }
}

TEST(Array, MayHaveUnsignedIndices)
{
  using Unsigned = Extents<unsigned, dyn, 3>;
  Array<double, Unsigned, LayoutRight, HostSpace> const rows("strata::test::rows", Unsigned(5));
  Array<double, Unsigned, LayoutTiled<4>, HostSpace> const tiles("strata::test::tiles",
                                                                 Unsigned(5));
  for (unsigned i = 0; i < 5; ++i)
    for (unsigned j = 0; j < 3; ++j)
      rows.write()(i, j) = 10.0 * i + j;
  copy(tiles, rows);
  EXPECT_EQ(tiles.read()(4U, 2), 42);
}

} // namespace

} // namespace strata
