#pragma once

#include "problem.hpp"

#include "array/access/narrow.hpp"
#include "array/layout/layout.hpp"
#include "driver/axis.hpp"
#include "ranks/part.hpp"

#include <functional>
#include <optional>

// Memory, values, communication and checks of all dense matrix-vector products. The variants
// differ in one function.

namespace strata::matvec {

/// Tiles of 32: a GPU's warp, and whole cache lines of a host.
using LayoutTiles = LayoutTiled<32>;
/// `stride` is the device's best layout with padded rows (columns on a GPU).
using MatrixLayouts = driver::Axis<LayoutLeft, LayoutRight, LayoutTiles, LayoutStride>;

/// The index along which a layout's neighbours lie.
template <class Layout>
inline constexpr int fastest_index = std::is_same_v<Layout, LayoutRight> ? 1 : 0;
template <>
inline constexpr int fastest_index<LayoutStride> = fastest_index<LayoutDefault>;

template <class Layout>
typename Layout::template mapping<Dynamic<2>> mapping_for(index_t rows, index_t cols)
{
  Dynamic<2> const extents(rows, cols);
  if constexpr (std::is_same_v<Layout, LayoutStride>) {
    constexpr bool right = fastest_index<Layout> == 1;
    constexpr index_t line = 64;
    index_t const padded = ((right ? cols : rows) + line - 1) / line * line + line;
    return {extents, right ? Kokkos::Array<index_t, 2>{padded, 1}
                           : Kokkos::Array<index_t, 2>{1, padded}};
  } else
    return typename Layout::template mapping<Dynamic<2>>(extents);
}

/// This rank's operands, in device memory: y = A x, or y = Aᵀ x, of a rows × cols matrix.
/// `partial` has room for most_parts_of(terms) values for every element of y on a host, and
/// for the sums of tuning::most_sharing_teams teams on a GPU; `tickets`, all 0, are theirs.
/// Vectors of narrow T are floats.
template <class T>
struct Operands
{
  using Number = computed_t<T>; ///< of vectors and sums
  T* matrix;
  Number const* x;
  Number* y;
  Number* partial;
  unsigned* tickets;
  index_t rows;
  index_t cols;
  bool cached; ///< the matrix stays in the device's cache from one step to the next
};

/// The loop that a launch of the core chose for its operands; a control has no name for its
/// own.
struct Loop
{
  char const* kernel = nullptr; ///< the name of its functor
  int pack = 1;                 ///< elements of a pack
  index_t blocks = 1;           ///< of rows
  index_t parts = 1;            ///< of the columns, whose partial sums are added afterwards
  int lanes = 1;                ///< work items that share a row of a part
  bool streams = false;         ///< loads leave nothing of the matrix in the cache
};

/// The launch of a variant; it may return before the device has finished.
template <class T>
using Launch = std::function<Loop(Operands<T> const&)>;

/// Writes a rank's part of the matrix; each page is first touched by the thread that reads it
/// in the `auto` launch.
template <class T>
using Fill = void (*)(T* matrix, Values const& values, Part const& part);
template <class T>
Fill<T> fill_of(std::string const& layout);

/// Makes the trial of a launch; `kernel` (matvec or matvec_t), layout and partition say which.
template <class T>
driver::Maker dense_maker(Choice const& choice, Problem const& problem, Launch<T> launch);

/// Pooled memory of a dense case.
std::vector<driver::Slot> dense_slots(Choice const& choice, Problem const& problem);

} // namespace strata::matvec
