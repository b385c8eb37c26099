#pragma once

#include "base/lanes.hpp"
#include "base/types.hpp"

#include <cstddef>

// Numbers chosen by measurement for products of two matrices, for hosts and for GPUs (an H200).

namespace strata::matvec::tuning {

/// Host: rows and packs of the micro-kernel, which fill the vector
/// registers; greatest tile of C; depth of its panels, with which the columns of a micro-kernel
/// take 30 KB; rows of X that are packed at a time, 240 KB.
inline constexpr int micro_rows =
    register_bytes == 64 ? 8 : 6; // AVX-512 has 32 registers, not 16
inline constexpr int micro_packs = register_bytes == 64 ? 3 : 2;
inline constexpr int tile_rows = 768;
inline constexpr int tile_columns = 768;
inline constexpr int tile_depth = 160;
inline constexpr int packed_rows = 192;
/// GPU: edges of a tile and of a member's block, of sums of `bytes`; depth of a panel in
/// scratch memory.
constexpr int gpu_tile(std::size_t bytes)
{
  return bytes == sizeof(double) ? 64 : 128;
}
constexpr int gpu_block(std::size_t bytes)
{
  return bytes == sizeof(double) ? 4 : 8;
}
inline constexpr int gpu_depth = 16;
/// On an NVIDIA GPU's tensor cores: edge of a team's tile and of a warp's block, depth of a
/// panel, panels in scratch memory, teams per multiprocessor, rows of tiles of a band.
inline constexpr int tensor_tile = 64;
inline constexpr int tensor_block = 32;
inline constexpr int tensor_depth = 16;
inline constexpr int tensor_stages = 4;
inline constexpr unsigned tensor_teams = 3;
inline constexpr index_t tensor_band = 8;
/// Floats, which tensor cores do not multiply: edge of a team's tile, depth of a panel, panels
/// in scratch memory (33 KiB each), teams per multiprocessor, rows of tiles of a band.
inline constexpr int float_tile = 128;
inline constexpr int float_depth = 32;
inline constexpr int float_stages = 2;
inline constexpr unsigned float_teams = 2;
inline constexpr index_t float_band = 8;
/// The same for factors of two bytes, of which a multiprocessor has one team: rows and columns
/// of its tile of C, edge of a warp's block, numbers k of a panel (128 bytes of a line along
/// k), panels in scratch memory (48 KiB each), those of the product by warp groups, rows of
/// tiles of a band.
inline constexpr int narrow_tile_rows = 128;
inline constexpr int narrow_tile_columns = 256;
inline constexpr int narrow_block = 64;
inline constexpr int narrow_depth = 64;
inline constexpr int narrow_stages = 3;
inline constexpr int warpgroup_stages = 4;
inline constexpr index_t narrow_band = 8;

} // namespace strata::matvec::tuning
