#pragma once

#include "columns.hpp"

#include "array/launch/sums.hpp"
#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"
#include "base/cuda/staged_values.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace strata::mgs {

/// Whether a kernel's values can be staged.
template <class Kernel>
concept HasSlots = requires { Kernel::slots(0); };
template <class Kernel, bool Staged>
constexpr int slots_of(int n)
{
  if constexpr (Staged)
    return Kernel::slots(n);
  else
    return 0;
}

/// Sums over rows of up to 2 N columns on a GPU, as partial sums for AddParts. A team is one
/// warp, whose halves take every second column of the same 16 packs of W rows: an access of the
/// warp is to whole cache lines of two columns, and a launch handles 32 columns. Sums stay in
/// registers for the whole launch; Kokkos' reductions suit work items that need few registers.
/// If Staged, values of the next rows are copied to scratch memory meanwhile.
template <class Kernel, int N, int W, bool Staged = false>
struct TeamSums
{
  static constexpr char const* name() { return Kernel::name(); }
  static constexpr int members = 32;
  static constexpr int compute_capability = Staged ? 80 : 0;
  /// As many teams as have registers for their sums and the loads in flight.
  static constexpr unsigned teams_at_once = N > 8 ? 8 : N > 4 ? 12 : 16;
  static constexpr int width = 2 * N; ///< values of a part

private:
  using Row = std::conditional_t<(W > 1), PackIndex<W>, index_t>;
  using T = typename decltype(Kernel::a)::value_type;
  using Values = StagedValues<ValueAt<T, Row>, slots_of<Kernel, Staged>(N), members>;
  static constexpr std::size_t fast_bytes = Kernel::template fast_size<width> * sizeof(double);

public:
  static constexpr std::size_t scratch_bytes = fast_bytes + Values::bytes;
  static_assert(width <= members && (!Staged || fast_bytes % 16 == 0));

  Kernel kernel;
  index_t rows;
  index_t teams;
  double* parts; ///< teams × width

  /// Teams of the launch: as many as the device runs at once, but no more than there is work.
  static index_t teams_for(index_t rows)
  {
    return std::min((rows + step - 1) / step, teams_of_device<TeamSums>());
  }
  /// Whether staging makes up for the wait for the first values: that takes some lots of rows
  /// of each team, by measurement on an H200 (of one lot it lost 4.5 %, of 29 it gained 9 %).
  static bool pays(index_t rows) { return rows >= 4 * step * teams_of_device<TeamSums>(); }
  static index_t values_for(index_t rows) { return teams_for(rows) * width; }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    Stripe<2> const columns{team.rank() / half};
    int const mine = team.rank() % half;
    auto const wait = [&] { team.barrier(); };
    index_t const whole = rows / step * step;
    auto const scratch = scratch_of(team);
    auto const same = once(team, scratch);
    Sums<double, N> sums;
    index_t first = team.index() * step;
    if constexpr (Staged) {
      Values const values(static_cast<std::byte*>(scratch) + fast_bytes, team.rank());
      auto const fetch = [&](index_t at, int stage) {
        if (at < whole)
          kernel.template for_slots<N>(columns, [&](int slot, index_t k) {
            values.copy(stage, slot, &kernel.a(at + mine * W, k));
          });
        values.end_stage();
      };
      fetch(first, 0);
      for (int stage = 0; first < whole; first += teams * step, stage = 1 - stage) {
        fetch(first + teams * step, 1 - stage);
        values.await_stage();
        kernel.template add<N>(sums, row(first + mine * W), columns, same, true, wait,
                               values.stage(stage));
      }
    } else
      for (; first < whole; first += teams * step)
        add(sums, row(first + mine * W), columns, same, true, wait);
    if (team.index() == teams - 1)
      for (first = whole; first < rows; first += half) {
        bool const real = first + mine < rows;
        add(sums, real ? first + mine : rows - 1, columns, same, real, wait);
      }
    double both[width];
    unrolled<N>([&](auto n) {
      both[2 * n] = columns.part == 0 ? sums[n] : 0;
      both[2 * n + 1] = columns.part == 1 ? sums[n] : 0;
    });
    team.sum(both);
    unrolled<width>([&](auto n) {
      if (team.rank() == n)
        parts[team.index() * width + n] = both[n];
    });
  }

private:
  template <class Team>
  KOKKOS_FUNCTION void* scratch_of([[maybe_unused]] Team const& team) const
  {
    if constexpr (scratch_bytes == 0)
      return nullptr;
    else
      return team.scratch();
  }
  template <class Team>
  KOKKOS_FUNCTION auto once([[maybe_unused]] Team const& team,
                            [[maybe_unused]] void* scratch) const
  {
    if constexpr (fast_bytes == 0)
      return kernel.once();
    else {
      auto const same =
          kernel.template once<width>(static_cast<double*>(scratch), team.rank(), members);
      team.barrier();
      return same;
    }
  }
  template <class I, class Same, class Wait>
  KOKKOS_FUNCTION void add(Sums<double, N>& sums, I i, Stripe<2> columns, Same const& same,
                           bool real, Wait const& wait) const
  {
    using A = std::remove_cvref_t<decltype(kernel.a)>;
    kernel.template add<N>(sums, i, columns, same, real, wait, InMemory<A, I>{kernel.a, i});
  }
  /// The pack of rows that begins with that one, or the row.
  static KOKKOS_FUNCTION Row row(index_t first)
  {
    if constexpr (W > 1)
      return {first};
    else
      return first;
  }
  static constexpr int half = members / 2;
  static constexpr int step = half * W; ///< rows of a team at a time
};

} // namespace strata::mgs
