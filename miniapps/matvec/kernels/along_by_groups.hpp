#pragma once

#include "gpu_time.hpp"
#include "team_parts.hpp"
#include "tuning.hpp"

#include "array/access/pack.hpp"
#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"

#include <type_traits>

namespace strata::matvec {

/// y = A x on a GPU where rows are contiguous, for any shape: groups of Lanes members, at most
/// 32 or a whole team, sum R rows each, by packs of W elements. Where rows do not begin on
/// whole packs (Aligned is false), those of a group lie W apart: their packs begin behind the
/// same number of elements. The columns are split over `sums.parts` teams where the team is the
/// group.
template <class Matrix, class Input, class Output, int Members, int Lanes, int R, int W,
          bool Aligned>
struct AlongByGroups
{
  static constexpr char const* name() { return "strata::matvec::AlongByGroups"; }
  static constexpr unsigned teams_at_once = 4;
  static constexpr bool team_is_group = Lanes == Members;
  using T = std::remove_const_t<typename Output::value_type>;
  static_assert(team_is_group || (Lanes <= 32 && Members % Lanes == 0));

  Matrix A;
  Input x;
  Output y;
  TeamParts<T> sums;
  index_t part_packs; ///< of the rows, in a part

  /// Teams for so many rows and one part of the columns.
  static index_t blocks(index_t rows)
  {
    return blocks_of_groups(rows, Members, Lanes, R, apart);
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    index_t const rows = A.extent(0);
    index_t const cols = A.extent(1);
    int block = static_cast<int>(team.index()); // 64-bit divisions take a GPU long
    int part = 0;
    if constexpr (team_is_group)
      if (sums.parts > 1) {
        part = block;
        block /= sums.parts;
        part -= block * sums.parts;
      }
    int const lane = team.rank() % Lanes;
    index_t const group = static_cast<index_t>(block) * (Members / Lanes) + team.rank() / Lanes;
    index_t const first = group / apart * (R * apart) + group % apart;
    if (team_is_group && first >= rows)
      return;
    // A group behind the last row sums that row again and does not store it: all members of a
    // warp take part in its sums.
    index_t const row = first < rows ? first : rows - 1;
    index_t const step = row + (R - 1) * apart < rows ? apart : 0;
    index_t const head = Aligned ? 0 : head_of(row, cols);
    index_t const packs = (cols - head) / W;
    index_t const begin = part * part_packs;
    index_t const end = part + 1 < sums.parts ? begin + part_packs : packs;
    // What lies outside of whole packs is loaded first and added last: nothing waits for it.
    T edge[edges][R];
    T edge_factor[edges];
    unrolled<edges>([&](auto n) {
      index_t const outside = lane + n * Lanes;
      bool const is_there = part == 0 && outside < cols - packs * W;
      index_t const col = outside < head ? outside : packs * W + outside;
      edge_factor[n] = is_there ? x(col) : T{};
      unrolled<R>([&](auto r) { edge[n][r] = is_there ? T(A(row + r * step, col)) : T{}; });
    });
    T total[R];
    add_packs(total, row, step, head, begin + lane, end);
    unrolled<edges>(
        [&](auto n) { unrolled<R>([&](auto r) { total[r] += edge[n][r] * edge_factor[n]; }); });
    add_members(team, total);
    if constexpr (team_is_group)
      if (sums.parts > 1) {
        index_t const mine = static_cast<index_t>(block) * R * sums.parts;
        if (lane == 0)
          unrolled<R>([&](auto r) { sums.values[mine + r * sums.parts + part] = total[r]; });
        if (!sums.is_last(team, block))
          return;
        unrolled<R>(
            [&](auto r) { total[r] = sums.sum(mine + r * sums.parts, 1, lane, Lanes); });
        add_members(team, total);
      }
    if (lane == 0)
      unrolled<R>([&](auto r) {
        if (first + r * apart < rows)
          y(first + r * apart) = total[r];
      });
  }

private:
  static constexpr index_t apart = Aligned ? 1 : W;
  static constexpr int unroll = tuning::in_flight;
  /// Elements outside of whole packs, before the first and behind the last, of a member.
  static constexpr int edges = W == 1 ? 1 : (2 * (W - 1) + Lanes - 1) / Lanes;
  using V = ValueAt<T, PackIndex<W>>;

  /// Elements of a row before its first whole pack.
  static KOKKOS_FUNCTION index_t head_of(index_t row, index_t cols)
  {
    index_t const head = (W - row * cols % W) % W;
    return head < cols ? head : cols;
  }
  KOKKOS_FUNCTION V factor(index_t col) const
  {
    if constexpr (Aligned)
      return x(PackIndex<W>{col});
    else {
      V pack;
      for (int w = 0; w < W; ++w)
        pack.lane[w] = x(col + w);
      return pack;
    }
  }
  /// total[r] = the sum of the member's packs q, q + Lanes, ... below `end`. All loads of
  /// `unroll` packs come first.
  KOKKOS_FUNCTION void add_packs(T (&total)[R], index_t row, index_t step, index_t head,
                                 index_t q, index_t end) const
  {
    V sum[R];
    unrolled<R>([&](auto r) { sum[r] = V(T{}); });
    auto const add = [&](auto const& is_there) {
      V a[unroll][R];
      unrolled<unroll>([&](auto u) {
        index_t const col = head + (q + u * Lanes) * W;
        unrolled<R>([&](auto r) {
          a[u][r] = is_there(u) ? V(A(row + r * step, PackIndex<W>{col})) : V(T{});
        });
      });
      unrolled<unroll>([&](auto u) {
        if (is_there(u)) {
          V const of_x = factor(head + (q + u * Lanes) * W);
          unrolled<R>([&](auto r) { sum[r] += a[u][r] * of_x; });
        }
      });
    };
    for (; q + (unroll - 1) * Lanes < end; q += unroll * Lanes)
      add([](int) { return true; });
    if (q < end)
      add([&](int u) { return q + u * Lanes < end; });
    unrolled<R>([&](auto r) { total[r] = lane_sum(sum[r]); });
  }
  template <class Team>
  static KOKKOS_FUNCTION void add_members(Team const& team, T (&total)[R])
  {
    if constexpr (team_is_group)
      team.sum(total);
    else
      unrolled<R>([&](auto r) { total[r] = team.template sum_of<Lanes>(total[r]); });
  }
};

} // namespace strata::matvec
