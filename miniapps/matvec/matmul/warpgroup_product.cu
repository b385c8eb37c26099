#include "tile_order.hpp"
#include "tuning.hpp"
#include "warpgroup_product.hpp"

#include "base/cuda/bulk_copy.hpp"
#include "base/cuda/warpgroup.hpp"

#include <cstdint>
#include <limits>

namespace strata::matvec {

namespace {

constexpr int rows = tuning::narrow_tile_rows;
constexpr int columns = tuning::narrow_tile_columns;
constexpr int depth = tuning::narrow_depth;
constexpr int stages = tuning::warpgroup_stages;
constexpr int element = 2;
constexpr int line = depth * element; ///< bytes of a box, of X along k
constexpr int instruction_depth = 16;
constexpr int group_threads = 128;
constexpr int group_rows = 64;
constexpr int multiplying_groups = rows / group_rows;
constexpr int threads = (1 + multiplying_groups) * group_threads;
constexpr int sums = rows * columns / (multiplying_groups * group_threads); ///< of a thread
constexpr int across = line / element; ///< columns of a block of Y that is contiguous along j
constexpr int blocks = columns / across;

constexpr int x_bytes = rows * line;
constexpr int y_bytes = columns * line;
constexpr int stage_bytes = x_bytes + y_bytes;
constexpr int alignment = 1024; ///< the swizzle's pattern repeats after so many bytes
constexpr int shared_bytes = stages * stage_bytes + alignment;

/// Registers of a thread: the group that copies leaves some of its own to those that multiply.
constexpr int launched_registers = 65536 / threads / 8 * 8;
constexpr int copying_registers = 40;
constexpr int multiplying_registers = 232;
static_assert(copying_registers + multiplying_groups * multiplying_registers <=
                  (1 + multiplying_groups) * launched_registers,
              "take_registers() would wait for ever");
static_assert(shared_bytes + 2 * stages * 8 <= 227 * 1024, "a block has no more");
static_assert(columns == 256 && line == 128, "add_product_of_group() is for these");

/// C, and the sizes of the product.
struct Result
{
  float* c;
  std::int64_t pitch;
  int rows, columns, depth;
};

__device__ TileOrder order_of(Result const& of)
{
  return {of.rows, of.columns, rows, columns, tuning::narrow_band};
}

/// The stages in turn, each with a barrier that says that its panels are there and one that
/// says that they have been read.
class Ring
{
public:
  __device__ explicit Ring(std::uint64_t const* barriers)
      : barriers_(static_cast<std::uint32_t>(__cvta_generic_to_shared(barriers)))
  {
  }
  __device__ void initialise() const
  {
    for (int s = 0; s < stages; ++s) {
      filled(s).initialise(1);
      read(s).initialise(multiplying_groups);
    }
    nvidia::publish_barriers();
  }
  [[nodiscard]] __device__ nvidia::CopyBarrier filled(int stage) const
  {
    return nvidia::CopyBarrier(barriers_ + stage * 8);
  }
  [[nodiscard]] __device__ nvidia::CopyBarrier read(int stage) const
  {
    return nvidia::CopyBarrier(barriers_ + (stages + stage) * 8);
  }
  [[nodiscard]] __device__ int stage() const { return stage_; }
  /// Of this stage's turn.
  [[nodiscard]] __device__ std::uint32_t parity() const { return parity_; }
  __device__ void advance()
  {
    if (++stage_ == stages) {
      stage_ = 0;
      parity_ ^= 1;
    }
  }

private:
  std::uint32_t barriers_;
  int stage_ = 0;
  std::uint32_t parity_ = 0;
};

/// One thread's work: it copies the panels of the block's tiles.
template <bool Along>
__device__ void copy_panels(CUtensorMap const& x, CUtensorMap const& y, Result const& result,
                            Ring ring, std::uint32_t memory)
{
  TileOrder const order = order_of(result);
  for (std::int64_t tile = blockIdx.x; tile < order.count(); tile += gridDim.x) {
    auto const at = order(tile);
    int const row = static_cast<int>(at.row) * rows;
    int const column = static_cast<int>(at.column) * columns;
    for (int k = 0; k < result.depth; k += depth) {
      ring.read(ring.stage()).wait(ring.parity() ^ 1);
      auto const filled = ring.filled(ring.stage());
      std::uint32_t const to = memory + ring.stage() * stage_bytes;
      filled.arrive_and_announce(stage_bytes);
      nvidia::copy_box(to, x, k, row, filled);
      if constexpr (Along)
        nvidia::copy_box(to + x_bytes, y, k, column, filled);
      else
        for (int b = 0; b < blocks; ++b)
          nvidia::copy_box(to + x_bytes + b * (y_bytes / blocks), y, column + b * across, k,
                           filled);
      ring.advance();
    }
  }
}

/// Stores what a thread of a warp group has of C, whose first row and column of it these are.
__device__ void store(float const (&sum)[sums], Result const& to, int row, int column)
{
  bool const pairs = to.pitch % 2 == 0 && reinterpret_cast<std::uintptr_t>(to.c) % 8 == 0;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    int const i = row + half * 8;
    if (i >= to.rows)
      continue;
    float* const c = to.c + i * to.pitch;
#pragma unroll
    for (int n = 0; n < columns / 8; ++n) {
      int const j = column + n * 8;
      float const first = sum[4 * n + 2 * half];
      float const second = sum[4 * n + 2 * half + 1];
      if (pairs && j + 1 < to.columns) {
        *reinterpret_cast<float2*>(c + j) = make_float2(first, second);
      } else {
        if (j < to.columns)
          c[j] = first;
        if (j + 1 < to.columns)
          c[j + 1] = second;
      }
    }
  }
}

/// A warp group's work: it multiplies its rows of the panels of the block's tiles.
template <bool Bfloat, bool Along>
__device__ void multiply_panels(Result const& result, Ring ring, std::uint32_t memory,
                                int group)
{
  constexpr int x_step = instruction_depth * element;
  constexpr int y_step = Along ? x_step : instruction_depth * line;
  TileOrder const order = order_of(result);
  int const member = threadIdx.x % group_threads;
  float sum[sums];
  for (std::int64_t tile = blockIdx.x; tile < order.count(); tile += gridDim.x) {
    int last = 0;
    for (int k = 0; k < result.depth; k += depth) {
      ring.filled(ring.stage()).wait(ring.parity());
      std::uint32_t const from = memory + ring.stage() * stage_bytes;
      auto const x = nvidia::matrix_descriptor(from + group * group_rows * line, 0);
      auto const y = nvidia::matrix_descriptor(from + x_bytes, y_bytes / blocks);
      nvidia::begin_products();
#pragma unroll
      for (int part = 0; part < depth / instruction_depth; ++part)
        nvidia::add_product_of_group<Bfloat, !Along>(sum, nvidia::advanced(x, part * x_step),
                                                     nvidia::advanced(y, part * y_step),
                                                     k + part > 0);
      nvidia::end_products();
      nvidia::await_products<1>(); // those of the last stage
      if (k > 0 && member == 0)
        ring.read(last).arrive();
      last = ring.stage();
      ring.advance();
    }
    nvidia::await_products<0>();
    nvidia::hold(sum);
    if (member == 0)
      ring.read(last).arrive();
    auto const at = order(tile);
    store(sum, result,
          static_cast<int>(at.row) * rows + group * group_rows + member / 32 * 16 +
              member % 32 / 4,
          static_cast<int>(at.column) * columns + member % 4 * 2);
  }
}

/// A block computes tile after tile: a thread copies panels ahead, also those of the next tile
/// while the last one is stored, and two warp groups multiply half of a tile's rows each.
template <bool Bfloat, bool Along>
__global__ __launch_bounds__(threads,
                             1) void warpgroup_product(__grid_constant__ CUtensorMap const x,
                                                       __grid_constant__ CUtensorMap const y,
                                                       __grid_constant__ Result const result)
{
  extern __shared__ unsigned char shared[];
  __shared__ std::uint64_t barriers[2 * stages];
  auto const begin = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  std::uint32_t const memory = (begin + alignment - 1) / alignment * alignment;
  Ring const ring(barriers);
  if (threadIdx.x == 0)
    ring.initialise();
  __syncthreads();
  int const group = static_cast<int>(threadIdx.x) / group_threads;
  if (group == multiplying_groups) {
    nvidia::give_registers<copying_registers>();
    if (threadIdx.x % group_threads == 0)
      copy_panels<Along>(x, y, result, ring, memory);
  } else {
    nvidia::take_registers<multiplying_registers>();
    multiply_panels<Bfloat, Along>(result, ring, memory, group);
  }
}

/// A matrix of so many lines, of which a box has `lines` times 128 bytes.
CUresult describe(CUtensorMap& map, void const* matrix, std::int64_t length, std::int64_t count,
                  std::int64_t pitch, int lines, bool bfloat)
{
  cuuint64_t const extents[] = {static_cast<cuuint64_t>(length),
                                static_cast<cuuint64_t>(count)};
  cuuint64_t const strides[] = {static_cast<cuuint64_t>(pitch) * element};
  cuuint32_t const box[] = {line / element, static_cast<cuuint32_t>(lines)};
  cuuint32_t const steps[] = {1, 1};
  return cuTensorMapEncodeTiled(
      &map, bfloat ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2,
      const_cast<void*>(matrix), extents, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

/// Whether the device has code for this kernel, and the memory that it takes.
template <bool Bfloat, bool Along>
bool runs()
{
  static bool const may = [] {
    bool const found = cudaFuncSetAttribute(warpgroup_product<Bfloat, Along>,
                                            cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            shared_bytes) == cudaSuccess;
    if (!found)
      cudaGetLastError(); // or the next call would tell of it
    return found;
  }();
  return may;
}

template <bool Bfloat, bool Along>
cudaError_t launch(WarpgroupOperands const& o, int blocks, cudaStream_t stream)
{
  CUtensorMap x;
  CUtensorMap y;
  auto const of_x = describe(x, o.x, o.depth, o.rows, o.x_pitch, rows, Bfloat);
  auto const of_y = Along ? describe(y, o.y, o.depth, o.columns, o.y_pitch, columns, Bfloat)
                          : describe(y, o.y, o.columns, o.depth, o.y_pitch, depth, Bfloat);
  if (of_x != CUDA_SUCCESS || of_y != CUDA_SUCCESS)
    return cudaErrorInvalidValue;
  Result const result{o.c, o.c_pitch, static_cast<int>(o.rows), static_cast<int>(o.columns),
                      static_cast<int>(o.depth)};
  auto const tiles = TileOrder(o.rows, o.columns, rows, columns, tuning::narrow_band).count();
  int const grid = tiles < blocks ? static_cast<int>(tiles) : blocks;
  warpgroup_product<Bfloat, Along><<<grid, threads, shared_bytes, stream>>>(x, y, result);
  return cudaGetLastError();
}

} // namespace

bool runs_warpgroup_product(WarpgroupOperands const& o)
{
  constexpr std::int64_t most = std::numeric_limits<int>::max() - 2 * columns;
  constexpr std::int64_t longest = std::int64_t{1} << 38; // elements; of a tensor map's strides
  for (std::int64_t const size : {o.rows, o.columns, o.depth})
    if (size < 1 || size > most)
      return false;
  if (o.x_pitch > longest || o.y_pitch > longest)
    return false;
  return o.bfloat ? (o.y_along_k ? runs<true, true>() : runs<true, false>())
                  : (o.y_along_k ? runs<false, true>() : runs<false, false>());
}

cudaError_t launch_warpgroup_product(WarpgroupOperands const& o, int blocks,
                                     cudaStream_t stream)
{
  auto const of_kind = o.bfloat ? (o.y_along_k ? &launch<true, true> : &launch<true, false>)
                                : (o.y_along_k ? &launch<false, true> : &launch<false, false>);
  return of_kind(o, blocks, stream);
}

} // namespace strata::matvec
