#pragma once

#include "../../base/kokkos.hpp"

#include <cstddef>

namespace strata {

namespace detail {

/// Bytes of a span's elements, rounded up to the alignment of a team's scratch memory.
template <class S>
inline constexpr std::size_t scratch_size =
    (static_cast<std::size_t>(typename S::mapping_type().required_span_size()) *
         sizeof(typename S::element_type) +
     15) /
    16 * 16;

} // namespace detail

/// Bytes of scratch memory for one span of each type, whose extents are static: what a kernel
/// of a team declares as `scratch_bytes`.
template <class... S>
inline constexpr std::size_t scratch_bytes_of = (detail::scratch_size<S> + ... + 0);

/// A team's scratch memory as spans. All members of the team take the same spans in the same
/// order and share their elements, which are not initialised.
///
///   using Tile = Span<double, Extents<int, 8, 32>, LayoutRight>;
///   static constexpr std::size_t scratch_bytes = scratch_bytes_of<Tile, Tile>;
///   Scratch memory(team.scratch());
///   auto const a = memory.take<Tile>(), b = memory.take<Tile>();
///
/// Source: S3 (views of scratch memory).
class Scratch
{
public:
  KOKKOS_FUNCTION explicit Scratch(void* memory)
      : next_(static_cast<std::byte*>(memory))
  {
  }
  template <class S>
  KOKKOS_FUNCTION S take()
  {
    static_assert(S::extents_type::rank_dynamic() == 0, "scratch memory is of static size");
    auto* const begin = reinterpret_cast<typename S::element_type*>(next_);
    next_ += detail::scratch_size<S>;
    return S(begin, typename S::mapping_type());
  }

private:
  std::byte* next_;
};

} // namespace strata
