#include "native.hpp"
#include "native_column_sum.hpp"
#include "native_launch.hpp"

#include <algorithm>

#if defined(KOKKOS_ENABLE_CUDA)

// Dense products by hand on an NVIDIA GPU, in one launch each. Where there are too few rows to
// fill the device, the sum is split over blocks, and the last block of some rows adds the
// blocks' parts, always in the same order.

namespace strata::matvec::native {

namespace {

using cuda::warp;

constexpr int threads = 256;      // of a block
constexpr int resident = 4;       // blocks of a multiprocessor; leaves 64 registers
constexpr index_t most_waves = 2; // of resident blocks, where the sum is split

/// Partial sums of launches whose sums are split: at most most_waves · resident blocks for each
/// multiprocessor, of at most 128 rows each.
cuda::PartialSums const& partial_sums()
{
  static index_t const blocks = most_waves * resident * multiprocessors();
  static cuda::PartialSums const memory("strata::matvec::native::partial_sums", blocks * 128,
                                        blocks);
  return memory;
}

/// The number of parts of a sum whose rows take `blocks` blocks; each has at least `least`
/// terms.
index_t parts_for(index_t blocks, index_t terms, index_t least)
{
  return std::clamp<index_t>(most_waves * resident * multiprocessors() / blocks, 1,
                             std::max<index_t>(terms / least, 1));
}

index_t rounded_up(index_t n, index_t step)
{
  return (n + step - 1) / step * step;
}

// Column-major: threads along the rows.

/// Of one row, or of two with one load of 16 bytes.
template <class V>
constexpr int width = sizeof(V) / sizeof(double);

/// Σ over the block's threads of one threadIdx.x, in those whose threadIdx.y is 0; a
/// __syncthreads lies between two calls.
template <class V>
__device__ V sum_over_y(V mine)
{
  __shared__ V sums[threads];
  int const at = static_cast<int>(threadIdx.x + threadIdx.y * blockDim.x);
  sums[at] = mine;
  __syncthreads();
  for (unsigned half = blockDim.y / 2; half > 0; half /= 2) {
    if (threadIdx.y < half)
      add_product(sums[at], sums[at + half * blockDim.x], 1);
    __syncthreads();
  }
  return sums[threadIdx.x];
}

/// The block's threads along x have neighbouring items (rows, or pairs of rows), and those
/// along y share a part of the columns; so do the grid's blocks.
template <class V>
__global__ void __launch_bounds__(threads, resident)
    across_by_hand(V const* __restrict__ a, double const* __restrict__ x, V* __restrict__ y,
                   cuda::PartialSums partial, index_t items, index_t cols, index_t part_cols)
{
  index_t const item = blockIdx.x * static_cast<index_t>(blockDim.x) + threadIdx.x;
  bool const is_there = item < items;
  index_t const begin = blockIdx.y * part_cols;
  V sum = {};
  if (is_there)
    sum = column_sum(a + item, items, x, begin + threadIdx.y, min(cols, begin + part_cols),
                     static_cast<index_t>(blockDim.y));
  sum = sum_over_y(sum);
  bool const stores = is_there && threadIdx.y == 0;
  if (gridDim.y > 1) {
    V* const sums = reinterpret_cast<V*>(partial.values) + item;
    if (stores)
      sums[items * blockIdx.y] = sum;
    if (!cuda::is_last_block(partial.tickets + blockIdx.x, gridDim.y))
      return;
    sum = {};
    if (is_there) {
#pragma unroll 8
      for (unsigned part = threadIdx.y; part < gridDim.y; part += blockDim.y)
        add_product(sum, __ldcg(sums + items * part), 1);
    }
    sum = sum_over_y(sum);
  }
  if (stores)
    y[item] = sum;
}

template <class V>
void launch_across(Product const& p)
{
  index_t const items = p.rows / width<V>;
  constexpr unsigned least = 4; // columns of a thread
  unsigned along = 64;
  while (along > 1 && along / 2 >= items)
    along /= 2;
  while (along < threads && threads / along * least > p.cols)
    along *= 2;
  unsigned const over = threads / along;
  index_t const blocks = (items + along - 1) / along;
  index_t const wanted = parts_for(blocks, p.cols, 8 * over);
  index_t const part_cols = rounded_up((p.cols + wanted - 1) / wanted, over);
  auto const parts = static_cast<unsigned>((p.cols + part_cols - 1) / part_cols);
  across_by_hand<<<dim3(static_cast<unsigned>(blocks), parts), dim3(along, over)>>>(
      reinterpret_cast<V const*>(p.a), p.x, reinterpret_cast<V*>(p.y), partial_sums(), items,
      p.cols, part_cols);
}

// Row-major: threads along the columns.

/// Sums over a block, in its first thread; a __syncthreads lies between two calls.
template <int Rows>
__device__ void block_sums(double (&sum)[Rows])
{
  constexpr int warps = threads / warp;
  __shared__ double of_warp[Rows][warps];
  int const lane = static_cast<int>(threadIdx.x) % warp;
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    sum[r] = cuda::warp_sum(sum[r]);
    if (lane == 0)
      of_warp[r][threadIdx.x / warp] = sum[r];
  }
  __syncthreads();
#pragma unroll
  for (int r = 0; r < Rows; ++r)
    sum[r] = cuda::warp_sum(lane < warps ? of_warp[r][lane] : 0);
}

/// Adds to the sums of rows that begin `stride` apart the pairs of columns q, q + Lanes, ...
/// below `end`. All loads of four of them come first. x begins on 16 bytes if Even.
template <int Rows, int Lanes, bool Even>
__device__ void add_pairs(double (&sum)[Rows], double const* __restrict__ a, index_t stride,
                          double const* __restrict__ x, index_t q, index_t end)
{
  constexpr int unroll = 4;
  auto const add = [&](auto is_there) {
    double2 element[unroll][Rows];
#pragma unroll
    for (int u = 0; u < unroll; ++u)
#pragma unroll
      for (int r = 0; r < Rows; ++r)
        element[u][r] =
            is_there(u)
                ? __ldg(reinterpret_cast<double2 const*>(a + r * stride) + q + u * Lanes)
                : double2{};
#pragma unroll
    for (int u = 0; u < unroll; ++u)
      if (is_there(u)) {
        index_t const at = q + u * Lanes;
        double2 const factor = Even ? __ldg(reinterpret_cast<double2 const*>(x) + at)
                                    : double2{__ldg(x + 2 * at), __ldg(x + 2 * at + 1)};
#pragma unroll
        for (int r = 0; r < Rows; ++r)
          sum[r] += element[u][r].x * factor.x + element[u][r].y * factor.y;
      }
  };
  for (; q + (unroll - 1) * Lanes < end; q += unroll * Lanes)
    add([](int) { return true; });
  if (q < end)
    add([&](int u) { return q + u * Lanes < end; });
}

/// Lanes threads (some of a warp, or a block) share Rows rows, two apart: where the number of
/// columns is odd, these begin alike on 16 bytes or 8 behind. Blocks along the grid's y share
/// the rows' pairs of columns.
template <int Lanes, int Rows, bool Even>
__global__ void __launch_bounds__(threads, resident)
    along_by_hand(Product p, cuda::PartialSums partial, index_t part_pairs)
{
  constexpr bool block_has_group = Lanes == threads;
  index_t const group = (blockIdx.x * static_cast<index_t>(threads) + threadIdx.x) / Lanes;
  int const lane = static_cast<int>(threadIdx.x) % Lanes;
  index_t const first = group / 2 * (2 * Rows) + group % 2;
  if (block_has_group && first >= p.rows)
    return;
  index_t const row = min(first, p.rows - 1);
  index_t const shift = Even ? 0 : row % 2; // columns before the first pair
  index_t const pairs = (p.cols - shift) / 2;
  // A row behind the last one is the first one again, and is not stored.
  bool const whole = first + 2 * (Rows - 1) < p.rows;
  index_t const stride = whole ? 2 * p.cols : 0;
  double const* const a = p.a + row * p.cols;
  double sum[Rows] = {};
  index_t const begin = blockIdx.y * part_pairs;
  add_pairs<Rows, Lanes, Even>(sum, a + shift, stride, p.x + shift, begin + lane,
                               min(pairs, begin + part_pairs));
  if (blockIdx.y == 0) {
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      double const* const of_row = a + r * stride;
      if (shift == 1 && lane == 0)
        sum[r] += of_row[0] * p.x[0];
      if (shift + 2 * pairs < p.cols && lane == Lanes - 1)
        sum[r] += of_row[p.cols - 1] * p.x[p.cols - 1];
    }
  }
  if constexpr (block_has_group) {
    block_sums(sum);
    if (gridDim.y > 1) {
      double* const sums = partial.values + blockIdx.x * static_cast<index_t>(Rows) * gridDim.y;
      if (lane == 0)
        for (int r = 0; r < Rows; ++r)
          sums[r * gridDim.y + blockIdx.y] = sum[r];
      if (!cuda::is_last_block(partial.tickets + blockIdx.x, gridDim.y))
        return;
      for (int r = 0; r < Rows; ++r) {
        sum[r] = 0;
        for (unsigned part = threadIdx.x; part < gridDim.y; part += threads)
          sum[r] += __ldcg(sums + r * gridDim.y + part);
      }
      block_sums(sum);
    }
  } else {
#pragma unroll
    for (int r = 0; r < Rows; ++r)
      sum[r] = cuda::lanes_sum<Lanes>(sum[r]);
  }
  if (lane == 0)
    for (int r = 0; r < Rows; ++r)
      if (first + 2 * r < p.rows)
        p.y[first + 2 * r] = sum[r];
}

template <int Lanes, int Rows>
void launch_along(Product const& p)
{
  constexpr index_t at_once = 4 * Lanes; // pairs in flight
  constexpr index_t groups_of_block = threads / Lanes;
  index_t const pairs = p.cols / 2;
  index_t const groups = (p.rows + 2 * Rows - 1) / (2 * Rows) * 2;
  index_t const blocks = (groups + groups_of_block - 1) / groups_of_block;
  index_t const wanted = Lanes == threads ? parts_for(blocks, pairs, at_once) : 1;
  index_t const part_pairs =
      std::max(rounded_up((pairs + wanted - 1) / wanted, Lanes), index_t{1});
  auto const parts =
      static_cast<unsigned>(std::max<index_t>((pairs + part_pairs - 1) / part_pairs, 1));
  dim3 const grid(static_cast<unsigned>(blocks), parts);
  if (p.cols % 2 == 0)
    along_by_hand<Lanes, Rows, true><<<grid, threads>>>(p, partial_sums(), part_pairs);
  else
    along_by_hand<Lanes, Rows, false><<<grid, threads>>>(p, partial_sums(), part_pairs);
}

} // namespace

void best_left(Product const& p)
{
  if (p.rows % 2 == 0)
    launch_across<double2>(p);
  else
    launch_across<double>(p);
}

void best_right(Product const& p)
{
  constexpr index_t few = 4; // pairs of a thread
  index_t const pairs = p.cols / 2;
  index_t const warps = (p.rows + 1) / 2; // with two rows each
  bool const fill_device = warps * warp >= resident * threads * multiprocessors();
  if (p.rows <= 2)
    launch_along<threads, 1>(p);
  else if (pairs > 8 * few * warp || (pairs > few * warp && !fill_device))
    launch_along<threads, 2>(p);
  else if (pairs > few * 16)
    launch_along<warp, 2>(p);
  else if (pairs > few * 8)
    launch_along<16, 2>(p);
  else if (pairs > few * 4)
    launch_along<8, 2>(p);
  else if (pairs > few * 2)
    launch_along<4, 2>(p);
  else if (pairs > few)
    launch_along<2, 2>(p);
  else
    launch_along<1, 2>(p);
}

} // namespace strata::matvec::native

#endif
