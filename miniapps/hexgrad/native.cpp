#include "native.hpp"

#include "base/cuda/device.hpp"
#include "base/cuda/sum.hpp"
#include "base/past_caches.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strata::hexgrad::native {

namespace {

constexpr int values = dims * nodes;

#if defined(KOKKOS_ENABLE_CUDA)

constexpr int block = 128;

template <Stores How>
__device__ void store(double* to, double value)
{
  if constexpr (How == Stores::streaming)
    __stcs(to, value);
  else
    *to = value;
}

template <Stores How>
__global__ void __launch_bounds__(block)
    tiles_by_hand(double const* __restrict__ coordinates, double* __restrict__ gradients,
                  index_t count)
{
  nvidia::await_last_launch();
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
      store<How>(gradients + first + (nodes * d + n) * tile, value);
    });
}

/// Neighbouring threads load and store neighbouring doubles of each of the 48 columns.
template <Stores How>
__global__ void __launch_bounds__(block)
    columns_by_hand(double const* __restrict__ coordinates, double* __restrict__ gradients,
                    index_t count)
{
  nvidia::await_last_launch();
  index_t const e = blockIdx.x * static_cast<index_t>(block) + threadIdx.x;
  if (e >= count)
    return;
  double x[dims][nodes];
#pragma unroll
  for (int v = 0; v < values; ++v)
    x[v % dims][v / dims] = coordinates[e + v * count];
#pragma unroll
  for (int d = 0; d < dims; ++d)
    mean_gradient(x[(d + 1) % dims], x[(d + 2) % dims], [&](int n, double value) {
      store<How>(gradients + e + (dims * n + d) * count, value);
    });
}

unsigned blocks_for(index_t count)
{
  return static_cast<unsigned>((count + block - 1) / block);
}

/// Shared memory that a block has and does not use, so that a multiprocessor runs four where
/// the arrays are larger than the L2 cache: of the five or six for which it has registers, the
/// 48 streams take longer from memory, but not from the cache.
std::size_t idle_bytes(index_t count)
{
  index_t const bytes = 2 * values * count * static_cast<index_t>(sizeof(double));
  return bytes > nvidia::cache_bytes() ? 48 << 10 : 0;
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
/// Streaming where `to` is aligned to whole registers, of which V has one or several.
template <Stores How, class V>
void store(double* to, V value)
{
  if constexpr (How == Stores::streaming && sizeof(V) % register_bytes == 0)
    if (reinterpret_cast<std::uintptr_t>(to) % register_bytes == 0) {
      auto* const bytes = reinterpret_cast<char*>(to);
      for (std::size_t at = 0; at < sizeof(V); at += register_bytes)
        store_past_caches(bytes + at, reinterpret_cast<char const*>(&value) + at);
      return;
    }
  std::memcpy(to, &value, sizeof(value));
}

/// Before other threads read what this one stored.
template <Stores How>
void finish_stores()
{
  if constexpr (How == Stores::streaming)
    publish_stores();
}

/// How many cache lines ahead of its use a stream is prefetched; loads go to the second-level
/// cache.
constexpr int lines_ahead = 4;

[[gnu::always_inline]] inline void fetch_for_load(double const* from)
{
  __builtin_prefetch(from, 0, 2);
}
/// Asks for the cache line at `to`, unless stores go past the caches.
template <Stores How>
[[gnu::always_inline]] inline void fetch_for_store([[maybe_unused]] double* to)
{
  if constexpr (How == Stores::plain || !stores_past_caches)
    __builtin_prefetch(to, 1);
}

/// The elements of one tile. It uses vector types, since GCC 12 does not vectorise the loop
/// over lanes, with `omp simd` neither. Prefetches a later tile.
template <Stores How>
void tile_by_hand(double const* coordinates, double* gradients)
{
  static_assert(lines_ahead * lanes % tile == 0);
  constexpr int later = lines_ahead * lanes * values;
  for (int lane = 0; lane < tile; lane += lanes) {
    Lanes x[dims][nodes];
    for (int v = 0; v < values; ++v) {
      fetch_for_load(coordinates + later + v * tile + lane);
      x[v / nodes][v % nodes] = load<Lanes>(coordinates + v * tile + lane);
    }
    for (int d = 0; d < dims; ++d)
      mean_gradient(x[(d + 1) % dims], x[(d + 2) % dims], [&](int n, Lanes value) {
        double* const to = gradients + (nodes * d + n) * tile + lane;
        fetch_for_store<How>(to + later);
        store<How>(to, value);
      });
  }
}

constexpr int line = 8; // doubles of a cache line

/// Elements of a column that are computed at once: one vector register, since more would spill;
/// four with SSE.
constexpr int together = register_bytes == 64 ? 8 : 4;
using Together [[gnu::vector_size(together * sizeof(double))]] = double;

/// The element at `coordinates`, or a pack of them: V is double or Together. Columns are
/// `count` doubles apart and begin anywhere, so that packs cross cache lines where `count` is
/// odd. Prefetches a later cache line. Inlined, since the columns' offsets would be computed
/// anew for every pack otherwise.
template <Stores How, class V>
[[gnu::always_inline]] inline void columns_by_hand(double const* coordinates, double* gradients,
                                                   index_t count)
{
  V x[dims][nodes];
#pragma GCC unroll 24
  for (int v = 0; v < values; ++v) {
    double const* const from = coordinates + v * count;
    fetch_for_load(from + lines_ahead * line);
    x[v % dims][v / dims] = load<V>(from);
  }
#pragma GCC unroll 3
  for (int d = 0; d < dims; ++d)
    mean_gradient(x[(d + 1) % dims], x[(d + 2) % dims], [&](int n, V value) {
      double* const to = gradients + (dims * n + d) * count;
      fetch_for_store<How>(to + lines_ahead * line);
      store<How>(to, value);
    });
}

#endif

template <Stores How>
void launch_tiles(double const* coordinates, double* gradients, index_t count)
{
#if defined(KOKKOS_ENABLE_CUDA)
  nvidia::launch_early(tiles_by_hand<How>, blocks_for(count), block, idle_bytes(count),
                       nvidia::stream(), coordinates, gradients, count);
#else
  index_t const tiles = (count + tile - 1) / tile;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel
#endif
  {
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp for schedule(static) nowait
#endif
    for (index_t t = 0; t < tiles; ++t) // the last tile is padded
      tile_by_hand<How>(coordinates + t * values * tile, gradients + t * values * tile);
    finish_stores<How>();
  }
#endif
}

template <Stores How>
void launch_columns(double const* coordinates, double* gradients, index_t count)
{
#if defined(KOKKOS_ENABLE_CUDA)
  nvidia::launch_early(columns_by_hand<How>, blocks_for(count), block, idle_bytes(count),
                       nvidia::stream(), coordinates, gradients, count);
#else
  index_t const packs = count / together;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel
#endif
  {
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp for schedule(static) nowait
#endif
    for (index_t p = 0; p < packs; ++p)
      columns_by_hand<How, Together>(coordinates + p * together, gradients + p * together,
                                     count);
    finish_stores<How>();
  }
  for (index_t e = packs * together; e < count; ++e)
    columns_by_hand<How, double>(coordinates + e, gradients + e, count);
#endif
}

} // namespace

void run_tiles(double const* coordinates, double* gradients, index_t count, Stores stores)
{
  if (stores == Stores::plain)
    launch_tiles<Stores::plain>(coordinates, gradients, count);
  else
    launch_tiles<Stores::streaming>(coordinates, gradients, count);
}

void run_columns(double const* coordinates, double* gradients, index_t count, Stores stores)
{
  if (stores == Stores::plain)
    launch_columns<Stores::plain>(coordinates, gradients, count);
  else
    launch_columns<Stores::streaming>(coordinates, gradients, count);
}

} // namespace strata::hexgrad::native
