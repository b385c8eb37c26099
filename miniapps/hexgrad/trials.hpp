#pragma once

#include "mesh.hpp"

#include "array/access/access.hpp"
#include "array/layout/layout.hpp"
#include "driver/axis.hpp"
#include "driver/miniapp.hpp"

#include <string>

namespace strata::hexgrad {

/// The layouts that a deck may name. `stride` is LayoutLeft with padded columns.
using SpanLayouts = driver::Axis<LayoutLeft, LayoutRight, LayoutTiled<8>, LayoutTiled<16>,
                                 LayoutTiled<32>, LayoutStride>;
using SpanAccess = driver::Axis<AccessDefault, AccessRestrict, AccessStreaming>;

/// The device's best: tiles as wide as a host's vectors or a GPU's warps, in which the 48
/// values of an element are near each other instead of in 48 distant streams. `crossed` is the
/// layout that suits the other kind of device.
using LayoutBest = LayoutTiled<device_is_host ? 8 : 32>;
using LayoutCrossed = std::conditional_t<device_is_host, LayoutLeft, LayoutRight>;

/// One combination of the axes, by the deck's words; the layout is never `default`.
struct Choice
{
  std::string variant, layout, scalar, extents, access;
  bool gather = false;
};

/// Whether a choice of variant native is there: of plain doubles, in the device's best layout
/// and in `left`. S1's had its GPU's own map, which was `left`; no processor is served best by
/// `right`.
inline bool is_by_hand(Choice const& choice)
{
  return choice.scalar == "double-double" && choice.extents == "static" &&
         (choice.access == driver::word_of<AccessDefault>() ||
          choice.access == driver::word_of<AccessStreaming>()) &&
         (choice.layout == driver::word_of<LayoutBest>() ||
          choice.layout == driver::word_of<LayoutLeft>());
}

/// The elements of one case and this rank's part of them.
struct Problem
{
  Mesh mesh;
  index_t elements = 0; ///< over all ranks
  index_t first = 0;    ///< this rank's first
  index_t count = 0;    ///< this rank's number
};

/// Stride of the columns of the padded LayoutStride: whole cache lines, and for counts that are
/// a multiple of a page not a multiple of a page, so that the 48 streams use different cache
/// sets.
inline index_t padded(index_t count)
{
  return (count + 63) / 64 * 64 + 64;
}

// Makers of the trials; empty where a combination is not measured.
driver::Maker span_maker(Choice const& choice, Problem const& problem);
/// Variant span of other scalars than double, or with dynamic extents; apart, to compile beside
/// the others.
driver::Maker varied_type_maker(Choice const& choice, Problem const& problem);
driver::Maker view_maker(Choice const& choice, Problem const& problem);
driver::Maker native_maker(Choice const& choice, Problem const& problem);
driver::Maker gather_maker(Choice const& choice, Problem const& problem);

/// Memory of the nodes and the connectivity of a gathering trial.
index_t gather_bytes(Problem const& problem);

/// Pooled memory of coordinates (0) and gradients (1) of `bytes_per_value` each.
driver::Slot field_slot(int number, Problem const& problem, std::size_t bytes_per_value);

} // namespace strata::hexgrad
