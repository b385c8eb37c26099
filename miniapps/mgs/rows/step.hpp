#pragma once

#include "columns.hpp"

#include "array/access/pack.hpp"
#include "array/span/span.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <cmath>
#include <tuple>

namespace strata::mgs {

// The step of Gram-Schmidt as S1 and S4 write it, a launch for each operation:
//
//   r_jj = ‖a_j‖,  a_j = a_j / r_jj,  then for each k > j:  r_jk = a_j·a_k,  a_k = a_k - r_jk
//   a_j

/// Σ a_j², the square of column j's norm.
template <class A>
struct ColumnNorm
{
  static constexpr char const* name() { return "strata::mgs::ColumnNorm"; }
  A a;
  index_t j;

  template <class S, class I>
  KOKKOS_FUNCTION void operator()(S& sum, I i) const
  {
    ValueAt<typename A::value_type, I> const x = a(i, j);
    add_product(sum, x, x);
  }
  [[nodiscard]] auto writes() const { return std::tuple<>(); }
};

/// Σ a_j·a_k
template <class A>
struct ColumnDot
{
  static constexpr char const* name() { return "strata::mgs::ColumnDot"; }
  A a;
  index_t j, k;

  template <class S, class I>
  KOKKOS_FUNCTION void operator()(S& sum, I i) const
  {
    using V = ValueAt<typename A::value_type, I>;
    V const x = a(i, j);
    V const y = a(i, k);
    add_product(sum, x, y);
  }
  [[nodiscard]] auto writes() const { return std::tuple<>(); }
};

/// a_j /= √square; the first row's work item stores the root in *norm, unless null.
template <class A, class Square>
struct ColumnScale
{
  static constexpr char const* name() { return "strata::mgs::ColumnScale"; }
  A a;
  index_t j;
  Square square;
  double* norm;

  template <class I>
  KOKKOS_FUNCTION void operator()(I i) const
  {
    using T = computed_t<typename A::value_type>;
    using V = ValueAt<T, I>;
    double const length = std::sqrt(square[0]);
    V const x = a(i, j);
    a(i, j) = x * V(T(1 / length));
    if (norm != nullptr && detail::first_index(i) == 0)
      *norm = length;
  }
};

/// a_k -= r a_j
template <class A, class R>
struct ColumnUpdate
{
  static constexpr char const* name() { return "strata::mgs::ColumnUpdate"; }
  A a;
  index_t j, k;
  R r;

  template <class I>
  KOKKOS_FUNCTION void operator()(I i) const
  {
    using T = computed_t<typename A::value_type>;
    using V = ValueAt<T, I>;
    V const x = a(i, j);
    V y = a(i, k);
    y = y - V(T(r[0])) * x;
    a(i, k) = y;
  }
};

} // namespace strata::mgs
