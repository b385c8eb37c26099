// The standard's mdspan with our layouts and accessors as its policies: a program of its own,
// for compilers whose library has an mdspan. Exit 0: every element lay where the mapping says.

#include "array/access/access.hpp"
#include "array/layout/layout.hpp"
#include "array/layout/symmetric.hpp"

#include <cstdio>
#include <mdspan>
#include <vector>

namespace strata {

namespace {

int failures = 0;

void expect(bool holds, char const* what)
{
  if (!holds) {
    std::printf("%s\n", what);
    ++failures;
  }
}

using E = std::extents<int, std::dynamic_extent, 3, 7>;

/// Writes i + 10 j + 100 k through an mdspan and reads it from memory.
template <class Access, class Mapping>
void check(Mapping const& mapping, char const* what)
{
  using Accessor = typename Access::template accessor<double>;
  std::vector<double> elements(static_cast<std::size_t>(mapping.required_span_size()));
  std::mdspan<double, E, typename Mapping::layout_type, Accessor> const span(
      elements.data(), mapping, Accessor());
  static_assert(span.is_always_unique() == Mapping::is_always_unique());
  expect(span.extent(0) == 13 && span.extent(2) == 7, what);
  for (int i = 0; i < 13; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 7; ++k) {
        span[i, j, k] = i + 10 * j + 100 * k;
        expect(elements[static_cast<std::size_t>(mapping(i, j, k))] == i + 10 * j + 100 * k,
               what);
      }
  using Reading = typename AccessReadOnly::template accessor<double const>;
  std::mdspan<double const, E, typename Mapping::layout_type, Reading> const reading(
      elements.data(), mapping, Reading());
  expect(reading[12, 2, 6] == 12 + 20 + 600, what);
}

template <class Access>
void check_layouts(char const* what)
{
  E const extents(13);
  check<Access>(LayoutRight::mapping<E>(extents), what);
  check<Access>(LayoutLeft::mapping<E>(extents), what);
  check<Access>(LayoutTiled<8>::mapping<E>(extents), what);
  check<Access>(LayoutStride::mapping<E>(extents, {1, 16, 50}), what);
}

void check_symmetric()
{
  using Square = std::extents<int, 5, 5>;
  std::vector<double> elements(15);
  std::mdspan<double, Square, LayoutSymmetric<>, AccessDefault::accessor<double>> const a(
      elements.data(), LayoutSymmetric<>::mapping<Square>(Square()),
      AccessDefault::accessor<double>());
  static_assert(!a.is_always_unique());
  a[1, 3] = 4;
  expect(a[3, 1] == 4 && a.mapping().required_span_size() == 15, "symmetric");
}

} // namespace

} // namespace strata

int main()
{
  strata::check_layouts<strata::AccessDefault>("default");
  strata::check_layouts<strata::AccessRestrict>("restrict");
  strata::check_layouts<strata::AccessAtomic>("atomic");
  strata::check_layouts<strata::AccessStreaming>("streaming");
  strata::check_symmetric();
  std::printf("%d failures\n", strata::failures);
  return strata::failures == 0 ? 0 : 1;
}
