#pragma once

#include "mesh.hpp"

#include "array/access/access.hpp"
#include "array/layout/layout.hpp"
#include "driver/miniapp.hpp"

#include <string>

namespace strata::hexgrad {

/// The layouts on offer: the deck's words come from this list. `stride` is LayoutLeft with
/// padded columns.
using SpanLayouts = Layouts<LayoutLeft, LayoutRight, LayoutTiled<8>, LayoutTiled<16>,
                            LayoutTiled<32>, LayoutStride>;
using SpanAccess = AccessRules<AccessDefault, AccessRestrict, AccessStreaming>;

/// The device's best: tiles as wide as a host's vectors or a GPU's warps, so that the 48
/// streams of neighbouring elements lie together (H200: 10.7 G elements/s in tiles, 9.9 in
/// LayoutLeft). `crossed` is the order that suits the other kind of device.
using LayoutBest = LayoutTiled<device_is_host ? 8 : 32>;
using LayoutCrossed = std::conditional_t<device_is_host, LayoutLeft, LayoutRight>;

/// One point of the axes, by deck names; layout resolved.
struct Choice
{
  std::string variant, layout, scalar, extents, access;
  bool gather = false;
};

/// The elements of one case and this rank's part of them.
struct Problem
{
  Mesh mesh;
  index_t elements = 0; ///< over all ranks
  index_t first = 0;    ///< this rank's first
  index_t count = 0;    ///< this rank's number
};

/// Columns of the padded LayoutStride are this many elements apart: not a multiple of a
/// page, so that the 48 streams fall into different cache sets.
inline index_t padded(index_t count)
{
  return (count + 63) / 64 * 64 + 64;
}

// Makers of the trials; empty where a combination is none that tells anything.
driver::Maker span_maker(Choice const& choice, Problem const& problem);
driver::Maker view_maker(Choice const& choice, Problem const& problem);
driver::Maker native_maker(Choice const& choice, Problem const& problem);
driver::Maker gather_maker(Choice const& choice, Problem const& problem);

/// Memory that a gathering trial has of its own: nodes and connectivity.
index_t gather_bytes(Problem const& problem);

/// Pooled memory of coordinates (0) and gradients (1) of `bytes_per_value` each.
driver::Slot field_slot(int number, Problem const& problem, std::size_t bytes_per_value);

} // namespace strata::hexgrad
