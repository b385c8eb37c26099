#include "native.hpp"

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

/// Elements of one tile; a loop over lanes that compilers turn into vector code.
void tile_by_hand(double const* coordinates, double* gradients)
{
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp simd
#endif
  for (int lane = 0; lane < tile; ++lane) {
    double x[nodes];
    double y[nodes];
    double z[nodes];
    for (int n = 0; n < nodes; ++n) {
      x[n] = coordinates[n * tile + lane];
      y[n] = coordinates[(nodes + n) * tile + lane];
      z[n] = coordinates[(2 * nodes + n) * tile + lane];
    }
    mean_gradient(y, z, [&](int n, double g) { gradients[n * tile + lane] = g; });
    mean_gradient(z, x, [&](int n, double g) { gradients[(nodes + n) * tile + lane] = g; });
    mean_gradient(x, y, [&](int n, double g) { gradients[(2 * nodes + n) * tile + lane] = g; });
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
