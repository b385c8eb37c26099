#include "native.hpp"

#include "native_column_sum.hpp"
#include "native_launch.hpp"

// One thread or loop iteration per row, whatever the layout.

namespace strata::matvec::native {

namespace {

#if defined(KOKKOS_ENABLE_CUDA)

template <bool Left>
__global__ void __launch_bounds__(block)
    row_by_hand(double const* __restrict__ a, double const* __restrict__ x,
                double* __restrict__ y, index_t rows, index_t cols)
{
  nvidia::await_last_launch();
  index_t const row = my_item();
  if (row < rows)
    y[row] = column_sum<8, true>(a + (Left ? row : row * cols), Left ? rows : 1, x, 0, cols, 1);
}

template <bool Left>
void rows_by_hand(Product const& p)
{
  nvidia::launch_early(row_by_hand<Left>, blocks_for(p.rows), block, 0, nvidia::stream(), p.a,
                       p.x, p.y, p.rows, p.cols);
}

#else

template <bool Left>
void rows_by_hand(Product const& p)
{
#if defined(KOKKOS_ENABLE_OPENMP)
#pragma omp parallel for schedule(static)
#endif
  for (index_t row = 0; row < p.rows; ++row) {
    double sum = 0;
    for (index_t col = 0; col < p.cols; ++col)
      sum += (Left ? p.a[row + p.rows * col] : p.a[row * p.cols + col]) * p.x[col];
    p.y[row] = sum;
  }
}

#endif

} // namespace

void rows_left(Product const& p)
{
  rows_by_hand<true>(p);
}

void rows_right(Product const& p)
{
  rows_by_hand<false>(p);
}

} // namespace strata::matvec::native
