#pragma once

#include "geometry.hpp"

#include "array/access/access.hpp"
#include "array/layout/layout.hpp"
#include "driver/miniapp.hpp"

#include <string>

namespace strata::stream {

/// The layouts and access rules on offer: the deck's words come from these lists.
using SpanLayouts = Layouts<LayoutLeft, LayoutRight, LayoutTiled<32>>;
using SpanAccess = AccessRules<AccessDefault, AccessRestrict, AccessAtomic, AccessStreaming>;

/// One point of the axes, by deck names; layout resolved from `default`.
struct Choice
{
  std::string kernel, variant, layout, scalar, shape, index_order, access, owner, pages;
  KernelId id = KernelId::triad;

  // Defined in cases.cpp: to copy nine strings is much to compile in every trial.
  Choice();
  Choice(Choice const&);
  Choice(Choice&&) noexcept;
  Choice& operator=(Choice const&);
  Choice& operator=(Choice&&) noexcept;
  ~Choice();
};

// Makers of the trials, by variant; empty where a combination is none that tells anything.

/// Variants span and native over arrays of bool with one index, at a byte or a bit an element.
driver::Maker bool_maker(Choice const& choice, Geometry const& geometry);
/// Variants span and view over arrays with Rank indices: 1, 3 or 4.
template <int Rank>
driver::Maker array_maker(Choice const& choice, Geometry const& geometry);
/// Hand-indexed: OpenMP or serial on a host, CUDA on an NVIDIA GPU.
driver::Maker native_maker(Choice const& choice, Geometry const& geometry);
/// Variant span over rows of different lengths.
driver::Maker ragged_maker(Choice const& choice, Geometry const& geometry);
/// S5's traditional array, vectors in vectors; host only, three indices or ragged.
driver::Maker nested_maker(Choice const& choice, Geometry const& geometry);

/// The bandwidth of a case's work on this rank by counted bytes, and beside it, where a host
/// stores plainly to what the kernel does not read, that of the traffic of a processor that
/// reads a line before it overwrites it.
std::vector<driver::Metric> metrics_of(Choice const& choice, measure::Work const& work);

/// The memory of all traditional arrays of a choice, which its cases share: reserved to be
/// counted, but the allocator's and never taken.
driver::Slot nested_slot(Choice const& choice, Geometry const& geometry);

/// Pooled memory of one field of a choice.
driver::Slot field_slot(Choice const& choice, Geometry const& geometry, Field field);

} // namespace strata::stream
