#pragma once

#include "array/access/narrow.hpp"
#include "base/kokkos.hpp"
#include "base/mix.hpp"
#include "base/types.hpp"

#include <cstdint>
#include <type_traits>

namespace strata::matvec {

/// What a matrix's elements are rounded to.
enum class Elements
{
  wide, ///< no less than float: the error bounds allow for that
  half,
  bfloat16
};

template <class T>
inline constexpr Elements elements_of = std::is_same_v<T, float16>    ? Elements::half
                                        : std::is_same_v<T, bfloat16> ? Elements::bfloat16
                                                                      : Elements::wide;

/// Matrices and vectors as functions of global indices, the same for any layout and grid of
/// ranks. Matrix elements are in [-0.25, 0.75), vector elements in [0.5, 1.5): matrices have
/// full rank, are not symmetric and have elements of both signs, without much cancellation in
/// the sums.
struct Values
{
  std::uint64_t seed = 1;
  Elements elements = Elements::wide; ///< of matrices

  KOKKOS_FUNCTION double matrix(index_t i, index_t j) const
  {
    return rounded(hashed(1, i, j) - 0.25);
  }
  KOKKOS_FUNCTION double symmetric(index_t i, index_t j) const
  {
    return i < j ? matrix(j, i) : matrix(i, j);
  }
  /// The right factor of a matrix product.
  KOKKOS_FUNCTION double second(index_t i, index_t j) const
  {
    return rounded(hashed(2, i, j) - 0.25);
  }
  KOKKOS_FUNCTION double vector(index_t j) const { return 0.5 + hashed(3, j, 0); }

  /// A number in [0, 1).
  KOKKOS_FUNCTION double hashed(std::uint64_t kind, index_t i, index_t j) const
  {
    return mixed_to_unit(static_cast<std::uint64_t>(i) * golden_ratio +
                         static_cast<std::uint64_t>(j) * 0xd1b54a32d192ed03ULL +
                         (seed + kind) * 0x8cb92ba72f3d8dd7ULL);
  }

private:
  template <class T>
  static KOKKOS_FUNCTION double rounded_to(double value)
  {
    return static_cast<double>(T(static_cast<float>(value)));
  }
  KOKKOS_FUNCTION double rounded(double value) const
  {
    return elements == Elements::half       ? rounded_to<float16>(value)
           : elements == Elements::bfloat16 ? rounded_to<bfloat16>(value)
                                            : value;
  }
};

/// The same whose matrices have elements of type T.
template <class T>
Values rounded_to(Values values)
{
  values.elements = elements_of<T>;
  return values;
}

} // namespace strata::matvec
