#include "native.hpp"
#include "native_column_sum.hpp"
#include "native_split.hpp"

#include <vector>

#if defined(KOKKOS_ENABLE_CUDA)

// Dense products by hand on an NVIDIA GPU where columns are contiguous.

namespace strata::matvec::native {

namespace {

// Column-major: threads along the rows, in pairs of which one load of 16 bytes takes each. The
// block's threads along x have neighbouring pairs, and those along y share a part of the
// columns; so do the grid's blocks.

/// Σ over the block's threads of one threadIdx.x of each of N values, in those whose
/// threadIdx.y is 0, through N times `threads` of shared memory; a __syncthreads lies between
/// two calls for the same memory.
template <int N>
__device__ void sum_over_y(double2 (*sums)[threads], double2 (&mine)[N])
{
  constexpr unsigned few = 4; // that one thread adds, in place of more barriers
  int const at = static_cast<int>(threadIdx.x + threadIdx.y * blockDim.x);
#pragma unroll
  for (int n = 0; n < N; ++n)
    sums[n][at] = mine[n];
  __syncthreads();
  unsigned left = blockDim.y;
  for (; left > few; left /= 2) {
    if (threadIdx.y < left / 2)
#pragma unroll
      for (int n = 0; n < N; ++n)
        add_product(sums[n][at], sums[n][at + left / 2 * blockDim.x], 1);
    __syncthreads();
  }
#pragma unroll
  for (int n = 0; n < N; ++n) {
    mine[n] = sums[n][threadIdx.x];
    for (unsigned y = 1; y < left; ++y)
      add_product(mine[n], sums[n][threadIdx.x + y * blockDim.x], 1);
  }
}

/// Stores the sums of rows 2 pair and 2 pair + 1; where blocks share them, the last one adds
/// their parts. All threads call it; those whose threadIdx.y is 0 have the sums.
__device__ void store_pair(double2 (*scratch)[threads], double2 (&sum)[1], index_t pair,
                           bool is_there, Product const& p, cuda::PartialSums const& partial)
{
  bool const stores = is_there && threadIdx.y == 0;
  if (gridDim.y > 1) {
    index_t const pairs = (p.rows + 1) / 2;
    auto* const sums = reinterpret_cast<double2*>(partial.values) + pair;
    if (stores)
      sums[pairs * blockIdx.y] = sum[0];
    if (!cuda::is_last_block(partial.tickets + blockIdx.x, gridDim.y))
      return;
    sum[0] = {};
    if (is_there) {
#pragma unroll 8
      for (unsigned part = threadIdx.y; part < gridDim.y; part += blockDim.y)
        add_product(sum[0], __ldcg(sums + pairs * part), 1);
    }
    sum_over_y(scratch, sum);
  }
  if (stores)
    p.y[2 * pair] = sum[0].x;
  if (stores && 2 * pair + 1 < p.rows)
    p.y[2 * pair + 1] = sum[0].y;
}

/// Of an even number of rows; the matrix stays in the cache or not.
template <bool Stays>
__global__ void __launch_bounds__(threads, resident)
    across_by_hand(Product p, cuda::PartialSums partial, index_t part_cols)
{
  __shared__ double2 scratch[1][threads];
  index_t const pair = blockIdx.x * static_cast<index_t>(blockDim.x) + threadIdx.x;
  bool const is_there = 2 * pair < p.rows;
  index_t const begin = blockIdx.y * part_cols;
  double2 sum[1] = {};
  if (is_there)
    sum[0] = column_sum<loads_at_once, Stays>(
        reinterpret_cast<double2 const*>(p.a) + pair, p.rows / 2, p.x, begin + threadIdx.y,
        min(p.cols, begin + part_cols), static_cast<index_t>(blockDim.y));
  sum_over_y(scratch, sum);
  store_pair(scratch, sum, pair, is_there, p, partial);
}

/// Of an odd number of rows: odd columns begin 8 bytes behind 16, so that a thread's pairs of
/// them are one row earlier than those of even columns. It sums both kinds apart, and the
/// block's last thread along x only completes the sums of the one before. A pair may reach into
/// the next column or behind the matrix; what it has of there is not used.
template <bool Stays>
__global__ void __launch_bounds__(threads, resident)
    across_odd_by_hand(Product p, cuda::PartialSums partial, index_t part_cols)
{
  constexpr int unroll = loads_at_once / 2;
  __shared__ double2 scratch[2][threads];
  __shared__ double next[threads];
  unsigned const owned = blockDim.x - 1;
  index_t const pair = blockIdx.x * static_cast<index_t>(owned) + threadIdx.x;
  index_t const begin = blockIdx.y * part_cols;
  index_t const end = min(p.cols, begin + part_cols);
  index_t const step = 2 * static_cast<index_t>(blockDim.y);
  index_t col = begin + 2 * threadIdx.y;
  double const* const a = p.a + min(2 * pair, p.rows - 1);
  double2 sum[2] = {}; // of even columns, of odd ones
  auto const add = [&](auto is_there) {
    double2 element[unroll][2];
#pragma unroll
    for (int u = 0; u < unroll; ++u)
#pragma unroll
      for (int odd = 0; odd < 2; ++odd) {
        index_t const at = col + u * step + odd;
        element[u][odd] =
            is_there(at) ? load<Stays>(reinterpret_cast<double2 const*>(a + p.rows * at - odd))
                         : double2{};
      }
#pragma unroll
    for (int u = 0; u < unroll; ++u)
#pragma unroll
      for (int odd = 0; odd < 2; ++odd) {
        index_t const at = col + u * step + odd;
        if (is_there(at))
          add_product(sum[odd], element[u][odd], __ldg(p.x + at));
      }
  };
  for (; col + (unroll - 1) * step + 1 < end; col += unroll * step)
    add([](index_t) { return true; });
  for (; col < end; col += unroll * step)
    add([end](index_t at) { return at < end; });
  sum_over_y(scratch, sum);
  if (threadIdx.y == 0)
    next[threadIdx.x] = sum[1].x;
  __syncthreads();
  double2 of_pair[1] = {{sum[0].x + sum[1].y, sum[0].y + next[min(threadIdx.x + 1, owned)]}};
  store_pair(scratch, of_pair, pair, threadIdx.x < owned && 2 * pair < p.rows, p, partial);
}

/// A grid of `blocks` times `parts` blocks, with `along` threads along x, which have
/// `part_cols` columns each.
struct AcrossPlan
{
  unsigned along;
  unsigned blocks;
  unsigned parts;
  index_t part_cols;

  bool operator==(AcrossPlan const&) const = default;
};

std::vector<AcrossPlan> across_plans(Product const& p)
{
  constexpr index_t sums_at_once = 8; // of partial sums
  bool const is_even = p.rows % 2 == 0;
  index_t const pairs = (p.rows + 1) / 2;
  Shortlist<AcrossPlan> fastest(blocks_at_once());
  for (index_t along = is_even ? 1 : 2; along <= threads && along < 4 * pairs; along *= 2) {
    index_t const over = threads / along;
    index_t const blocks = quotient_up(pairs, is_even ? along : along - 1);
    for_parts(blocks, 2 * most_sharing_blocks(), [&](index_t wanted) {
      index_t const part_cols = rounded_up(quotient_up(p.cols, wanted), 2 * over);
      index_t const parts = quotient_up(p.cols, part_cols);
      index_t const loaded = static_cast<index_t>(sizeof(double2)) * along + piece_cost;
      if (may_share(blocks, parts, 2 * pairs))
        fastest.offer({blocks, parts, quotient_up(part_cols, loads_at_once * over),
                       part_cols * loaded, quotient_up(parts, sums_at_once * over)},
                      {static_cast<unsigned>(along), static_cast<unsigned>(blocks),
                       static_cast<unsigned>(parts), part_cols});
    });
  }
  return fastest.plans();
}

} // namespace

void best_left(Product const& p)
{
  if (p.rows == 1 && p.cols > 1)
    return best_right(p); // in memory the same
  bool const stays = stays_in_cache(p);
  auto* const kernel = p.rows % 2 == 0 ? (stays ? across_by_hand<true> : across_by_hand<false>)
                       : stays         ? across_odd_by_hand<true>
                                       : across_odd_by_hand<false>;
  auto const launch = [&](AcrossPlan const& plan) {
    kernel<<<dim3(plan.blocks, plan.parts), dim3(plan.along, threads / plan.along)>>>(
        p, partial_sums(), plan.part_cols);
  };
  static Plans<AcrossPlan> plans;
  launch(plans.of(p.rows, p.cols, [&] { return fastest_of(across_plans(p), launch); }));
}

} // namespace strata::matvec::native

#endif
