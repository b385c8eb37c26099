#include "native_batched.hpp"

#include "native_launch.hpp"

#include "base/cuda/sum.hpp"
#include "base/kokkos.hpp"
#include "kernels/lanes.hpp"

#include <algorithm>

namespace strata::matvec::native {

namespace {

template <int Order>
KOKKOS_FUNCTION index_t order_of(Batch const& batch)
{
  return Order > 0 ? Order : batch.order;
}

/// Of operands that no kernel writes: a GPU may load them in advance.
KOKKOS_FUNCTION inline double fetched(double const* from)
{
#if defined(__CUDA_ARCH__)
  return __ldg(from);
#else
  return *from;
#endif
}

/// Row i of y_b.
template <int Order, bool Left>
KOKKOS_FUNCTION void row_of(Batch const& batch, index_t b, index_t i)
{
  index_t const n = order_of<Order>(batch);
  index_t const count = batch.count;
  double sum = 0;
  for (index_t j = 0; j < n; ++j)
    sum += fetched(batch.a + (Left ? b + count * (i + n * j) : (b * n + i) * n + j)) *
           fetched(batch.x + (Left ? b + count * j : b * n + j));
  batch.y[Left ? b + count * i : b * n + i] = sum;
}

template <int Order, bool Left>
KOKKOS_FUNCTION void matrix_of(Batch const& batch, index_t b)
{
  for (index_t i = 0; i < order_of<Order>(batch); ++i)
    row_of<Order, Left>(batch, b, i);
}

#if defined(KOKKOS_ENABLE_CUDA)

constexpr int together = 8; ///< rows whose sums a thread has at once

template <int Order, bool Left>
__global__ void __launch_bounds__(block) matrix_by_hand(Batch batch)
{
  nvidia::await_last_launch();
  if (my_item() < batch.count)
    matrix_of<Order, Left>(batch, my_item());
}

/// A thread for one row of a matrix, by loads of 16 bytes where rows begin on these.
template <int Order>
__global__ void __launch_bounds__(block) right_row_by_hand(Batch batch)
{
  nvidia::await_last_launch();
  index_t const n = order_of<Order>(batch);
  index_t const row = my_item();
  if (row >= batch.count * n)
    return;
  if (n % 2 != 0)
    return row_of<Order, false>(batch, row / n, row % n);
  auto const* const a = reinterpret_cast<double2 const*>(batch.a + row * n);
  auto const* const x = reinterpret_cast<double2 const*>(batch.x + row / n * n);
  double sum = 0;
  for (index_t pair = 0; pair < n / 2; ++pair) {
    double2 const element = __ldg(a + pair);
    double2 const factor = __ldg(x + pair);
    sum += element.x * factor.x + element.y * factor.y;
  }
  batch.y[row] = sum;
}

/// A thread for Rows rows of a matrix.
template <int Order, int Rows>
__global__ void __launch_bounds__(block) left_by_hand(Batch batch)
{
  nvidia::await_last_launch();
  index_t const b = my_item();
  if (b >= batch.count)
    return;
  index_t const n = order_of<Order>(batch);
  index_t const first = blockIdx.y * static_cast<index_t>(Rows);
  double sum[Rows] = {};
  for (index_t j = 0; j < n; ++j) {
    double const factor = __ldg(batch.x + b + batch.count * j);
#pragma unroll
    for (int i = 0; i < Rows; ++i)
      if (first + i < n)
        sum[i] += __ldg(batch.a + b + batch.count * (first + i + n * j)) * factor;
  }
#pragma unroll
  for (int i = 0; i < Rows; ++i)
    if (first + i < n)
      batch.y[b + batch.count * (first + i)] = sum[i];
}

/// Σ over Lanes threads of each of N ≤ Lanes sums: returns that of number lane / (Lanes / N).
/// At each step a thread sends the half of its sums that it does not keep.
template <int Lanes, int N>
__device__ double shared_sums(double (&sum)[N], int lane)
{
  constexpr unsigned all = 0xffffffffU;
  int distance = Lanes / 2;
#pragma unroll
  for (int n = N / 2; n > 0; n /= 2, distance /= 2) {
    bool const upper = (lane & distance) != 0;
#pragma unroll
    for (int i = 0; i < n; ++i) {
      double const kept = upper ? sum[n + i] : sum[i];
      double const sent = upper ? sum[i] : sum[n + i];
      sum[i] = kept + __shfl_xor_sync(all, sent, distance, Lanes);
    }
  }
  for (; distance > 0; distance /= 2)
    sum[0] += __shfl_xor_sync(all, sum[0], distance, Lanes);
  return sum[0];
}

/// So many threads along the rows of a matrix, `together` rows at a time.
template <int Order, int Lanes>
__global__ void __launch_bounds__(block) right_by_hand(Batch batch)
{
  nvidia::await_last_launch();
  index_t const b = my_item() / Lanes;
  int const lane = static_cast<int>(threadIdx.x) % Lanes;
  index_t const n = order_of<Order>(batch);
  index_t const columns = b < batch.count ? n : 0;
  double const* const a = batch.a + b * n * n;
  for (index_t first = 0; first < n; first += together) {
    double sum[together] = {};
    for (index_t j = lane; j < columns; j += Lanes) {
      double const factor = __ldg(batch.x + b * n + j);
#pragma unroll
      for (int i = 0; i < together; ++i)
        if (first + i < n)
          sum[i] += __ldg(a + (first + i) * n + j) * factor;
    }
    double const total = shared_sums<Lanes>(sum, lane);
    constexpr int of_row = Lanes / together;
    index_t const row = first + lane / of_row;
    if (columns > 0 && lane % of_row == 0 && row < n)
      batch.y[b * n + row] = total;
  }
}

void launch(void (*kernel)(Batch), dim3 blocks, Batch const& batch)
{
  nvidia::launch_early(kernel, blocks, block, 0, nvidia::stream(), batch);
}

template <int Order, bool Left>
void by_matrix(Batch const& batch)
{
  launch(matrix_by_hand<Order, Left>, blocks_for(batch.count), batch);
}

template <int Order>
void best_left(Batch const& batch)
{
  constexpr int few = together / 2;
  auto const parts = static_cast<unsigned>((batch.order + together - 1) / together);
  dim3 const grid(blocks_for(batch.count), parts);
  if (batch.order <= few)
    launch(left_by_hand<Order, few>, grid, batch);
  else
    launch(left_by_hand<Order, together>, grid, batch);
}

template <int Order>
void best_right(Batch const& batch)
{
  if (batch.order <= together)
    launch(right_row_by_hand<Order>, blocks_for(batch.count * batch.order), batch);
  else
    with_lanes<16>(batch.order, [&](auto lanes) {
      constexpr int of_row = decltype(lanes)::value;
      launch(right_by_hand<Order, of_row>, blocks_for(batch.count * of_row), batch);
    });
}

#else

template <int Order, bool Left>
void by_matrix(Batch const& batch)
{
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t b = 0; b < batch.count; ++b)
    matrix_of<Order, Left>(batch, b);
}

/// Adds columns j ... j + N - 1 of row i of `here` matrices from `first` on, which are as many
/// streams for the prefetchers; column 0 begins the sums.
template <int N, bool Begins>
void add_columns(Batch const& batch, index_t first, index_t here, index_t i, index_t j)
{
  index_t const count = batch.count;
  double const* const a = batch.a + first + count * (i + batch.order * j);
  double const* const x = batch.x + first + count * j;
  double* const y = batch.y + first + count * i;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp simd
#endif
  for (index_t b = 0; b < here; ++b) {
    double sum = Begins ? 0 : y[b];
    for (index_t k = 0; k < N; ++k)
      sum += a[b + count * batch.order * k] * x[b + count * k];
    y[b] = sum;
  }
}

constexpr index_t columns = 4; ///< added at once

/// All columns of row i.
template <int Order>
void add_row(Batch const& batch, index_t first, index_t here, index_t i)
{
  index_t const n = order_of<Order>(batch);
  auto const add = [&]<int N>(index_t j) {
    if (j == 0)
      add_columns<N, true>(batch, first, here, i, j);
    else
      add_columns<N, false>(batch, first, here, i, j);
  };
  index_t j = 0;
  for (; j + columns <= n; j += columns)
    add.template operator()<columns>(j);
  switch (n - j) {
  case 3:
    return add.template operator()<3>(j);
  case 2:
    return add.template operator()<2>(j);
  case 1:
    return add.template operator()<1>(j);
  default:
    return;
  }
}

/// Rows of some matrices at a time, whose sums stay in the first-level cache.
template <int Order>
void best_left(Batch const& batch)
{
  index_t const n = order_of<Order>(batch);
  index_t const count = batch.count;
  index_t const for_each_thread = (count / Host().concurrency() + 7) / 8 * 8;
  index_t const at_once = std::clamp<index_t>(for_each_thread, 8, 512);
  index_t const parts = (count + at_once - 1) / at_once;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t part = 0; part < parts; ++part) {
    index_t const first = part * at_once;
    index_t const here = std::min(at_once, count - first);
    for (index_t i = 0; i < n; ++i)
      add_row<Order>(batch, first, here, i);
  }
}

template <int Order>
void best_right(Batch const& batch)
{
  by_matrix<Order, false>(batch);
}

#endif

template <int Order>
BatchProduct product_of(bool left, bool one_by_one)
{
  if (one_by_one)
    return left ? &by_matrix<Order, true> : &by_matrix<Order, false>;
  return left ? &best_left<Order> : &best_right<Order>;
}

} // namespace

BatchProduct batch_product(bool left, bool one_by_one, index_t order)
{
  switch (order) {
  case 0:
    return product_of<0>(left, one_by_one);
  case 3:
    return product_of<3>(left, one_by_one);
  case 8:
    return product_of<8>(left, one_by_one);
  default:
    return nullptr;
  }
}

} // namespace strata::matvec::native
