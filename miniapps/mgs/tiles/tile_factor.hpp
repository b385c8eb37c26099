#pragma once

#include "tile_memory.hpp"
#include "tiles.hpp"

#include "array/launch/team.hpp"
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

  static constexpr std::size_t scratch_bytes = 2 * sizeof(double) * most * most;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    if (factor.repeats && *memory.shifted == 0)
      return;
    auto* const g = static_cast<double*>(team.scratch());
    double* const work = g + most * most;
    int const size = static_cast<int>(factor.panel.count);

    double trace = 0;
    for (int j = 0; j < size; ++j)
      trace += product(j, j);
    double const u = std::numeric_limits<double>::epsilon() / 2;
    bool const sound = cholesky(team, g, work, 0.0);
    if (!sound) {
      team.barrier();
      cholesky(team, g, work, 11 * (rows * size + size * (size + 1)) * u * trace);
    }
    team.barrier();
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
  [[nodiscard]] KOKKOS_FUNCTION index_t rights() const
  {
    return factor.panel.count + factor.rest.count;
  }
  [[nodiscard]] KOKKOS_FUNCTION double product(int j, index_t k) const
  {
    return memory.products[j * rights() + k];
  }

  /// Stores the upper Cholesky factor of the products plus a shift of the diagonal in the rows
  /// of g; false where a pivot is too small. `work` holds the remaining matrix.
  template <class Team>
  KOKKOS_FUNCTION bool cholesky(Team const& team, double* g, double* work, double shift) const
  {
    int const size = static_cast<int>(factor.panel.count);
    each(team, size * size, [&](int item) {
      int const j = item / size;
      int const k = item % size;
      work[item] = k < j ? 0 : product(j, k) + (j == k ? shift : 0);
      g[item] = 0;
    });
    team.barrier();
    for (int j = 0; j < size; ++j) {
      double const pivot = work[j * size + j];
      if (!(pivot > least_pivot * (product(j, j) + shift)) && shift == 0)
        return false;
      double const inverse = 1 / std::sqrt(pivot);
      each(team, size - j,
           [&](int n) { g[j * size + j + n] = work[j * size + j + n] * inverse; });
      team.barrier();
      int const left = size - 1 - j;
      each(team, left * left, [&](int item) {
        int const x = j + 1 + item / left;
        int const y = j + 1 + item % left;
        if (y >= x)
          work[x * size + y] -= g[j * size + x] * g[j * size + y];
      });
      team.barrier();
    }
    return true;
  }

  template <class Team>
  KOKKOS_FUNCTION void leave_u(Team const& team, double const* g) const
  {
    int const size = static_cast<int>(factor.panel.count);
    each(team, size * size, [&](int item) {
      int const j = item / size;
      int const k = item % size;
      memory.factor[j * memory.pitch + k] = g[item];
      if (j == k)
        memory.inverse[j] = 1 / g[item];
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
          value -= g[b * size + j] * memory.factor[b * memory.pitch + size + n];
        value /= g[j * size + j];
        memory.factor[j * memory.pitch + size + n] = value;
        r[(factor.panel.first + j) * r_pitch + factor.rest.first + n] = value;
      }
    });
  }

  template <class Team>
  KOKKOS_FUNCTION void leave_r(Team const& team, double const* g, double* work) const
  {
    int const size = static_cast<int>(factor.panel.count);
    auto const at = [&](int j, int k) -> double& {
      return r[(factor.panel.first + j) * r_pitch + factor.panel.first + k];
    };
    each(team, size * size, [&](int item) {
      int const j = item / size;
      int const k = item % size;
      double sum = 0;
      for (int b = j; b <= k; ++b)
        sum += g[j * size + b] * (factor.first ? (b == k ? 1.0 : 0.0) : at(b, k));
      work[item] = sum;
    });
    team.barrier();
    each(team, size * size, [&](int item) {
      if (item / size <= item % size)
        at(item / size, item % size) = work[item];
    });
  }
};

} // namespace strata::mgs
