#include "native.hpp"
#include "native_column_sum.hpp"
#include "native_split.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

#if defined(KOKKOS_ENABLE_CUDA)

// Dense products by hand on an NVIDIA GPU where rows are contiguous.

namespace strata::matvec::native {

namespace {

using nvidia::warp;

/// Sums over a block, in its first thread; a __syncthreads lies between two calls.
template <int Rows>
__device__ void block_sums(double (&sum)[Rows])
{
  constexpr int warps = threads / warp;
  __shared__ double of_warp[Rows][warps];
  int const lane = static_cast<int>(threadIdx.x) % warp;
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    sum[r] = nvidia::warp_sum(sum[r]);
    if (lane == 0)
      of_warp[r][threadIdx.x / warp] = sum[r];
  }
  __syncthreads();
#pragma unroll
  for (int r = 0; r < Rows; ++r)
    sum[r] = nvidia::lanes_sum<warps>(of_warp[r][lane % warps]);
}

/// Adds to the sums of rows that begin `stride` apart the pairs of columns q, q + Lanes, ...
/// below `end`. All loads of some come first. x begins on 16 bytes if Even.
template <int Rows, int Lanes, bool Even, bool Stays>
__device__ void add_pairs(double (&sum)[Rows], double const* __restrict__ a, index_t stride,
                          double const* __restrict__ x, index_t q, index_t end)
{
  double2 of_pairs[Rows] = {};
  auto const add = [&](auto count, auto is_there) {
    constexpr int some = decltype(count)::value;
    double2 element[some][Rows];
#pragma unroll
    for (int u = 0; u < some; ++u)
#pragma unroll
      for (int r = 0; r < Rows; ++r)
        element[u][r] =
            is_there(u)
                ? load<Stays>(reinterpret_cast<double2 const*>(a + r * stride) + q + u * Lanes)
                : double2{};
#pragma unroll
    for (int u = 0; u < some; ++u)
      if (is_there(u)) {
        index_t const at = q + u * Lanes;
        double2 const factor = Even ? __ldg(reinterpret_cast<double2 const*>(x) + at)
                                    : double2{__ldg(x + 2 * at), __ldg(x + 2 * at + 1)};
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
          of_pairs[r].x += element[u][r].x * factor.x;
          of_pairs[r].y += element[u][r].y * factor.y;
        }
      }
  };
#pragma unroll 1 // more loads at once gain nothing, and their code has to be fetched
  for (; q + (loads_at_once - 1) * Lanes < end; q += loads_at_once * Lanes)
    add(std::integral_constant<int, loads_at_once>(), [](int) { return true; });
  if (q < end) // one fewer, for which there are registers before any product
    add(std::integral_constant<int, loads_at_once - 1>(),
        [&](int u) { return q + u * Lanes < end; });
#pragma unroll
  for (int r = 0; r < Rows; ++r)
    sum[r] += of_pairs[r].x + of_pairs[r].y;
}

/// Lanes threads (some of a warp, or a block) share Rows rows, two apart: where the number of
/// columns is odd, these begin alike on 16 bytes or 8 behind. Blocks along the grid's y share
/// the rows' pairs of columns. The matrix stays in the cache or not.
template <int Lanes, int Rows, bool Even, bool Stays>
__global__ void __launch_bounds__(threads, resident)
    along_by_hand(Product p, nvidia::PartialSums partial, index_t part_pairs)
{
  nvidia::await_last_launch();
  constexpr bool block_has_group = Lanes == threads;
  index_t const group = (blockIdx.x * static_cast<index_t>(threads) + threadIdx.x) / Lanes;
  int const lane = static_cast<int>(threadIdx.x) % Lanes;
  index_t const first = group / 2 * (2 * Rows) + group % 2;
  if (block_has_group && first >= p.rows)
    return;
  index_t const row = min(first, p.rows - 1);
  index_t const shift = Even ? 0 : row % 2; // columns before the first pair
  index_t const pairs = (p.cols - shift) / 2;
  // A second row behind the last one is the first one again, and is not stored.
  static_assert(Rows <= 2);
  index_t const stride = first + 2 * (Rows - 1) < p.rows ? 2 * p.cols : 0;
  double const* const a = p.a + row * p.cols;
  double sum[Rows] = {};
  // An odd number of columns leaves one outside of the pairs, which is loaded before them.
  double outside[Rows] = {};
  double factor = 0;
  if (!Even && blockIdx.y == 0 && lane == 0) {
    index_t const col = shift == 1 ? 0 : p.cols - 1;
    factor = __ldg(p.x + col);
#pragma unroll
    for (int r = 0; r < Rows; ++r)
      outside[r] = __ldg(a + r * stride + col);
  }
  index_t const begin = blockIdx.y * part_pairs;
  add_pairs<Rows, Lanes, Even, Stays>(sum, a + shift, stride, p.x + shift, begin + lane,
                                      min(pairs, begin + part_pairs));
#pragma unroll
  for (int r = 0; r < Rows; ++r)
    sum[r] += outside[r] * factor;
  if constexpr (block_has_group) {
    block_sums(sum);
    if (gridDim.y > 1) {
      double* const sums = partial.values + blockIdx.x * static_cast<index_t>(Rows) * gridDim.y;
      if (lane == 0)
        for (int r = 0; r < Rows; ++r)
          sums[r * gridDim.y + blockIdx.y] = sum[r];
      if (!nvidia::is_last_block(partial.tickets + blockIdx.x, gridDim.y))
        return;
      bool const are_few = gridDim.y <= 4 * warp; // one warp adds them without a barrier
      unsigned const adding = are_few ? warp : threads;
      if (threadIdx.x >= adding)
        return;
#pragma unroll
      for (int r = 0; r < Rows; ++r) {
        sum[r] = sum_of_parts(sums + r * gridDim.y, 1, threadIdx.x, gridDim.y, adding);
        if (are_few)
          sum[r] = nvidia::warp_sum(sum[r]);
      }
      if (!are_few)
        block_sums(sum);
    }
  } else {
#pragma unroll
    for (int r = 0; r < Rows; ++r)
      sum[r] = nvidia::lanes_sum<Lanes>(sum[r]);
  }
  if (lane == 0)
    for (int r = 0; r < Rows; ++r)
      if (first + 2 * r < p.rows)
        p.y[first + 2 * r] = sum[r];
}

using Kernel = void (*)(Product, nvidia::PartialSums, index_t);

/// Kernels of one division, by whether the number of columns is even and the matrix stays.
struct Along
{
  int lanes;
  int rows;
  Kernel kernel[2][2];
};

template <int Lanes, int Rows>
constexpr Along along()
{
  return {Lanes,
          Rows,
          {{along_by_hand<Lanes, Rows, false, false>, along_by_hand<Lanes, Rows, false, true>},
           {along_by_hand<Lanes, Rows, true, false>, along_by_hand<Lanes, Rows, true, true>}}};
}

constexpr Along ways[] = {along<2, 1>(),      along<2, 2>(),    along<8, 1>(),
                          along<8, 2>(),      along<warp, 1>(), along<threads, 1>(),
                          along<threads, 2>()};

struct AlongPlan
{
  Along const* way;
  unsigned blocks;
  unsigned parts;
  index_t part_pairs;

  bool operator==(AlongPlan const&) const = default;
};

std::vector<AlongPlan> along_plans(Product const& p)
{
  index_t const pairs = std::max<index_t>(p.cols / 2, 1);
  Shortlist<AlongPlan> fastest(blocks_at_once());
  for (auto const& way : ways) {
    index_t const of_block = threads / way.lanes;
    index_t const blocks = blocks_of_groups(p.rows, threads, way.lanes, way.rows, 2);
    for_parts(blocks, way.lanes == threads ? 2 * most_sharing_blocks() : 0,
              [&](index_t wanted) {
                index_t const steps = quotient_up(pairs, way.lanes);
                index_t const part_steps = quotient_up(steps, wanted);
                index_t const part_pairs = part_steps * way.lanes;
                index_t const parts = quotient_up(steps, part_steps);
                index_t const loaded =
                    std::min(part_pairs, pairs) * static_cast<index_t>(sizeof(double2)) +
                    part_steps * piece_cost;
                if (may_share(blocks, parts, blocks * way.rows))
                  fastest.offer({blocks, parts, quotient_up(part_steps, loads_at_once),
                                 of_block * way.rows * loaded,
                                 quotient_up(parts, parts_at_once * threads)},
                                {&way, static_cast<unsigned>(blocks),
                                 static_cast<unsigned>(parts), part_pairs});
              });
  }
  return fastest.plans();
}

} // namespace

void best_right(Product const& p)
{
  if (p.cols == 1 && p.rows > 1)
    return best_left(p); // in memory the same
  auto const launch = [&](AlongPlan const& plan) {
    auto* const kernel = plan.way->kernel[p.cols % 2 == 0][stays_in_cache(p)];
    nvidia::launch_early(kernel, dim3(plan.blocks, plan.parts), threads, 0, nvidia::stream(), p,
                         partial_sums(), plan.part_pairs);
  };
  static Plans<AlongPlan> plans;
  launch(plans.of(p.rows, p.cols, [&] { return fastest_of(along_plans(p), launch); }));
}

} // namespace strata::matvec::native

#endif
