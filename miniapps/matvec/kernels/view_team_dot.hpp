#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

namespace strata::matvec {

/// y = A x on plain Kokkos::View, a team per row, whose threads share the columns in a nested
/// reduction.
template <class Matrix, class Input, class Output>
struct ViewTeamDot
{
  static constexpr char const* name() { return "strata::matvec::ViewTeamDot"; }
  using Member = Kokkos::TeamPolicy<Device>::member_type;
  Matrix A;
  Input x;
  Output y;

  KOKKOS_FUNCTION void operator()(Member const& team) const
  {
    auto const row = static_cast<index_t>(team.league_rank());
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, static_cast<index_t>(A.extent(1))),
        [&](index_t col, double& partial) { partial += A(row, col) * x(col); }, sum);
    Kokkos::single(Kokkos::PerTeam(team), [&] { y(row) = sum; });
  }
};

} // namespace strata::matvec
