#pragma once

#include "reference.hpp"

#include "array/access.hpp"
#include "array/layout.hpp"
#include "driver/miniapp.hpp"

#include <array>
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
};

/// The arrays of one case: sizes over all ranks and this rank's part of the first index.
struct Geometry
{
  int rank = 1;                       ///< indices of the arrays
  std::array<index_t, 4> global = {}; ///< sizes over all ranks
  index_t first = 0;                  ///< this rank's first row
  index_t rows = 0;                   ///< this rank's rows

  /// Elements of one row.
  [[nodiscard]] index_t row_size() const
  {
    index_t size = 1;
    for (int r = 1; r < rank; ++r)
      size *= global[static_cast<std::size_t>(r)];
    return size;
  }
  /// Elements of one array on this rank.
  [[nodiscard]] index_t size() const { return rows * row_size(); }
};

// Makers of the trials, by variant; empty where a combination is none that tells anything.

/// Variants span and view over arrays with Rank indices: 1, 3 or 4.
template <int Rank>
driver::Maker array_maker(Choice const& choice, Geometry const& geometry);
/// Hand-indexed: OpenMP or serial on a host, CUDA on an NVIDIA GPU.
driver::Maker native_maker(Choice const& choice, Geometry const& geometry);
/// S5's traditional array, a vector of vectors of vectors; host only, three indices.
driver::Maker nested_maker(Choice const& choice, Geometry const& geometry);

/// The bandwidth of a case's work on this rank by counted bytes, and beside it, where a host
/// stores plainly to what the kernel does not read, that of the traffic of a processor that
/// reads a line before it overwrites it.
std::vector<driver::Metric> metrics_of(Choice const& choice, measure::Work const& work);

/// Pooled memory of one field of a choice.
driver::Slot field_slot(Choice const& choice, Geometry const& geometry, Field field);

} // namespace strata::stream
