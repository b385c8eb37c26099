#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"
#include "tiles/tiles.hpp"

namespace strata::mgs {

/// Greatest number of columns that are processed at once: their products fill the registers of
/// a multiprocessor.
inline constexpr index_t most_wide_columns = 208;

/// Whether the device can process so many columns at once: an NVIDIA GPU of which a block has
/// 227 KiB of shared memory, for more columns than a tile has. Known without a device, as cases
/// are listed without one.
constexpr bool is_wide(index_t columns)
{
#if defined(KOKKOS_ARCH_HOPPER90)
  return device_is_cuda && columns > most_tile_columns && columns <= most_wide_columns;
#else
  static_cast<void>(columns);
  return false;
#endif
}

} // namespace strata::mgs
