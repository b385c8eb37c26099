#pragma once

#include "base/kokkos.hpp"
#include "base/lanes.hpp"
#include "base/types.hpp"

// Every number that was chosen by measurement, for both kinds of device.

namespace strata::matvec::tuning {

inline constexpr bool host = device_is_host;

/// `team`: threads that share one row.
inline constexpr int row_team = 256;

/// `auto`, matrix contiguous along the sum: rows at once, whose loads are independent and share
/// those of x; further independent packs of each row; threads per team. H200, 16,384² and
/// 100,000 × 5,000: 4.55 and 4.51 TB/s; by a warp for four rows 3.34 and 4.48.
inline constexpr int dot_rows = host ? 4 : 2;
inline constexpr int dot_unroll = host ? 2 : 4;
inline constexpr int dot_team = 256;

/// `auto`, matrix contiguous across the sum: columns that one pass over the block's sums adds.
inline constexpr int walk_columns = host ? 8 : 4;
/// Rows of a host's block, whose sums stay in the first-level cache (16 KiB of doubles), and
/// the fewest that a thread is given: the pieces of columns that it reads are 4 KiB then.
inline constexpr index_t walk_most_rows = 2048;
inline constexpr index_t walk_least_rows = 512;

/// Columns are split over work items where there are too few rows for the device: into at
/// most so many parts, each of at least so many columns.
inline constexpr index_t most_parts = host ? 64 : 128;
inline constexpr index_t least_columns = host ? 256 : 32;
/// Of the work items that a GPU runs at once, those to split for: H200, 16,384²: 4.41 TB/s with
/// half of them, 4.13 with all, 3.39 with a quarter.
inline constexpr double split_share = 0.6;

/// `symmetric` on a GPU: rows of a work item; work items of a team, whose rows are a tile's;
/// its columns in units of those 128. H200, 16,384², by hand: 3.89 TB/s in tiles of 512
/// columns, 3.68 of 2,048; by teams of 128 that share 32 rows and add to y for each column of
/// them 3.45.
inline constexpr int symmetric_rows = 8;
inline constexpr int symmetric_team = 512;
inline constexpr int symmetric_pieces = 4;
/// On a host: rows at once.
inline constexpr int symmetric_host_rows = 4;

/// `csr`, auto, on a GPU: entries of a row for each work item that has part of it. H200, 27
/// points: 3.83 TB/s; 2.92 with four of each row, and no offsets asked for beforehand.
inline constexpr int sparse_entries = 8;
/// `batched`, auto, on a GPU: rows of a matrix that a work item or a team sums at once, which
/// share loads of x. H200, order 32: 3.94 TB/s side by side and 3.82 row by row; with a row a
/// work item 2.38 and 2.03.
inline constexpr int batched_rows = 8;
/// On a host: matrices side by side whose sums stay in the first-level cache (4 KiB), and
/// elements of each that are added at once.
inline constexpr index_t batched_stretch = 512;
inline constexpr int batched_columns = 4;

/// `matmul` in tiles. Host: vector registers' rows and packs of the micro-kernel, tile of C and
/// depth of a panel, sized for second-level caches of 1 MiB and more.
inline constexpr int micro_rows =
    register_bytes == 64 ? 8 : 6; // AVX-512 has 32 registers, not 16
inline constexpr int micro_packs = register_bytes == 64 ? 3 : 2;
inline constexpr int tile_rows = 192;
inline constexpr int tile_cols = 384;
inline constexpr int tile_depth = 192;
/// GPU: edge of a tile, depth of a panel in scratch memory, edge of a member's block.
inline constexpr int gpu_tile = 64;
inline constexpr int gpu_depth = 16;
inline constexpr int gpu_block = 4;

} // namespace strata::matvec::tuning
