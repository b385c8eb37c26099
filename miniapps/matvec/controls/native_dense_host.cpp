#include "native.hpp"

#include "base/lanes.hpp"

#include <algorithm>
#include <cstring>

#if !defined(KOKKOS_ENABLE_CUDA)

// Dense products by hand on a host. Threads share the rows; where there are fewer blocks of
// rows than threads, they share the columns too, and partial sums are added afterwards.

namespace strata::matvec::native {

namespace {

index_t ceiling(index_t n, index_t by)
{
  return (n + by - 1) / by;
}

/// Blocks of rows times parts of the columns, for one thread each.
struct Split
{
  index_t blocks;
  index_t block_rows;
  index_t parts;
  index_t part_cols;

  /// Parts are of whole cache lines of columns.
  Split(Product const& p, index_t rows_of_block, index_t threads)
      : blocks(ceiling(p.rows, rows_of_block))
      , block_rows(rows_of_block)
      , parts(std::clamp<index_t>(ceiling(threads, blocks), 1, p.most_parts))
      , part_cols(ceiling(ceiling(p.cols, parts), 32) * 32)
  {
    parts = ceiling(p.cols, part_cols);
  }
};

/// Calls sums_of(first row, rows, first column, end, out) for each item of the split, where out
/// gets the rows' sums over these columns; then adds the parts.
template <class F>
void for_split(Product const& p, Split const& split, F const& sums_of)
{
  double* const out = split.parts == 1 ? p.y : p.partial;
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel
#endif
  {
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp for schedule(static)
#endif
    for (index_t item = 0; item < split.blocks * split.parts; ++item) {
      index_t const part = item % split.parts;
      index_t const first = item / split.parts * split.block_rows;
      index_t const begin = part * split.part_cols;
      sums_of(first, std::min(split.block_rows, p.rows - first), begin,
              std::min(p.cols, begin + split.part_cols), out + p.rows * part + first);
    }
    if (split.parts > 1) {
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp for schedule(static)
#endif
      for (index_t row = 0; row < p.rows; ++row) {
        double sum = 0;
        for (index_t part = 0; part < split.parts; ++part)
          sum += out[p.rows * part + row];
        p.y[row] = sum;
      }
    }
  }
}

/// One vector register: GCC keeps wider vectors in memory.
constexpr int pack = register_bytes / sizeof(double);
using Doubles [[gnu::vector_size(register_bytes)]] = double;
constexpr int line = 8; ///< doubles of a cache line

inline Doubles load(double const* from)
{
  Doubles value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

inline double sum_of(Doubles const& v)
{
  double sum = 0;
  for (int half = 0; half < pack / 2; ++half)
    sum += v[half] + v[half + pack / 2];
  return sum;
}

// Row-major.

/// Adds the products of pack columns to the sums of Rows rows, `stride` apart.
template <int Rows>
inline void add_pack(double const* a, index_t stride, double const* x, Doubles (&sum)[Rows])
{
  Doubles const factor = load(x);
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r)
    sum[r] += load(a + r * stride) * factor;
}

/// out[r] = Σ of the products of `count` columns of Rows rows, `stride` apart; Chains sums of
/// each hide the latency of additions.
template <int Rows, int Chains>
void row_sums(double const* a, index_t stride, double const* x, index_t count, double* out)
{
  Doubles sum[Chains][Rows] = {};
  index_t col = 0;
  for (; col + Chains * pack <= count; col += Chains * pack)
#pragma GCC unroll 8
    for (int c = 0; c < Chains; ++c)
      add_pack<Rows>(a + col + c * pack, stride, x + col + c * pack, sum[c]);
  for (; col + pack <= count; col += pack)
    add_pack<Rows>(a + col, stride, x + col, sum[0]);
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 8
    for (int c = 1; c < Chains; ++c)
      sum[0][r] += sum[c][r];
    out[r] = sum_of(sum[0][r]);
  }
  for (; col < count; ++col)
    for (int r = 0; r < Rows; ++r)
      out[r] += a[r * stride + col] * x[col];
}

// Column-major.

constexpr index_t most_rows = 2048; ///< of a block, whose sums stay in the first-level cache
constexpr index_t least_rows = 512; ///< so that columns are read in pieces of 4 KiB

/// sums[i] += Σ of the products of Cols columns, `stride` elements apart, and their x,
/// `x_stride` apart.
template <int Cols>
void add_columns(double const* a, index_t stride, double const* x, index_t x_stride,
                 index_t count, double* sums)
{
  double factor[Cols]; // in registers: x could be what is stored
  for (int c = 0; c < Cols; ++c)
    factor[c] = x[c * x_stride];
  index_t i = 0;
  for (; i + pack <= count; i += pack) {
    Doubles sum = load(sums + i);
#pragma GCC unroll 8
    for (int c = 0; c < Cols; ++c)
      sum += load(a + c * stride + i) * factor[c];
    std::memcpy(sums + i, &sum, sizeof(sum));
  }
  for (; i < count; ++i)
    for (int c = 0; c < Cols; ++c)
      sums[i] += a[c * stride + i] * factor[c];
}

void block_sums(Product const& p, index_t first, index_t count, index_t begin, index_t end,
                double* out)
{
  constexpr int together = 8;
  alignas(64) double sums[most_rows];
  std::fill_n(sums, count, 0.0);
  index_t const groups = (end - begin) / together;
  // Whole columns are one stretch of memory: eight places of it keep more prefetchers busy.
  bool const whole = count == p.rows;
  index_t const apart = whole ? groups : 1;
  for (index_t g = 0; g < groups; ++g) {
    index_t const col = begin + (whole ? g : g * together);
    add_columns<together>(p.a + first + p.rows * col, p.rows * apart, p.x + col, apart, count,
                          sums);
  }
  for (index_t col = begin + groups * together; col < end; ++col)
    add_columns<1>(p.a + first + p.rows * col, 0, p.x + col, 0, count, sums);
  std::copy_n(sums, count, out);
}

/// Columns shorter than a register: Rows sums of each of eight neighbouring columns.
template <int Rows>
void short_columns(Product const& p)
{
  Split const split(p, Rows, Host().concurrency());
  for_split(p, split, [&](index_t, index_t, index_t begin, index_t end, double* out) {
    double sum[line][Rows] = {};
    index_t col = begin;
    for (; col + line <= end; col += line)
      for (int c = 0; c < line; ++c)
        for (int r = 0; r < Rows; ++r)
          sum[c][r] += p.a[(col + c) * Rows + r] * p.x[col + c];
    for (; col < end; ++col)
      for (int r = 0; r < Rows; ++r)
        sum[0][r] += p.a[col * Rows + r] * p.x[col];
    for (int r = 0; r < Rows; ++r) {
      out[r] = 0;
      for (auto const& of_column : sum)
        out[r] += of_column[r];
    }
  });
}

} // namespace

void best_right(Product const& p)
{
  constexpr int together = 4;       // rows that share the loads of x
  constexpr index_t stretch = 4096; // doubles between rows that are read at once
  index_t const threads = Host().concurrency();
  // Short rows lie `apart` rows apart, for more streams, while there are rows for all threads.
  index_t const apart = std::clamp<index_t>(
      stretch / p.cols, 1, std::max<index_t>(p.rows / (together * threads), 1));
  for_split(p, Split(p, together * apart, threads),
            [&](index_t first, index_t count, index_t begin, index_t end, double* out) {
              double const* const a = p.a + first * p.cols + begin;
              double const* const x = p.x + begin;
              double sums[together];
              if (count == together * apart)
                for (index_t r = 0; r < apart; ++r) {
                  row_sums<together, 2>(a + r * p.cols, p.cols * apart, x, end - begin, sums);
                  for (int k = 0; k < together; ++k)
                    out[r + k * apart] = sums[k];
                }
              else
                for (index_t r = 0; r < count; ++r)
                  row_sums<1, 8>(a + r * p.cols, p.cols, x, end - begin, out + r);
            });
}

void best_left(Product const& p)
{
  switch (p.rows) {
  case 1:
    return best_right(p); // the same order
  case 2:
    return short_columns<2>(p);
  case 3:
    return short_columns<3>(p);
  case 4:
    return short_columns<4>(p);
  case 5:
    return short_columns<5>(p);
  case 6:
    return short_columns<6>(p);
  case 7:
    return short_columns<7>(p);
  default:
    break;
  }
  index_t const threads = Host().concurrency();
  index_t const share = ceiling(p.rows, threads);
  index_t const of_block = share / ceiling(share, most_rows);
  index_t const rows = std::clamp(ceiling(of_block, line) * line, least_rows, most_rows);
  for_split(p, Split(p, rows, threads),
            [&](index_t first, index_t count, index_t begin, index_t end, double* out) {
              block_sums(p, first, count, begin, end, out);
            });
}

} // namespace strata::matvec::native

#endif
