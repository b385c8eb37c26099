#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"
#include "tiles/tiles.hpp"

namespace strata::mgs {

/// Whether the device divides so many columns by explicit inverses of small factors, with rows
/// and inverses in the registers of warps: an NVIDIA GPU whose tensor cores multiply doubles at
/// the rate of its memory. Known without a device, as cases are listed without one.
constexpr bool has_fragments(index_t columns)
{
#if defined(KOKKOS_ARCH_HOPPER90)
  return device_is_cuda && columns <= most_tile_columns;
#else
  static_cast<void>(columns);
  return false;
#endif
}

} // namespace strata::mgs
