#pragma once

#include "tile_memory.hpp"
#include "tiles.hpp"

#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

namespace strata::mgs {

/// The small matrices after a pass with products, by one team: U with UᵀU = left × left, C =
/// U⁻ᵀ·(left × rest), and their part of R. Where a pivot suffers cancellation, the diagonal is
/// shifted by 11 (N M + M (M + 1)) u ‖A‖_F², with M the columns of the panel, N the rows over
/// all ranks and u the unit roundoff, which bounds the condition of panel·U⁻¹. Source: Fukaya,
/// Kannan, Nakatsukasa, Yamamoto and Yanagisawa 2020, section 3.
struct TileFactorKernel
{
  static constexpr char const* name() { return "strata::mgs::TileFactor"; }
  static constexpr int most = static_cast<int>(most_tile_columns);

  TileFactor factor;
  TileMemory memory;
  double* r;
  index_t r_pitch;
  double rows; ///< over all ranks

  static constexpr std::size_t scratch_bytes = sizeof(double) * (2 * most * most + most);

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    if (factor.repeats && *memory.shifted == 0)
      return;
    auto* const g = static_cast<double*>(team.scratch());
    double* const work = g + most * most;
    int const size = static_cast<int>(factor.panel.count);

    bool const sound = cholesky(team, g, work, 0.0);
    if (!sound) {
      double trace = 0;
      for (int j = 0; j < size; ++j)
        trace += product(j, j);
      double const u = std::numeric_limits<double>::epsilon() / 2;
      team.barrier();
      cholesky(team, g, work, 11 * (rows * size + size * (size + 1)) * u * trace);
    }
    if (factor.first && team.rank() == 0)
      *memory.shifted = sound ? 0 : 1;
    leave_u(team, g);
    leave_c(team, g);
    leave_r(team, g, work);
  }

private:
  /// Least relative pivot: below it, cancellation has left too few digits.
  static constexpr double least_pivot = 1e-13;

  /// Calls f(n) for n below `count`, distributed over the team.
  template <class Team, class F>
  static KOKKOS_FUNCTION void each(Team const& team, int count, F const& f)
  {
    for (int n = team.rank(); n < count; n += Team::size)
      f(n);
  }
  /// Calls f(j, k) for the elements of the panel's square.
  template <class Team, class F>
  KOKKOS_FUNCTION void each_element(Team const& team, F const& f) const
  {
    int const size = static_cast<int>(factor.panel.count);
    each(team, size * most, [&](int item) {
      if (item % most < size)
        f(item / most, item % most);
    });
  }
  [[nodiscard]] KOKKOS_FUNCTION index_t rights() const
  {
    return factor.panel.count + factor.rest.count;
  }
  [[nodiscard]] KOKKOS_FUNCTION double product(int j, index_t k) const
  {
    return memory.products[j * rights() + k];
  }

  /// Stores the upper Cholesky factor of the products plus a shift of the diagonal in the rows
  /// of g, with zeros below the diagonal; false where a pivot is too small. A work item
  /// computes column k of row j from the rows before, and keeps in `work` what is left of the
  /// column's diagonal element, so that one barrier a row is enough.
  template <class Team>
  KOKKOS_FUNCTION bool cholesky(Team const& team, double* g, double* work, double shift) const
  {
    int const size = static_cast<int>(factor.panel.count);
    double* const diagonal = work + most * most;
    each(team, most * most, [&](int item) { g[item] = 0; });
    each(team, size, [&](int j) { diagonal[j] = product(j, j); });
    each_element(
        team, [&](int j, int k) { work[j * most + k] = product(j, k) + (j == k ? shift : 0); });
    team.barrier();
    for (int j = 0; j < size; ++j) {
      double const pivot = work[j * most + j];
      if (shift == 0 && !(pivot > least_pivot * diagonal[j]))
        return false;
      double const inverse = 1 / std::sqrt(pivot);
      each(team, size - j, [&](int n) {
        int const k = j + n;
        double const value = n == 0 ? pivot : work[j * most + k] - above(g, j, k);
        g[j * most + k] = value * inverse;
        if (n > 0)
          work[k * most + k] -= value * inverse * (value * inverse);
      });
      team.barrier();
    }
    return true;
  }

  /// Sum of the products of columns j and k of g in the rows above row j, which other work
  /// items may be storing.
  static KOKKOS_FUNCTION double above(double const* g, int j, int k)
  {
    constexpr int at_once = 8;
    double sums[4] = {0, 0, 0, 0};
    for (int b = 0; b < j; b += at_once)
      unrolled<at_once>([&](auto n) {
        constexpr int i = decltype(n)::value;
        if (b + i < j)
          sums[i % 4] += g[(b + i) * most + j] * g[(b + i) * most + k];
      });
    return sums[0] + sums[1] + (sums[2] + sums[3]);
  }

  template <class Team>
  KOKKOS_FUNCTION void leave_u(Team const& team, double const* g) const
  {
    each_element(team, [&](int j, int k) {
      double const value = g[j * most + k];
      memory.factor[j * memory.pitch + k] = value;
      if (j == k)
        memory.inverse[j] = 1 / value;
    });
  }

  /// Forward substitution, one column per work item.
  template <class Team>
  KOKKOS_FUNCTION void leave_c(Team const& team, double const* g) const
  {
    int const size = static_cast<int>(factor.panel.count);
    int const rest = static_cast<int>(factor.rest.count);
    each(team, rest, [&](int n) {
      for (int j = 0; j < size; ++j) {
        double value = product(j, size + n);
        for (int b = 0; b < j; ++b)
          value -= g[b * most + j] * memory.factor[b * memory.pitch + size + n];
        value /= g[j * most + j];
        memory.factor[j * memory.pitch + size + n] = value;
        r[(factor.panel.first + j) * r_pitch + factor.rest.first + n] = value;
      }
    });
  }

  /// Multiplies R from the left by the factor, the first time the identity.
  template <class Team>
  KOKKOS_FUNCTION void leave_r(Team const& team, double const* g, double* work) const
  {
    auto const at = [&](int j, int k) -> double& {
      return r[(factor.panel.first + j) * r_pitch + factor.panel.first + k];
    };
    if (factor.first) {
      each_element(team, [&](int j, int k) {
        if (j <= k)
          at(j, k) = g[j * most + k];
      });
      return;
    }
    each_element(team, [&](int j, int k) { work[j * most + k] = j <= k ? at(j, k) : 0; });
    team.barrier();
    each_element(team, [&](int j, int k) {
      if (j > k)
        return;
      double sum = 0;
      for (int b = j; b <= k; ++b)
        sum += g[j * most + b] * work[b * most + k];
      at(j, k) = sum;
    });
  }
};

} // namespace strata::mgs
