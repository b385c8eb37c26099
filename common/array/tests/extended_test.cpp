// The sets of layouts and access rules are open: one of a user's each, in everything that takes
// ours.

#include "array/dense/array.hpp"
#include "array/dense/copy.hpp"
#include "array/launch/lambda.hpp"
#include "array/span/subspan.hpp"
#include "array/tests/on_host.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace strata {

namespace {

/// A user's layout: a matrix by diagonals, (i, j) in row (j - i) mod n of n x n elements. Not
/// strided.
struct LayoutDiagonal
{
  template <class E>
  class mapping
  {
  public:
    using extents_type = E;
    using index_type = typename E::index_type;
    using size_type = typename E::size_type;
    using rank_type = typename E::rank_type;
    using layout_type = LayoutDiagonal;

    /// What a subspan of one row takes: its elements are n x n / n + 1 apart, around the
    /// corner.
    struct Row
    {
      LayoutStride::mapping<Dynamic<1>> mapping;
      std::size_t offset;
    };

    mapping() = default;
    KOKKOS_FUNCTION constexpr mapping(E const& extents)
        : extents_(extents)
    {
    }
    KOKKOS_FUNCTION constexpr E const& extents() const { return extents_; }
    KOKKOS_FUNCTION constexpr index_type required_span_size() const
    {
      return extents_.extent(0) * extents_.extent(1);
    }
    KOKKOS_FUNCTION constexpr index_type operator()(index_type i, index_type j) const
    {
      index_type const n = extents_.extent(0);
      index_type const diagonal = j >= i ? j - i : j - i + n;
      return diagonal * n + i;
    }
    /// The first row's elements, which lie one diagonal apart.
    KOKKOS_FUNCTION Row submapping(std::integral_constant<int, 0>, FullExtent) const
    {
      return {{Dynamic<1>(extents_.extent(1)), Kokkos::Array<index_t, 1>{{extents_.extent(0)}}},
              0};
    }
    static constexpr bool is_always_unique() { return true; }
    static constexpr bool is_always_exhaustive() { return true; }
    static constexpr bool is_always_strided() { return false; }
    friend KOKKOS_FUNCTION constexpr bool operator==(mapping const& a, mapping const& b)
    {
      return a.extents_ == b.extents_;
    }

  private:
    E extents_;
  };
};

/// A user's access rule with a state: elements in units of `unit`.
struct AccessScaled
{
  template <class T>
  struct accessor
  {
    using element_type = T;
    using data_handle_type = T*;
    using offset_policy = accessor;
    class reference
    {
    public:
      KOKKOS_FUNCTION reference(T* p, double unit)
          : p_(p)
          , unit_(unit)
      {
      }
      KOKKOS_FUNCTION operator double() const { return *p_ / unit_; }
      KOKKOS_FUNCTION reference const& operator=(double value) const
        requires(!std::is_const_v<T>)
      {
        *p_ = value * unit_;
        return *this;
      }

    private:
      T* p_;
      double unit_;
    };
    double unit = 1;

    KOKKOS_FUNCTION reference access(T* p, std::size_t i) const { return {p + i, unit}; }
    KOKKOS_FUNCTION T* offset(T* p, std::size_t i) const { return p + i; }
    /// As reading allows.
    KOKKOS_FUNCTION operator accessor<T const>() const
      requires(!std::is_const_v<T>)
    {
      return {unit};
    }
  };
};

using Matrix = Array<double, dextents<2>, LayoutDiagonal>;
using Rows = Array<double, dextents<2>>;

template <class A>
void number(A const& span)
{
  for_each(
      "strata::test::number", span.extents(),
      KOKKOS_LAMBDA(int i, int j) { span(i, j) = 10 * i + j; });
}

TEST(AUsersLayout, IsOneOfAnArrayOfLaunchesAndOfCopies)
{
  static_assert(LayoutMapping<Matrix::mapping_type>);
  Matrix const diagonal("strata::test::diagonal", 4, 4);
  number(diagonal.write());
  auto const found = test::on_host(diagonal);
  EXPECT_EQ(found(2, 3), 23);
  EXPECT_EQ(found.data()[0], 0); // the main diagonal comes first
  EXPECT_EQ(found.data()[1], 11);
  Rows const rows("strata::test::rows", 4, 4);
  copy(rows, diagonal);
  EXPECT_EQ(test::on_host(rows)(3, 1), 31);
  Matrix const again("strata::test::again", 4, 4);
  copy(again, rows);
  EXPECT_EQ(test::on_host(again)(3, 1), 31);
}

TEST(AUsersLayout, SaysWhatItsSubspansAre)
{
  Matrix const diagonal("strata::test::diagonal", 4, 4);
  number(diagonal.write());
  auto const host = test::on_host(diagonal);
  auto const row = subspan(host.write(), std::integral_constant<int, 0>(), full_extent);
  static_assert(std::is_same_v<decltype(row)::layout_type, LayoutStride>);
  for (int j = 0; j < 4; ++j)
    EXPECT_EQ(row(j), j);
}

template <class Span, class... Slice>
concept TakesSlices = requires(Span span, Slice... slices) { subspan(span, slices...); };
static_assert(!TakesSlices<decltype(Matrix().write()), int, FullExtent>);

TEST(AUsersAccessor, KeepsItsStateInSpansSubspansAndLaunches)
{
  static_assert(ElementAccessor<AccessScaled::accessor<double>, double>);
  Rows const metres("strata::test::metres", 4, 3);
  auto const kilometres = metres.write<AccessScaled>({1000});
  static_assert(std::is_trivially_copyable_v<decltype(kilometres)>);
  number(kilometres);
  auto const found = test::on_host(metres);
  EXPECT_EQ(found(2, 1), 21000);
  auto const row = subspan(found.write<AccessScaled>({1000}), 2, full_extent);
  EXPECT_EQ(row(1), 21);
  Span<double const, dextents<1>, decltype(row)::layout_type, decltype(row)::access_type> const
      reading = row;
  EXPECT_EQ(reading(2), 22);
  EXPECT_EQ(reading.accessor().unit, 1000);
}

static_assert(!std::is_convertible_v<Span<double, dextents<1>, LayoutRight, AccessScaled>,
                                     Span<double, dextents<1>, LayoutRight>>);

} // namespace

} // namespace strata
