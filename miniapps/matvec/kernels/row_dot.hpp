#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace strata::matvec {

/// Aᵀ as a view of A with its indices exchanged. Aᵀ x with LayoutRight therefore runs as A x
/// with LayoutLeft.
template <class Matrix>
struct Transposed
{
  using value_type = typename Matrix::value_type;
  Matrix matrix;

  template <class I, class J>
  KOKKOS_FUNCTION decltype(auto) operator()(I i, J j) const
  {
    return matrix(j, i);
  }
  KOKKOS_FUNCTION index_t extent(std::size_t r) const { return matrix.extent(1 - r); }
  KOKKOS_FUNCTION index_t size() const { return matrix.size(); }
};

/// y = A x, one work item per row: the loop that S2 measured. Storage order and access rule are
/// in the types.
template <class Matrix, class Input, class Output>
struct RowDot
{
  static constexpr char const* name() { return "strata::matvec::RowDot"; }
  Matrix A;
  Input x;
  Output y;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    using T = std::remove_const_t<typename Output::value_type>;
    T sum{};
    for (index_t col = 0; col < static_cast<index_t>(A.extent(1)); ++col)
      sum += A(row, col) * x(col);
    y(row) = sum;
  }
  [[nodiscard]] index_t flops() const { return 2 * static_cast<index_t>(A.size()); }
  [[nodiscard]] auto reads() const { return std::tuple(A, x); }
  [[nodiscard]] auto writes() const { return std::tuple(y); }
};

} // namespace strata::matvec
