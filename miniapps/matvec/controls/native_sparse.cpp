#include "native_sparse.hpp"

#include "native_launch.hpp"

#include "base/cuda/sum.hpp"
#include "base/kokkos.hpp"
#include "kernels/lanes.hpp"

namespace strata::matvec::native {

namespace {

#if defined(KOKKOS_ENABLE_CUDA)

constexpr int entries_at_once = 4; ///< of a thread

/// Σ of the products of every Lanes-th entry from `at` on, below `end`. All loads of some of
/// them come first.
template <int Lanes>
__device__ double entry_sum(SparseProduct const& p, index_t at, index_t end)
{
  double sum = 0;
  auto left = static_cast<int>(end - at);
  double const* values = p.values + at;
  std::int32_t const* places = p.places + at;
  for (; left > 0; left -= entries_at_once * Lanes) {
    double value[entries_at_once];
    double factor[entries_at_once];
#pragma unroll
    for (int n = 0; n < entries_at_once; ++n) {
      bool const is_there = n * Lanes < left;
      value[n] = is_there ? __ldg(values + n * Lanes) : 0;
      factor[n] = is_there ? __ldg(p.x + __ldg(places + n * Lanes)) : 0;
    }
#pragma unroll
    for (int n = 0; n < entries_at_once; ++n)
      sum += value[n] * factor[n];
    values += entries_at_once * Lanes;
    places += entries_at_once * Lanes;
  }
  return sum;
}

__global__ void __launch_bounds__(block) row_by_hand(SparseProduct p)
{
  nvidia::await_last_launch();
  index_t const row = my_item();
  if (row < p.lines)
    p.y[row] = entry_sum<1>(p, __ldg(p.offsets + row), __ldg(p.offsets + row + 1));
}

constexpr int resident_blocks = 16; ///< of a multiprocessor: all of its threads

/// Lanes threads share a row.
template <int Lanes>
__global__ void __launch_bounds__(block, resident_blocks) shared_row_by_hand(SparseProduct p)
{
  nvidia::await_last_launch();
  index_t const row = min(my_item() / Lanes, p.lines);
  int const lane = static_cast<int>(threadIdx.x) % Lanes;
  index_t const end = __ldg(p.offsets + min(row + 1, p.lines));
  double const sum =
      nvidia::lanes_sum<Lanes>(entry_sum<Lanes>(p, __ldg(p.offsets + row) + lane, end));
  if (lane == 0 && row < p.lines)
    p.y[row] = sum;
}

__global__ void __launch_bounds__(block) zero_by_hand(SparseProduct p)
{
  nvidia::await_last_launch();
  index_t const row = my_item();
  if (row < p.rows)
    p.y[row] = 0;
}

__global__ void __launch_bounds__(block) column_by_hand(SparseProduct p)
{
  nvidia::await_last_launch();
  index_t const col = my_item();
  if (col >= p.lines)
    return;
  constexpr int at_once = 8; ///< entries, which are loaded before they are added
  double const factor = __ldg(p.x + col);
  index_t const end = __ldg(p.offsets + col + 1);
  index_t entry = __ldg(p.offsets + col);
  for (; entry + at_once <= end; entry += at_once) {
    std::int32_t place[at_once];
    double term[at_once];
#pragma unroll
    for (int n = 0; n < at_once; ++n) {
      place[n] = __ldg(p.places + entry + n);
      term[n] = __ldg(p.values + entry + n) * factor;
    }
#pragma unroll
    for (int n = 0; n < at_once; ++n)
      atomicAdd(p.y + place[n], term[n]);
  }
  for (; entry < end; ++entry)
    atomicAdd(p.y + __ldg(p.places + entry), __ldg(p.values + entry) * factor);
}

void launch(void (*kernel)(SparseProduct), index_t threads, SparseProduct const& p)
{
  nvidia::launch_early(kernel, blocks_for(threads), block, 0, nvidia::stream(), p);
}

#else

/// (A x)[row], one product after the other.
double row_sum(SparseProduct const& p, index_t row)
{
  double sum = 0;
  for (index_t entry = p.offsets[row]; entry < p.offsets[row + 1]; ++entry)
    sum += p.values[entry] * p.x[p.places[entry]];
  return sum;
}

/// The same by four sums, of which none waits for the others.
double row_sum_by_four(SparseProduct const& p, index_t row)
{
  double sum[4] = {};
  index_t const end = p.offsets[row + 1];
  index_t entry = p.offsets[row];
  for (; entry + 4 <= end; entry += 4)
    for (int c = 0; c < 4; ++c)
      sum[c] += p.values[entry + c] * p.x[p.places[entry + c]];
  for (int c = 0; c < 3; ++c)
    if (entry + c < end)
      sum[c] += p.values[entry + c] * p.x[p.places[entry + c]];
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

#endif

} // namespace

#if defined(KOKKOS_ENABLE_CUDA)

void csr_rows(SparseProduct const& p)
{
  launch(row_by_hand, p.lines, p);
}

void csr_best(SparseProduct const& p)
{
  constexpr index_t short_row = 8; // which is not shared
  if (p.entries <= short_row * p.lines)
    return csr_rows(p);
  index_t const lines_of_lane = p.lines * entries_at_once;
  with_lanes<4>((p.entries + lines_of_lane - 1) / lines_of_lane, [&](auto lanes) {
    constexpr int of_row = decltype(lanes)::value;
    launch(shared_row_by_hand<of_row>, p.lines * of_row, p);
  });
}

void csc_columns(SparseProduct const& p)
{
  launch(zero_by_hand, p.rows, p);
  launch(column_by_hand, p.lines, p);
}

#else

void csr_rows(SparseProduct const& p)
{
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t row = 0; row < p.lines; ++row)
    p.y[row] = row_sum(p, row);
}

void csr_best(SparseProduct const& p)
{
  if (p.entries < 16 * p.lines)
    return csr_rows(p);
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t row = 0; row < p.lines; ++row)
    p.y[row] = row_sum_by_four(p, row);
}

void csc_columns(SparseProduct const& p)
{
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t row = 0; row < p.rows; ++row)
    p.y[row] = 0;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t col = 0; col < p.lines; ++col) {
    double const factor = p.x[col];
    for (index_t entry = p.offsets[col]; entry < p.offsets[col + 1]; ++entry) {
      double& sum = p.y[p.places[entry]];
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp atomic
#endif
      sum += p.values[entry] * factor;
    }
  }
}

#endif

} // namespace strata::matvec::native
