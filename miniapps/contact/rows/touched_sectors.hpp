#pragma once

#include "array/dense/array.hpp"
#include "array/launch/for_each.hpp"
#include "array/launch/reduce.hpp"
#include "array/ragged/entry_values.hpp"
#include "base/bit_word.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <cstdint>

namespace strata::contact {

/// Bytes that a cache asks of memory at least: a sector of a GPU's line, a host's line.
inline constexpr index_t sector_bytes = device_is_host ? 64 : 32;

namespace detail {

/// Sets the bit of each sector that holds a gap of the row.
template <class View>
struct MarkSectors
{
  static constexpr char const* name() { return "strata::contact::MarkSectors"; }
  View view;
  std::uint32_t* marks;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    view.for_each_entry(row, [&](auto entry) {
      index_t const sector =
          (&view.gap(entry) - view.gaps) * static_cast<index_t>(sizeof(double)) / sector_bytes;
      Kokkos::atomic_or(marks + sector / 32, std::uint32_t{1} << sector % 32);
    });
  }
};

struct CountMarks
{
  static constexpr char const* name() { return "strata::contact::CountMarks"; }
  std::uint32_t const* marks;

  KOKKOS_FUNCTION void operator()(index_t& sum, index_t word) const
  {
    sum += bits_set(marks[word]);
  }
};

} // namespace detail

/// Sectors that hold gaps of the rows, each counted once; `slots` is their room. Waits.
template <class View>
index_t touched_sectors(View const& view, index_t slots)
{
  index_t const sectors =
      (slots * static_cast<index_t>(sizeof(double)) + sector_bytes - 1) / sector_bytes;
  Array<std::uint32_t, Dynamic<1>, LayoutRight> const marks("strata::contact sectors",
                                                            Dynamic<1>((sectors + 31) / 32));
  fill(marks, 0U);
  for_each(view.rows(), detail::MarkSectors<View>{view, marks.data()});
  return reduced<index_t>(in_order_of<LayoutRight>(marks.extents()),
                          detail::CountMarks{marks.data()});
}

} // namespace strata::contact
