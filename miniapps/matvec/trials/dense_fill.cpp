#include "dense_launch.hpp"

#include "verify/every.hpp"

namespace strata::matvec {

namespace {

/// One work item per element on a GPU; a host's thread writes the blocks that it will read. The
/// check computes the matrix from its formula and so finds a missing element.
template <class Matrix>
struct FillMatrix
{
  static constexpr char const* name() { return "strata::matvec::FillMatrix"; }
  Matrix matrix;
  Values values;
  index_t first_row, first_col;
  Split split;

  KOKKOS_FUNCTION void operator()(index_t i, index_t j) const
  {
    matrix(i, j) =
        static_cast<typename Matrix::value_type>(values.matrix(first_row + i, first_col + j));
  }
  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    index_t const block = team.index() / split.parts();
    index_t const part = team.index() % split.parts();
    index_t const begin = block * split.block_rows;
    index_t const end = split.end_row(block);
    index_t const first = part * split.part_cols;
    index_t const last = split.end_col(part);
    if constexpr (fastest_index<typename Matrix::layout_type> == 1) {
      for (index_t i = begin; i < end; ++i)
        for (index_t j = first; j < last; ++j)
          (*this)(i, j);
    } else {
      for (index_t j = first; j < last; ++j)
        for (index_t i = begin; i < end; ++i)
          (*this)(i, j);
    }
  }
};

template <class T, class Layout>
void fill(T* data, Values const& values, Part const& part)
{
  using Matrix = Span<T, Dynamic<2>, Layout>;
  index_t const rows = part.my_rows();
  index_t const cols = part.my_cols();
  Matrix const matrix(data, mapping_for<Layout>(rows, cols));
  constexpr bool along = fastest_index<Layout> == 1;
  index_t const workers = Device().concurrency();
  auto const split = along
                         ? row_split(rows, cols, workers)
                         : walk_split(rows, cols, std::is_same_v<Layout, LayoutTiles>, workers);
  FillMatrix<Matrix> const kernel{matrix, values, part.first_row(), part.first_col(), split};
  if constexpr (device_is_host)
    for_each_team<1>(split.blocks() * split.parts(), kernel);
  else
    verify::for_every<std::conditional_t<along, LayoutRight, LayoutLeft>>(matrix.extents(),
                                                                          kernel);
}

} // namespace

template <class T>
Fill<T> fill_of(std::string const& layout)
{
  Fill<T> found = nullptr;
  MatrixLayouts::at(layout, [&]<class Layout>() { found = &fill<T, Layout>; });
  return found;
}
template Fill<double> fill_of(std::string const&);
template Fill<float> fill_of(std::string const&);
template Fill<float16> fill_of(std::string const&);
template Fill<bfloat16> fill_of(std::string const&);

} // namespace strata::matvec
