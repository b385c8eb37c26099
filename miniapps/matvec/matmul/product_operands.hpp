#pragma once

#include "array/access/narrow.hpp"
#include "array/span/span.hpp"
#include "base/types.hpp"

#include <type_traits>
#include <utility>

namespace strata::matvec {

/// Bytes of the widest copy into a GPU team's scratch memory, on which lines then begin.
inline constexpr int widest_copy = 16;

/// C(i, j) = Σ_k X(i, k) Y(k, j), where X is contiguous along k and C along j: `x`, `y` and `c`
/// are the elements (0, 0), and lines are `pitch` apart. C of narrow factors has floats.
template <class T>
struct ProductOperands
{
  T const* x;
  T const* y;
  computed_t<T>* c;
  index_t x_pitch, y_pitch, c_pitch;
  index_t rows, columns, depth;
};

/// Whether Y is contiguous along k, not along j, in the product C = A B.
template <class Right, class Output>
inline constexpr bool y_along_k = !std::is_same_v<typename Right::layout_type, LayoutRight> &&
                                  std::is_same_v<typename Output::layout_type, LayoutRight>;

/// Those of C = A B, all in one order or B alone in columns. Where all are in columns it is
/// Cᵀ = Bᵀ Aᵀ in rows.
template <class Left, class Right, class Output>
ProductOperands<typename Left::value_type> operands_of(Left const& a, Right const& b,
                                                       Output const& c)
{
  constexpr bool by_rows = std::is_same_v<typename Output::layout_type, LayoutRight>;
  static_assert(std::is_same_v<typename Left::layout_type, typename Output::layout_type>);
  static_assert(by_rows || !std::is_same_v<typename Right::layout_type, LayoutRight>);
  auto const pitch = [](auto const& matrix) {
    using Layout = typename std::remove_cvref_t<decltype(matrix)>::layout_type;
    return matrix.mapping().stride(std::is_same_v<Layout, LayoutRight> ? 0 : 1);
  };
  ProductOperands<typename Left::value_type> o{
      a.data_handle(), b.data_handle(), c.data_handle(), pitch(a),   pitch(b),
      pitch(c),        c.extent(0),     c.extent(1),     a.extent(1)};
  if constexpr (!by_rows) {
    std::swap(o.x, o.y);
    std::swap(o.x_pitch, o.y_pitch);
    std::swap(o.rows, o.columns);
  }
  return o;
}

} // namespace strata::matvec
