#include "native.hpp"
#include "native_column_sum.hpp"
#include "native_split.hpp"

#include <algorithm>
#include <vector>

#if defined(KOKKOS_ENABLE_CUDA)

// Dense products by hand on an NVIDIA GPU where columns are contiguous.

namespace strata::matvec::native {

namespace {

// Column-major: threads along the rows, in pairs of which one load of 16 bytes takes each. The
// block's threads along x have neighbouring pairs, and those along y share a part of the
// columns; so do the grid's blocks.

/// y = the sums over the block's threads of one threadIdx.x of their pairs of rows, which begin
/// with row `first`; of the rows below `end`. Where blocks share the rows, the last one adds
/// their parts.
__device__ void store_rows(double2 mine, index_t first, index_t end, Product const& p,
                           nvidia::PartialSums const& partial)
{
  __shared__ double2 of_thread[threads];
  auto const* const sums = reinterpret_cast<double const*>(of_thread);
  int const thread = static_cast<int>(threadIdx.x + threadIdx.y * blockDim.x);
  int const wide = static_cast<int>(2 * blockDim.x); // rows of which a y has sums
  int const count = static_cast<int>(min(end - first, static_cast<index_t>(wide)));
  of_thread[thread] = mine;
  __syncthreads();
  bool const is_only = gridDim.y == 1;
  double* const to = is_only ? p.y + first : partial.values + p.rows * blockIdx.y + first;
  for (int row = thread; row < count; row += threads) {
    double sum = 0;
#pragma unroll 4
    for (int y = 0; y < static_cast<int>(blockDim.y); ++y)
      sum += sums[y * wide + row];
    to[row] = sum;
  }
  if (is_only || !nvidia::is_last_block(partial.tickets + blockIdx.x, gridDim.y))
    return;
  // A row has as many threads as the block has for each.
  int const over = max(threads / wide, 1);
  auto* const scratch = reinterpret_cast<double*>(of_thread);
  for (int at = thread; at < wide * over; at += threads) {
    int const row = at % wide;
    scratch[at] = row < count ? sum_of_parts(partial.values + first + row, p.rows, at / wide,
                                             gridDim.y, over)
                              : 0;
  }
  __syncthreads();
  for (int row = thread; row < count; row += threads) {
    double sum = 0;
#pragma unroll 4
    for (int y = 0; y < over; ++y)
      sum += scratch[y * wide + row];
    p.y[first + row] = sum;
  }
}

/// Of an even number of rows; the matrix stays in the cache or not.
template <bool Stays>
__global__ void __launch_bounds__(threads, resident)
    across_by_hand(Product p, nvidia::PartialSums partial, index_t part_cols)
{
  nvidia::await_last_launch();
  index_t const first = blockIdx.x * static_cast<index_t>(blockDim.x);
  index_t const pair = first + threadIdx.x;
  index_t const begin = blockIdx.y * part_cols;
  double2 sum = {};
  if (2 * pair < p.rows)
    sum = column_sum<loads_at_once, Stays>(
        reinterpret_cast<double2 const*>(p.a) + pair, p.rows / 2, p.x, begin + threadIdx.y,
        min(p.cols, begin + part_cols), static_cast<index_t>(blockDim.y));
  store_rows(sum, 2 * first, p.rows, p, partial);
}

/// `mine` of the thread behind this one along x; anything in the last one. All threads call it.
__device__ double of_next_thread(double mine)
{
  if (blockDim.x <= nvidia::warp)
    return __shfl_down_sync(0xffffffffU, mine, 1);
  __shared__ double of_thread[threads];
  unsigned const thread = threadIdx.x + threadIdx.y * blockDim.x;
  of_thread[thread] = mine;
  __syncthreads();
  return of_thread[min(thread + 1, threads - 1)];
}

/// Of an odd number of rows: odd columns begin 8 bytes behind 16, so that a thread's pairs of
/// them are one row earlier than those of even columns. It sums both kinds apart, and the
/// block's last thread along x only completes the sums of the one before. A pair may reach into
/// the next column or behind the matrix; what it has of there is not used.
template <bool Stays>
__global__ void __launch_bounds__(threads, resident)
    across_odd_by_hand(Product p, nvidia::PartialSums partial, index_t part_cols)
{
  nvidia::await_last_launch();
  constexpr int unroll = loads_at_once / 2;
  unsigned const owned = blockDim.x - 1;
  index_t const first = blockIdx.x * static_cast<index_t>(owned);
  index_t const pair = first + threadIdx.x;
  index_t const begin = blockIdx.y * part_cols;
  index_t const end = min(p.cols, begin + part_cols);
  index_t const step = 2 * static_cast<index_t>(blockDim.y);
  index_t col = begin + 2 * threadIdx.y;
  index_t const far = step * p.rows;
  double const* from = p.a + min(2 * pair, p.rows - 1) + col * p.rows;
  double2 sum[2] = {}; // of even columns, of odd ones
  auto const add = [&](auto is_there) {
    double2 element[unroll][2];
#pragma unroll
    for (int u = 0; u < unroll; ++u)
#pragma unroll
      for (int odd = 0; odd < 2; ++odd) {
        auto const* const pair_of_rows =
            reinterpret_cast<double2 const*>(from + u * far + odd * (p.rows - 1));
        element[u][odd] =
            is_there(col + u * step + odd) ? load<Stays>(pair_of_rows) : double2{};
      }
#pragma unroll
    for (int u = 0; u < unroll; ++u)
#pragma unroll
      for (int odd = 0; odd < 2; ++odd) {
        index_t const at = col + u * step + odd;
        if (is_there(at))
          add_product(sum[odd], element[u][odd], __ldg(p.x + at));
      }
    col += unroll * step;
    from += unroll * far;
  };
  while (col + (unroll - 1) * step + 1 < end)
    add([](index_t) { return true; });
  while (col < end)
    add([end](index_t at) { return at < end; });
  store_rows({sum[0].x + sum[1].y, sum[0].y + of_next_thread(sum[1].x)}, 2 * first,
             min(p.rows, 2 * (first + owned)), p, partial);
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
  bool const is_even = p.rows % 2 == 0;
  index_t const pairs = (p.rows + 1) / 2;
  Shortlist<AcrossPlan> fastest(blocks_at_once());
  for (index_t along = is_even ? 1 : 2; along <= threads && along < 4 * pairs; along *= 2) {
    index_t const over = threads / along;
    index_t const adding = std::max<index_t>(over / 2, 1) * parts_at_once; // of a row's parts
    index_t const blocks = quotient_up(pairs, is_even ? along : along - 1);
    for_parts(blocks, 2 * most_sharing_blocks(), [&](index_t wanted) {
      index_t const part_cols = rounded_up(quotient_up(p.cols, wanted), 2 * over);
      index_t const parts = quotient_up(p.cols, part_cols);
      index_t const loaded = static_cast<index_t>(sizeof(double2)) * along + piece_cost;
      if (may_share(blocks, parts, 2 * pairs))
        fastest.offer({blocks, parts, quotient_up(part_cols, loads_at_once * over),
                       part_cols * loaded, quotient_up(parts, adding)},
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
    nvidia::launch_early(kernel, dim3(plan.blocks, plan.parts),
                         dim3(plan.along, threads / plan.along), 0, nvidia::stream(), p,
                         partial_sums(), plan.part_cols);
  };
  static Plans<AcrossPlan> plans;
  launch(plans.of(p.rows, p.cols, [&] { return fastest_of(across_plans(p), launch); }));
}

} // namespace strata::matvec::native

#endif
