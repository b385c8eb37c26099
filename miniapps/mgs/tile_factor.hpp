#pragma once

#include "tile_kernels.hpp"

#include <limits>

namespace strata::mgs {

/// The small matrices after a pass with products, by one team: U with UᵀU = left × left,
/// C = U⁻ᵀ·(left × rest), and their part of R. Where a pivot has lost its digits, the matrix
/// is shifted by 11 (N M + M (M + 1)) u ‖A‖², which bounds the condition of panel·U⁻¹.
/// Source: Fukaya, Kannan, Nakatsukasa, Yamamoto and Yanagisawa 2020, section 3.
struct TileFactorKernel
{
  static constexpr char const* name() { return "strata::mgs::TileFactor"; }
  using Team = Kokkos::TeamPolicy<Device>::member_type;
  static constexpr int most = static_cast<int>(most_tile_columns);

  TileFactor factor;
  TileMemory memory;
  double* r;
  index_t r_pitch;
  double rows; ///< over all ranks

  [[nodiscard]] static std::size_t scratch_bytes()
  {
    return 2 * sizeof(double) * most * most + 64;
  }

  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    if (factor.repeats && *memory.shifted == 0)
      return;
    auto* const g =
        static_cast<double*>(team.team_shmem().get_shmem(2 * sizeof(double) * most * most));
    double* const work = g + most * most;
    int const size = static_cast<int>(factor.panel.count);

    double trace = 0;
    for (int j = 0; j < size; ++j)
      trace += product(j, j);
    double const u = std::numeric_limits<double>::epsilon() / 2;
    bool const sound = cholesky(team, g, work, 0.0);
    if (!sound) {
      team.team_barrier();
      cholesky(team, g, work, 11 * (rows * size + size * (size + 1)) * u * trace);
    }
    team.team_barrier();
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      if (factor.first)
        *memory.shifted = sound ? 0 : 1;
    });
    leave_u(team, g);
    leave_c(team, g);
    leave_r(team, g, work);
  }

private:
  /// Half the digits of a pivot gone: what remains says nothing reliable of its column.
  static constexpr double least_pivot = 1e-13;

  [[nodiscard]] KOKKOS_FUNCTION index_t rights() const
  {
    return factor.panel.count + factor.rest.count;
  }
  [[nodiscard]] KOKKOS_FUNCTION double product(int j, index_t k) const
  {
    return memory.products[j * rights() + k];
  }

  /// The upper factor of the products plus a shift of the diagonal, in the rows of g; false
  /// where a pivot is too small. `work` holds the matrix that is left.
  KOKKOS_FUNCTION bool cholesky(Team const& team, double* g, double* work, double shift) const
  {
    int const size = static_cast<int>(factor.panel.count);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, size * size), [&](int item) {
      int const j = item / size;
      int const k = item % size;
      work[item] = k < j ? 0 : product(j, k) + (j == k ? shift : 0);
      g[item] = 0;
    });
    team.team_barrier();
    for (int j = 0; j < size; ++j) {
      double const pivot = work[j * size + j];
      if (!(pivot > least_pivot * (product(j, j) + shift)) && shift == 0)
        return false;
      double const inverse = 1 / std::sqrt(pivot);
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, size - j), [&](int n) {
        g[j * size + j + n] = work[j * size + j + n] * inverse;
      });
      team.team_barrier();
      int const left = size - 1 - j;
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, left * left), [&](int item) {
        int const x = j + 1 + item / left;
        int const y = j + 1 + item % left;
        if (y >= x)
          work[x * size + y] -= g[j * size + x] * g[j * size + y];
      });
      team.team_barrier();
    }
    return true;
  }

  KOKKOS_FUNCTION void leave_u(Team const& team, double const* g) const
  {
    int const size = static_cast<int>(factor.panel.count);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, size * size), [&](int item) {
      int const j = item / size;
      int const k = item % size;
      memory.u[j * memory.pitch + k] = g[item];
      if (j == k)
        memory.inverse[j] = 1 / g[item];
    });
  }

  /// Forward substitution, a column a work item.
  KOKKOS_FUNCTION void leave_c(Team const& team, double const* g) const
  {
    int const size = static_cast<int>(factor.panel.count);
    int const rest = static_cast<int>(factor.rest.count);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rest), [&](int n) {
      for (int j = 0; j < size; ++j) {
        double value = product(j, size + n);
        for (int b = 0; b < j; ++b)
          value -= g[b * size + j] * memory.c[b * memory.pitch + n];
        value /= g[j * size + j];
        memory.c[j * memory.pitch + n] = value;
        r[(factor.panel.first + j) * r_pitch + factor.rest.first + n] = value;
      }
    });
  }

  KOKKOS_FUNCTION void leave_r(Team const& team, double const* g, double* work) const
  {
    int const size = static_cast<int>(factor.panel.count);
    auto const at = [&](int j, int k) -> double& {
      return r[(factor.panel.first + j) * r_pitch + factor.panel.first + k];
    };
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, size * size), [&](int item) {
      int const j = item / size;
      int const k = item % size;
      double sum = 0;
      for (int b = j; b <= k; ++b)
        sum += g[j * size + b] * (factor.first ? (b == k ? 1.0 : 0.0) : at(b, k));
      work[item] = sum;
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, size * size), [&](int item) {
      if (item / size <= item % size)
        at(item / size, item % size) = work[item];
    });
  }
};

} // namespace strata::mgs
