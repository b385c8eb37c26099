#include "native.hpp"

#include <cstring>

namespace strata::hexgrad::native {

namespace {

constexpr int values = dims * nodes;

#if defined(KOKKOS_ENABLE_CUDA)

constexpr int block = 128;

__global__ void __launch_bounds__(block)
    gradients_by_hand(double const* __restrict__ coordinates, double* __restrict__ gradients,
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

#else

/// Elements that are computed at once: one AVX-512 register, or several narrower ones.
constexpr int lanes = 8;
using Lanes [[gnu::vector_size(lanes * sizeof(double))]] = double;
static_assert(tile % lanes == 0);

Lanes load(double const* from)
{
  Lanes value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}
void store(double* to, Lanes value)
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
      x[v / nodes][v % nodes] = load(coordinates + v * tile + lane);
    }
    for (int d = 0; d < dims; ++d)
      mean_gradient(x[(d + 1) % dims], x[(d + 2) % dims], [&](int n, Lanes value) {
        double* const to = gradients + (nodes * d + n) * tile + lane;
        __builtin_prefetch(to + values * tile, 1);
        store(to, value);
      });
  }
}

#endif

} // namespace

void run(double const* coordinates, double* gradients, index_t count)
{
#if defined(KOKKOS_ENABLE_CUDA)
  gradients_by_hand<<<static_cast<unsigned>((count + block - 1) / block), block>>>(
      coordinates, gradients, count);
#else
  index_t const tiles = (count + tile - 1) / tile;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t t = 0; t < tiles; ++t) // the last tile is padded
    tile_by_hand(coordinates + t * values * tile, gradients + t * values * tile);
#endif
}

} // namespace strata::hexgrad::native
