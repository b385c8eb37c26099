#pragma once

#include "geometry.hpp"
#include "grid.hpp"

#include <cstdint>

namespace strata::contact {

/// The candidates of a grid: the slots of a cell and its neighbours, those along x in one
/// stretch.
struct GridRanges
{
  Cells cells;

  template <class F>
  KOKKOS_FUNCTION void for_each_range(Geometry const& in, index_t slot, F const& f) const
  {
    index_t const x = cells.along(0, in.at[0][slot]);
    index_t const y = cells.along(1, in.at[1][slot]);
    index_t const z = cells.along(2, in.at[2][slot]);
    index_t const first_x = x > 0 ? x - 1 : 0;
    index_t const last_x = x + 1 < cells.count[0] ? x + 1 : x;
    for (index_t k = z > 0 ? z - 1 : 0; k <= z + 1 && k < cells.count[2]; ++k)
      for (index_t j = y > 0 ? y - 1 : 0; j <= y + 1 && j < cells.count[1]; ++j)
        f(cells.start[cells.number(first_x, j, k)],
          cells.start[cells.number(last_x, j, k) + 1]);
  }
};

/// All slots.
struct AllRanges
{
  index_t slots;

  template <class F>
  KOKKOS_FUNCTION void for_each_range(Geometry const&, index_t, F const& f) const
  {
    f(index_t{0}, slots);
  }
};

/// Calls f(j) for the slots of [first, last) that are near slot i. A host gathers hits without
/// branching, since few candidates are near and no branch predictor knows which.
template <class Touch, class F>
KOKKOS_FUNCTION void for_each_near(Touch const& touch, index_t i, index_t first, index_t last,
                                   F const& f)
{
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__) || defined(__SYCL_DEVICE_ONLY__)
  for (index_t j = first; j < last; ++j)
    if (touch.near(i, j))
      f(j);
#else
  constexpr index_t block = 64;
  std::int32_t hits[block];
  for (index_t start = first; start < last; start += block) {
    index_t const length = last - start < block ? last - start : block;
    int found = 0;
    for (index_t k = 0; k < length; ++k) {
      hits[found] = static_cast<std::int32_t>(k);
      found += touch.near(i, start + k) ? 1 : 0;
    }
    for (int h = 0; h < found; ++h)
      f(start + hits[h]);
  }
#endif
}

/// Lists the contacts of a row anew: broad phase by ranges of slots, narrow phase by `touch`.
template <class Touch, class Ranges, class View>
struct Detect
{
  static constexpr char const* name() { return "strata::contact::Detect"; }
  Touch touch; ///< on packed positions
  Ranges ranges;
  std::int32_t const* slot_of;
  View view;
  std::int32_t step;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    auto const& in = touch.in;
    index_t const slot = slot_of[row];
    ranges.for_each_range(in, slot, [&](index_t first, index_t last) {
      for_each_near(touch, slot, first, last, [&](index_t j) {
        index_t const other = in.order[j];
        if (j != slot && in.counts(row, other) && touch.touch(slot, j))
          view.add(row, in.quantised(touch.distance(slot, j)), static_cast<std::int32_t>(other),
                   step);
      });
    });
  }
};

} // namespace strata::contact
