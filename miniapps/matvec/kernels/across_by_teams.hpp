#pragma once

#include "team_parts.hpp"
#include "tuning.hpp"

#include "array/access/pack.hpp"
#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"

#include <cstddef>
#include <type_traits>

namespace strata::matvec {

/// A matrix whose columns fill one stretch of memory, for packs that begin anywhere in it: the
/// elements of a pack before a column's first row, or behind its last one, are those of its
/// neighbours. `values` has whole packs.
template <class Values>
struct FlatColumns
{
  using value_type = typename Values::value_type;
  Values values;
  index_t rows, cols;

  template <int W>
  KOKKOS_FUNCTION auto operator()(PackIndex<W> row, index_t col) const
  {
    return values(PackIndex<W>{col * rows + row.first});
  }
  KOKKOS_FUNCTION index_t extent(std::size_t r) const { return r == 0 ? rows : cols; }
};

/// y = A x on a GPU where columns are contiguous, for any shape: `along` neighbouring members
/// of a team have a pack of W rows each, and its slices of `along` members take the columns in
/// turn. Phases is 1 if all columns begin on whole packs. Otherwise it is W: column c begins
/// behind `c rows mod W` elements of a pack, so a member sums each of W successive columns by
/// itself, and a team has one pack fewer of rows than of loads; A is then FlatColumns. The
/// columns are split over `sums.parts` teams.
template <class Matrix, class Input, class Output, int Members, int W, int Phases,
          int InFlight = tuning::in_flight>
struct AcrossByTeams
{
  static constexpr char const* name() { return "strata::matvec::AcrossByTeams"; }
  static constexpr unsigned teams_at_once = 4;
  using T = std::remove_const_t<typename Output::value_type>;
  static constexpr std::size_t scratch_bytes = std::size_t{Members} * W * sizeof(T);
  static_assert(Phases == 1 || Phases == W);

  Matrix A;
  Input x;
  Output y;
  TeamParts<T> sums;
  index_t part_cols; ///< a multiple of Phases
  int along_bits;    ///< binary logarithm of `along`; at least 1 if Phases > 1
  int blocks;        ///< of rows_of_team(along_bits) rows

  static KOKKOS_FUNCTION int rows_of_team(int along_bits)
  {
    return ((1 << along_bits) - (Phases == 1 ? 0 : 1)) * W;
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    auto* const scratch = static_cast<T*>(team.scratch());
    int const owned = rows_of_team(along_bits);
    int const slices = Members >> along_bits;
    int const place = team.rank() & ((1 << along_bits) - 1);
    int const slice = team.rank() >> along_bits;
    auto const index = static_cast<int>(team.index()); // 64-bit divisions take a GPU long
    int const part = sums.parts == 1 ? 0 : index / blocks;
    int const block = index - part * blocks;
    index_t const base = static_cast<index_t>(block) * owned;
    index_t const begin = part * part_cols;
    index_t const end = begin + part_cols < A.extent(1) ? begin + part_cols : A.extent(1);

    V sum[Phases];
    unrolled<Phases>([&](auto u) { sum[u] = V(T{}); });
    if (base + place * W - (Phases - 1) < A.extent(0))
      add_columns(sum, base, place, begin + slice * Phases, end, slices);

    index_t const rest = A.extent(0) - base;
    int const count = rest < owned ? static_cast<int>(rest) : owned;
    bool const is_only = sums.parts == 1;
    auto const store = [&](int row, T total) {
      if (is_only)
        y(base + row) = total;
      else
        sums.values[part * A.extent(0) + base + row] = total;
    };
    if (Phases == 1 && slices == 1)
      for (int w = 0; w < W; ++w) {
        if (place * W + w < count)
          store(place * W + w, sum[0].lane[w]);
      }
    else {
      unrolled<Phases>([&](auto u) {
        for (int w = 0; w < W; ++w) {
          int const row = place * W + w - shift(u);
          if (row >= 0 && row < owned) {
            T& entry = scratch[slice * owned + row];
            entry = u == 0 ? sum[u].lane[w] : entry + sum[u].lane[w];
          }
        }
        team.barrier();
      });
      for (int row = team.rank(); row < count; row += Members) {
        T total{};
        for (int s = 0; s < slices; ++s)
          total += scratch[s * owned + row];
        store(row, total);
      }
    }
    if (!is_only && sums.is_last(team, block))
      add_parts(team, scratch, base, count);
  }

private:
  static constexpr int unroll = InFlight / Phases > 1 ? InFlight / Phases : 1;
  using V = ValueAt<T, PackIndex<W>>;

  /// Elements of a pack before column u, and before every column c with c mod W = u.
  [[nodiscard]] KOKKOS_FUNCTION int shift(int u) const
  {
    return Phases == 1 ? 0 : static_cast<int>(u * A.extent(0) % W);
  }
  /// Adds the columns `col`, ... below `end` that this slice has, to the sums of their phases.
  /// All loads of InFlight packs come first.
  KOKKOS_FUNCTION void add_columns(V (&sum)[Phases], index_t base, int place, index_t col,
                                   index_t end, int slices) const
  {
    index_t const step = static_cast<index_t>(slices) * Phases;
    index_t row[Phases];
    unrolled<Phases>([&](auto u) {
      row[u] = base + place * W - shift(u);
      if (row[u] >= A.extent(0)) // nothing of it is used: what a neighbour loads
        row[u] = base - shift(u);
    });
    auto const add = [&](auto const& is_there) {
      V a[unroll][Phases];
      unrolled<unroll>([&](auto n) {
        unrolled<Phases>([&](auto u) {
          a[n][u] = V(T{});
          if (is_there(n * step + u))
            a[n][u] = A(PackIndex<W>{row[u]}, col + n * step + u);
        });
      });
      unrolled<unroll>([&](auto n) {
        unrolled<Phases>([&](auto u) {
          if (is_there(n * step + u))
            sum[u] += a[n][u] * V(x(col + n * step + u));
        });
      });
    };
    for (; col + (unroll - 1) * step + Phases <= end; col += unroll * step)
      add([](index_t) { return true; });
    for (; col < end; col += unroll * step)
      add([&](index_t offset) { return col + offset < end; });
  }
  /// y of a block's rows: members side by side have its rows, and slices of them take the parts
  /// in turn.
  template <class Team>
  KOKKOS_FUNCTION void add_parts(Team const& team, T* scratch, index_t base, int count) const
  {
    int const rows = W << along_bits;
    int const width = rows < Members ? rows : Members;
    int const slices = Members / width;
    int const slice = team.rank() / width;
    for (int first = 0; first < count; first += width) {
      int const row = first + team.rank() % width;
      T total{};
      if (row < count)
        total = sums.sum(base + row, A.extent(0), slice, slices);
      if (slices > 1) {
        team.barrier(); // what was in scratch memory has been read
        scratch[team.rank()] = total;
        team.barrier();
        for (int s = 1; s < slices && slice == 0; ++s)
          total += scratch[s * width + team.rank()];
      }
      if (slice == 0 && row < count)
        y(base + row) = total;
    }
  }
};

} // namespace strata::matvec
