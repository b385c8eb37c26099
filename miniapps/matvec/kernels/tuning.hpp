#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

// Numbers chosen by measurement, for hosts and for GPUs (an H200).

namespace strata::matvec::tuning {

inline constexpr bool host = device_is_host;

/// `team`: threads that share one row.
inline constexpr int row_team = 256;

/// `auto`, matrix contiguous along the sum: rows that are summed together, with independent
/// loads and the same x; independent packs of each row; threads per team.
inline constexpr int dot_rows = host ? 4 : 2;
inline constexpr int dot_unroll = host ? 2 : 4;
inline constexpr int dot_team = 256;

/// Elements that a host's core reads from one place before it goes to another (32 KiB of
/// doubles), where rows are shorter.
inline constexpr index_t least_stretch = 4096;

/// `auto` on a host, matrix contiguous across the sum: columns added in one pass over a block's
/// sums.
inline constexpr int walk_columns = 8;
/// Greatest number of rows of a host's block, whose sums stay in the first-level cache (16 KiB
/// of doubles), and the least: a thread then reads columns in pieces of 4 KiB.
inline constexpr index_t walk_most_rows = 2048;
inline constexpr index_t walk_least_rows = 512;

/// Where there are too few rows for a host's threads, columns are split, too: into at most so
/// many parts of at least so many columns.
inline constexpr index_t most_parts = 64;
inline constexpr index_t least_columns = 256;

/// `auto` on a GPU. Loads of a member at once. Where there are too few rows for the device,
/// teams share blocks of rows, in at most so many waves; never more teams than the third
/// number, of so many rows.
inline constexpr int in_flight = 4;
inline constexpr index_t most_waves = 4;
inline constexpr index_t most_sharing_teams = 4096;
inline constexpr index_t most_team_rows = 4 * dot_team;
/// Independent loads of the last team, which adds the parts.
inline constexpr int sums_at_once = 16;

/// `symmetric` on a GPU: rows of a work item; work items of a team, which together have the 128
/// rows of a tile; columns of a tile in units of 128.
inline constexpr int symmetric_rows = 8;
inline constexpr int symmetric_team = 512;
inline constexpr int symmetric_pieces = 4;
/// On a host: rows that are computed together.
inline constexpr int symmetric_host_rows = 4;

/// `csr`, auto, on a GPU: entries of a row per work item, where several share it.
inline constexpr int sparse_entries = 4;
/// Greatest average of a row's entries for which it has one work item, and the entries that
/// this loads before it adds them; chosen by averages of 5 and 27.
inline constexpr int short_sparse_row = 8;
/// `csc` on a GPU: entries of a group that is loaded before it is added.
inline constexpr int column_entries = 8;
/// On a host: independent sums of a row, and the entries of a row, on average, for which they
/// pay.
inline constexpr int sparse_chains = 4;
inline constexpr index_t long_sparse_row = 16;
/// `batched`, auto, on a GPU: rows of a matrix that a work item or a team sums together, with
/// the same loads of x.
inline constexpr int batched_rows = 8;
/// Greatest order of interleaved matrices of which a work item takes a whole one.
inline constexpr int batched_few = 4;
/// On a host: interleaved matrices whose sums stay in the first-level cache (4 KiB), and
/// elements of each that are added together.
inline constexpr index_t batched_stretch = 512;
inline constexpr int batched_columns = 4;

} // namespace strata::matvec::tuning
