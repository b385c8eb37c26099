#include "native.hpp"

#include <cstring>

namespace strata::hexgrad::native {

namespace {

constexpr int values = dims * nodes;

#if defined(KOKKOS_ENABLE_CUDA)

constexpr int block = 128;

__global__ void __launch_bounds__(block)
    tiles_by_hand(double const* __restrict__ coordinates, double* __restrict__ gradients,
                  index_t count)
{
  index_t const e = blockIdx.x * static_cast<index_t>(block) + threadIdx.x;
  if (e >= count)
    return;
  index_t const first = e / tile * (values * tile) + e % tile;
  double x[dims][nodes];
#pragma unroll
  for (int v = 0; v < values; ++v)
    x[v / nodes][v % nodes] = coordinates[first + v * tile];
#pragma unroll
  for (int d = 0; d < dims; ++d)
    mean_gradient(x[(d + 1) % dims], x[(d + 2) % dims], [&](int n, double value) {
      gradients[first + (nodes * d + n) * tile] = value;
    });
}

/// Neighbouring threads load and store neighbouring doubles of each of the 48 columns.
__global__ void __launch_bounds__(block)
    columns_by_hand(double const* __restrict__ coordinates, double* __restrict__ gradients,
                    index_t count)
{
  index_t const e = blockIdx.x * static_cast<index_t>(block) + threadIdx.x;
  if (e >= count)
    return;
  double x[dims][nodes];
#pragma unroll
  for (int v = 0; v < values; ++v)
    x[v % dims][v / dims] = coordinates[e + v * count];
#pragma unroll
  for (int d = 0; d < dims; ++d)
    mean_gradient(x[(d + 1) % dims], x[(d + 2) % dims],
                  [&](int n, double value) { gradients[e + (dims * n + d) * count] = value; });
}

unsigned blocks_for(index_t count)
{
  return static_cast<unsigned>((count + block - 1) / block);
}

#else

/// Elements that are computed at once: one AVX-512 register, or several narrower ones.
constexpr int lanes = 8;
using Lanes [[gnu::vector_size(lanes * sizeof(double))]] = double;
static_assert(tile % lanes == 0);

template <class V>
V load(double const* from)
{
  V value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}
template <class V>
void store(double* to, V value)
{
  std::memcpy(to, &value, sizeof(value));
}

/// The elements of one tile. It uses vector types, since GCC 12 does not vectorise the loop
/// over lanes, with `omp simd` neither. Prefetches the next tile.
void tile_by_hand(double const* coordinates, double* gradients)
{
  for (int lane = 0; lane < tile; lane += lanes) {
    Lanes x[dims][nodes];
    for (int v = 0; v < values; ++v) {
      __builtin_prefetch(coordinates + (values + v) * tile + lane);
      x[v / nodes][v % nodes] = load<Lanes>(coordinates + v * tile + lane);
    }
    for (int d = 0; d < dims; ++d)
      mean_gradient(x[(d + 1) % dims], x[(d + 2) % dims], [&](int n, Lanes value) {
        double* const to = gradients + (nodes * d + n) * tile + lane;
        __builtin_prefetch(to + values * tile, 1);
        store(to, value);
      });
  }
}

constexpr int line = 8; // doubles of a cache line

/// Elements of a column that are computed at once: one vector register, since more would spill.
#if defined(__AVX512F__)
constexpr int together = 8;
#else
constexpr int together = 4;
#endif
using Together [[gnu::vector_size(together * sizeof(double))]] = double;

/// The element at `coordinates`, or a pack of them: V is double or Together. Columns are
/// `count` doubles apart and begin anywhere, so that packs cross cache lines where `count` is
/// odd. Prefetches the next cache line. Inlined, since the columns' offsets would be computed
/// anew for every pack otherwise.
template <class V>
[[gnu::always_inline]] inline void columns_by_hand(double const* coordinates, double* gradients,
                                                   index_t count)
{
  V x[dims][nodes];
#pragma GCC unroll 24
  for (int v = 0; v < values; ++v) {
    double const* const from = coordinates + v * count;
    __builtin_prefetch(from + line);
    x[v % dims][v / dims] = load<V>(from);
  }
#pragma GCC unroll 3
  for (int d = 0; d < dims; ++d)
    mean_gradient(x[(d + 1) % dims], x[(d + 2) % dims], [&](int n, V value) {
      double* const to = gradients + (dims * n + d) * count;
      __builtin_prefetch(to + line, 1);
      store(to, value);
    });
}

#endif

} // namespace

void run_tiles(double const* coordinates, double* gradients, index_t count)
{
#if defined(KOKKOS_ENABLE_CUDA)
  tiles_by_hand<<<blocks_for(count), block>>>(coordinates, gradients, count);
#else
  index_t const tiles = (count + tile - 1) / tile;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t t = 0; t < tiles; ++t) // the last tile is padded
    tile_by_hand(coordinates + t * values * tile, gradients + t * values * tile);
#endif
}

void run_columns(double const* coordinates, double* gradients, index_t count)
{
#if defined(KOKKOS_ENABLE_CUDA)
  columns_by_hand<<<blocks_for(count), block>>>(coordinates, gradients, count);
#else
  index_t const packs = count / together;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t p = 0; p < packs; ++p)
    columns_by_hand<Together>(coordinates + p * together, gradients + p * together, count);
  for (index_t e = packs * together; e < count; ++e)
    columns_by_hand<double>(coordinates + e, gradients + e, count);
#endif
}

} // namespace strata::hexgrad::native
