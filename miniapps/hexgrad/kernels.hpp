#pragma once

#include "array/access/pack.hpp"
#include "array/access/prefetch.hpp"
#include "array/access/transpose.hpp"
#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"

#include <cstdint>
#include <tuple>
#include <type_traits>

namespace strata::hexgrad {

inline constexpr int nodes = 8;
inline constexpr int dims = 3;

/// One component of the gradients of an element's eight basis functions, times 12: out(I, .)
/// gets 12 ∫ ∂N_I/∂x from the nodes' y and z (cyclic for the others). 106 operations: the
/// differences of the 12 face diagonals, the 6 sums of them that opposite edges share, and
/// six products per node. Source: Flanagan and Belytschko 1981, eq. for B; S1 section V.
template <class V, class Out>
KOKKOS_FORCEINLINE_FUNCTION void mean_gradient(V const (&y)[nodes], V const (&z)[nodes],
                                               Out const& out)
{
  V const d20 = z[2] - z[0];
  V const d31 = z[3] - z[1];
  V const d41 = z[4] - z[1];
  V const d43 = z[4] - z[3];
  V const d50 = z[5] - z[0];
  V const d52 = z[5] - z[2];
  V const d61 = z[6] - z[1];
  V const d63 = z[6] - z[3];
  V const d64 = z[6] - z[4];
  V const d70 = z[7] - z[0];
  V const d72 = z[7] - z[2];
  V const d75 = z[7] - z[5];
  V const s0 = d43 + d52;
  V const s1 = d41 + d72;
  V const s2 = d31 + d75;
  V const s3 = d50 + d63;
  V const s4 = d20 + d64;
  V const s5 = d61 + d70;
  out(0, y[1] * s0 + y[4] * s2 + y[5] * d41 - y[3] * s1 - y[2] * d31 - y[7] * d43);
  out(1, y[2] * s3 + y[3] * d20 + y[6] * d52 - y[5] * s4 - y[0] * s0 - y[4] * d50);
  out(2, y[3] * s5 + y[0] * d31 + y[7] * d63 - y[1] * s3 - y[6] * s2 - y[5] * d61);
  out(3, y[4] * d70 + y[0] * s1 + y[7] * s4 - y[1] * d20 - y[2] * s5 - y[6] * d72);
  out(4, y[6] * d75 + y[5] * s5 + y[1] * d50 - y[7] * s3 - y[0] * s2 - y[3] * d70);
  out(5, y[2] * d61 + y[6] * s1 + y[1] * s4 - y[4] * s5 - y[7] * d64 - y[0] * d41);
  out(6, y[7] * s0 + y[2] * s2 + y[3] * d72 - y[5] * s1 - y[4] * d75 - y[1] * d52);
  out(7, y[5] * d64 + y[4] * s3 + y[0] * d43 - y[3] * s4 - y[6] * s0 - y[2] * d63);
}

/// Operations of one element, additions and products alike: 3 x 106. S1 prints 231 for the
/// same mathematics; S4's 6.6 per value access is 318 / 48.
inline constexpr int element_flops = 318;
inline constexpr int element_flops_s1 = 231;

/// gradients(e, d, I) = 12 ∫ ∂N_I/∂x_d over element e, from coordinates(e, d, node). Both are
/// (elements, 3, 8). One work item per element; computes in the coordinates' scalar, of narrow
/// ones in float. A host prefetches later elements: its hardware follows fewer than the 48
/// streams, and 318 operations separate the loads of two elements. The body is inlined, since
/// offsets would be computed anew for every store otherwise.
template <class Coordinates, class Gradients>
struct BasisGradient
{
  static constexpr char const* name() { return "strata::hexgrad::BasisGradient"; }
  static constexpr int flops = element_flops;
  static constexpr bool fetches_ahead = true;
  Coordinates coordinates;
  Gradients gradients;

  template <class I>
  KOKKOS_FUNCTION void operator()(I e) const
  {
    using V = ValueAt<typename Coordinates::value_type, I>;
    using Out = std::remove_const_t<typename Gradients::value_type>;
    V x[dims][nodes];
    for (int d = 0; d < dims; ++d)
      for (int n = 0; n < nodes; ++n)
        x[d][n] = coordinates(e, d, n);
    unrolled<dims>([&](auto component) {
      int const d = component;
      mean_gradient(x[(d + 1) % dims], x[(d + 2) % dims],
                    [&](int n, V value) { gradients(e, d, n) = convert<Out>(value); });
    });
  }
  [[nodiscard]] auto reads() const { return std::tuple(coordinates); }
  [[nodiscard]] auto writes() const { return std::tuple(gradients); }
};

/// The same where an element's numbers are neighbours (LayoutRight): of a pack of elements rows
/// of nodes are loaded and stored, and transposed in registers in between.
template <class Coordinates, class Gradients>
struct BasisGradientOfRows : BasisGradient<Coordinates, Gradients>
{
  using OfOne = BasisGradient<Coordinates, Gradients>;

  KOKKOS_FUNCTION void operator()(index_t e) const { OfOne::operator()(e); }

  /// As `fetches_ahead` asks for: prefetches the lines of a later pack in the order of memory,
  /// which its loads do not follow; with streaming stores only, as with others it gains
  /// nothing.
  template <int W>
  KOKKOS_FUNCTION void operator()(LeadingIndex<W> e) const
  {
    if constexpr (!Gradients::accessor_type::fetches_before_store) {
      auto const* const later = this->coordinates.data_handle() +
                                this->coordinates.mapping()(e.first + elements_ahead, 0, 0);
      for (int row = 0; row < W * dims; ++row)
        prefetch_second_level(later + nodes * row);
    }
    (*this)(PackIndex<W>{e});
  }

  template <int W>
  KOKKOS_FUNCTION void operator()(PackIndex<W> e) const
  {
    using V = ValueAt<typename Coordinates::value_type, PackIndex<W>>;
    using Out = std::remove_const_t<typename Gradients::value_type>;
    static_assert(nodes % W == 0);
    V x[dims][nodes];
    for (int d = 0; d < dims; ++d)
      unrolled<nodes / W>([&](auto part) {
        constexpr int first = W * decltype(part)::value;
        V rows[W];
        unrolled<W>(
            [&](auto r) { rows[r] = this->coordinates(e.first + r, d, PackIndex<W>{first}); });
        transpose(rows);
        unrolled<W>([&](auto n) { x[d][first + n] = rows[n]; });
      });
    unrolled<dims>([&](auto component) {
      int const d = component;
      V gradient[nodes / W][W];
      mean_gradient(x[(d + 1) % dims], x[(d + 2) % dims],
                    [&](int n, V value) { gradient[n / W][n % W] = value; });
      for (auto& rows : gradient)
        transpose(rows);
      unrolled<W>([&](auto r) {
        unrolled<nodes / W>([&](auto part) {
          this->gradients(e.first + r, d, PackIndex<W>{W * part}) =
              convert<Out>(gradient[part][r]);
        });
      });
    });
  }
};

/// The unstructured form: coordinates(node, d) through connectivity(e, 8).
template <class Coordinates, class Connectivity, class Gradients>
struct GatherGradient
{
  static constexpr char const* name() { return "strata::hexgrad::GatherGradient"; }
  static constexpr int flops = element_flops;
  Coordinates coordinates;
  Connectivity connectivity;
  Gradients gradients;

  KOKKOS_FUNCTION void operator()(index_t e) const
  {
    using V = typename Gradients::value_type;
    V x[dims][nodes];
    for (int n = 0; n < nodes; ++n) {
      auto const node = connectivity(e, n);
      for (int d = 0; d < dims; ++d)
        x[d][n] = coordinates(node, d);
    }
    for (int d = 0; d < dims; ++d)
      mean_gradient(x[(d + 1) % dims], x[(d + 2) % dims],
                    [&](int n, V value) { gradients(e, d, n) = value; });
  }
  [[nodiscard]] auto reads() const { return std::tuple(coordinates, connectivity); }
  [[nodiscard]] auto writes() const { return std::tuple(gradients); }
};

} // namespace strata::hexgrad
