#pragma once

#include "geometry.hpp"

#include "array/access/access.hpp"
#include "array/layout/layout.hpp"
#include "driver/axis.hpp"
#include "driver/miniapp.hpp"

#include <string>
#include <vector>

namespace strata::stream {

/// The layouts and access rules on offer: the deck's words come from these lists.
using SpanLayouts = driver::Axis<LayoutLeft, LayoutRight, LayoutTiled<32>>;
using SpanAccess = driver::Axis<AccessDefault, AccessRestrict, AccessAtomic, AccessStreaming>;

/// One combination of the axes, by the deck's words; the layout is never `default`.
struct Choice
{
  std::string kernel, variant, layout, scalar, shape, index_order, access, owner, pages, policy,
      tuning;
  std::string library; ///< of variant vendor: what it calls
  KernelId id = KernelId::triad;

  // Defined in cases.cpp, to save the compile time of copying twelve strings in every trial.
  Choice();
  Choice(Choice const&);
  Choice(Choice&&) noexcept;
  Choice& operator=(Choice const&);
  Choice& operator=(Choice&&) noexcept;
  ~Choice();
};

// Makers of the trials, by variant; empty where a combination is not measured.

/// Variants span and native over arrays of bool with one index, at a byte or a bit an element.
driver::Maker bool_maker(Choice const& choice, Geometry const& geometry);
/// Variants span and view over arrays with Rank indices: 1, 3 or 4.
template <int Rank>
driver::Maker array_maker(Choice const& choice, Geometry const& geometry);
/// Variant view of several indices by policy flat: as the one row of elements that it is in
/// memory.
driver::Maker flat_view_maker(Choice const& choice, Geometry const& geometry);
/// Variant span whose launch a GPU divides by `tuning`: one of tuning_names().
driver::Maker tuned_maker(Choice const& choice, Geometry const& geometry);
std::vector<std::string> tuning_names();
/// Hand-indexed: OpenMP or serial on a host, CUDA on an NVIDIA GPU.
driver::Maker native_maker(Choice const& choice, Geometry const& geometry);
/// Variant vendor: copies and sums by the platform's own libraries.
driver::Maker library_maker(Choice const& choice, Geometry const& geometry);
/// Kernel chain, variants span and native: the five of BabelStream in its order.
driver::Maker chain_maker(Choice const& choice, Geometry const& geometry);
/// Variant span over rows of different lengths.
driver::Maker ragged_maker(Choice const& choice, Geometry const& geometry);
/// S5's traditional arrays, vectors of vectors: on a host, with three indices or ragged.
driver::Maker nested_maker(Choice const& choice, Geometry const& geometry);

/// The bandwidth by counted bytes. On a host, where plain stores go to an array that the kernel
/// does not read, also the bandwidth with write-allocate traffic.
std::vector<driver::Metric> metrics_of(Choice const& choice, measure::Work const& work);

/// Counts the memory of a choice's traditional arrays, which its cases share. The block is
/// reserved and never taken: the vectors allocate by themselves.
driver::Slot nested_slot(Choice const& choice, Geometry const& geometry);

/// Pooled memory of one field of a choice.
driver::Slot field_slot(Choice const& choice, Geometry const& geometry, Field field);

} // namespace strata::stream
