#pragma once

#include "row_launches.hpp"
#include "tiles.hpp"

#include "array/pack.hpp"
#include "array/span.hpp"
#include "base/kokkos.hpp"

#include <algorithm>
#include <type_traits>

namespace strata::mgs {

// A team handles tiles of rows, all columns of a pass at a time, in its fast memory. Rows are
// grouped in packs there, whatever the layout, so that all that is computed is vector code on a
// host; on a GPU a work item has one row.

/// What may be tuned.
struct TileShape
{
  /// Rows of a pack: one vector register.
#if defined(__AVX512F__)
  static constexpr int host_lanes = 8;
#else
  static constexpr int host_lanes = 4;
#endif
  static constexpr int lanes = device_is_host ? host_lanes : 1;
  static constexpr int rows = 64; ///< of a tile
  static constexpr int packs = rows / lanes;
  /// Packs that one work item carries through a column's operations, one after the other:
  /// independent chains hide a host's latency; a GPU has other work items for that.
  static constexpr int strip = device_is_host ? 8 : 1;
  static constexpr int strips = packs / strip;
  /// Products of so many columns by so many stay in a work item's registers.
  static constexpr int block = 4;
  static constexpr int team = device_is_host ? 1 : 128;
  /// Teams of the whole launch: those that a device can run at once, about.
  static int teams(index_t tiles)
  {
    index_t const most = Device().concurrency() / (device_is_host ? 1 : 512);
    return static_cast<int>(std::max<index_t>(1, std::min(tiles, most)));
  }
  /// Work items for one block of products: those of a team that would idle otherwise, each
  /// with rows of its own.
  static KOKKOS_FUNCTION int groups(int blocks)
  {
    int const all = team / blocks;
    return all < 1 ? 1 : all > strips ? strips : all;
  }
};

/// What a pass finds and leaves, in the device's memory.
struct TileMemory
{
  double* u;        ///< U found last, rows `pitch` apart, u(b, c)
  double* inverse;  ///< of its diagonal
  double* c;        ///< C found last, rows `pitch` apart
  double* products; ///< left × right, in rows of right.count
  double* partials; ///< the same for every team
  double* shifted;  ///< 1 where the panel's first factor needed a shift, else 0
  index_t pitch;
};

template <class A>
class TileKernel
{
public:
  static constexpr char const* name() { return "strata::mgs::TilePass"; }
  using Team = typename Kokkos::TeamPolicy<Device>::member_type;
  using V = std::conditional_t<TileShape::lanes == 1, double,
                               Pack<double, std::max(TileShape::lanes, 2)>>;

  TileKernel(A const& a, index_t rows, TilePass const& pass, TileMemory const& memory)
      : a_(a)
      , rows_(rows)
      , pass_(pass)
      , memory_(memory)
      , columns_(static_cast<int>(pass.panel.count + pass.rest.count))
      , panel_(static_cast<int>(pass.panel.count))
      , first_(pass.panel.count > 0 ? pass.panel.first : pass.rest.first)
      , left_blocks_(blocks_of(pass.left.count))
      , right_blocks_(blocks_of(pass.right.count))
      , groups_(left_blocks_ == 0 ? 0 : TileShape::groups(left_blocks_ * right_blocks_))
  {
  }
  [[nodiscard]] KOKKOS_FUNCTION index_t tiles() const
  {
    return (rows_ + TileShape::rows - 1) / TileShape::rows;
  }
  [[nodiscard]] std::size_t scratch_bytes() const
  {
    return sizeof(V) * static_cast<std::size_t>(tile_size() + sums_size()) + 2 * alignment;
  }

  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    if (pass_.repeats && *memory_.shifted == 0)
      return;
    auto* const memory = static_cast<V*>(team.team_shmem().get_shmem_aligned(
        sizeof(V) * (tile_size() + sums_size()), alignment));
    V* const tile = memory;
    V* const sums = memory + tile_size();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, sums_size()),
                         [&](int n) { sums[n] = V(0.0); });
    index_t const all = tiles();
    index_t const league = team.league_size();
    index_t const begin = all * team.league_rank() / league;
    index_t const end = all * (team.league_rank() + 1) / league;
    for (index_t t = begin; t < end; ++t) {
      index_t const first = t * TileShape::rows;
      load(team, tile, first);
      team.team_barrier();
      if (pass_.divides) {
        divide(team, tile);
        team.team_barrier();
      }
      if (pass_.updates) {
        update(team, tile);
        team.team_barrier();
      }
      store(team, tile, first);
      multiply(team, tile, sums);
      team.team_barrier();
    }
    leave_sums(team, sums);
  }

private:
  static constexpr int block = TileShape::block;
  static constexpr int lanes = TileShape::lanes;
  static constexpr int packs = TileShape::packs;
  static constexpr int strip = TileShape::strip;
  static constexpr std::size_t alignment = 64;
  static constexpr bool rows_are_together =
      !std::is_same_v<typename A::layout_type, LayoutRight>;

  static int blocks_of(index_t columns)
  {
    return static_cast<int>((columns + block - 1) / block);
  }
  KOKKOS_FUNCTION int tile_size() const { return columns_ * packs; }
  KOKKOS_FUNCTION int sums_size() const
  {
    return left_blocks_ * right_blocks_ * groups_ * block * block;
  }
  template <class P>
  static KOKKOS_FUNCTION double& element(P& pack, int lane)
  {
    if constexpr (std::is_same_v<P, double>)
      return pack;
    else
      return reinterpret_cast<double*>(&pack)[lane];
  }

  /// f(column, row of the tile) for all elements of `columns` columns, in memory's order.
  template <class F>
  KOKKOS_FUNCTION void elements(Team const& team, int columns, F const& f) const
  {
    if constexpr (device_is_host) { // a team of one: no index to take apart
      for (int row = 0; row < TileShape::rows; ++row)
        for (int column = 0; column < columns; ++column)
          f(column, row);
    } else
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, columns * TileShape::rows),
                           [&](int item) {
                             if constexpr (rows_are_together)
                               f(item / TileShape::rows, item % TileShape::rows);
                             else
                               f(item % columns, item / columns);
                           });
  }
  KOKKOS_FUNCTION bool whole(index_t first) const
  {
    return rows_are_together && lanes > 1 && first + TileShape::rows <= rows_;
  }

  KOKKOS_FUNCTION void load(Team const& team, V* tile, index_t first) const
  {
    if constexpr (lanes > 1 && rows_are_together)
      if (whole(first)) {
        for (int column = 0; column < columns_; ++column)
          for (int p = 0; p < packs; ++p)
            tile[column * packs + p] = a_(PackIndex<lanes>{first + p * lanes}, first_ + column);
        return;
      }
    elements(team, columns_, [&](int column, int row) {
      double const value = first + row < rows_ ? a_(first + row, first_ + column) : 0.0;
      element(tile[column * packs + row / lanes], row % lanes) = value;
    });
  }

  /// What the pass has changed: the panel, where divided, and the rest, where updated.
  KOKKOS_FUNCTION void store(Team const& team, V* tile, index_t first) const
  {
    int const columns = pass_.updates ? columns_ : pass_.divides ? panel_ : 0;
    if constexpr (lanes > 1 && rows_are_together)
      if (whole(first)) {
        for (int column = 0; column < columns; ++column)
          for (int p = 0; p < packs; ++p)
            a_(PackIndex<lanes>{first + p * lanes}, first_ + column) = tile[column * packs + p];
        return;
      }
    elements(team, columns, [&](int column, int row) {
      if (first + row < rows_)
        a_(first + row, first_ + column) =
            element(tile[column * packs + row / lanes], row % lanes);
    });
  }

  /// tile(target) -= Σ tile(b) factor[b pitch], then times `scale`, for one strip of rows.
  KOKKOS_FUNCTION void eliminate(V* tile, int target, int count, double const* factor,
                                 double scale) const
  {
    V value[strip];
    for (int s = 0; s < strip; ++s)
      value[s] = tile[target * packs + s];
    for (int b = 0; b < count; ++b) {
      V const by(factor[b * memory_.pitch]);
      for (int s = 0; s < strip; ++s)
        value[s] = value[s] - by * tile[b * packs + s];
    }
    for (int s = 0; s < strip; ++s)
      tile[target * packs + s] = value[s] * V(scale);
  }

  /// panel = panel·U⁻¹ by substitution along each row.
  KOKKOS_FUNCTION void divide(Team const& team, V* tile) const
  {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, TileShape::strips), [&](int s) {
      for (int column = 0; column < panel_; ++column)
        eliminate(tile + s * strip, column, column, memory_.u + column,
                  memory_.inverse[column]);
    });
  }

  /// rest -= panel·C
  KOKKOS_FUNCTION void update(Team const& team, V* tile) const
  {
    int const rest = columns_ - panel_;
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, rest * TileShape::strips), [&](int item) {
          int const column = item / TileShape::strips;
          int const s = item % TileShape::strips;
          eliminate(tile + s * strip, panel_ + column, panel_, memory_.c + column, 1.0);
        });
  }

  /// sums += products of columns, a block of them a work item.
  KOKKOS_FUNCTION void multiply(Team const& team, V const* tile, V* sums) const
  {
    int const blocks = left_blocks_ * right_blocks_;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, blocks * groups_), [&](int item) {
      int const at = item % blocks;
      int const left = at / right_blocks_ * block;
      int const right = at % right_blocks_ * block;
      if (right + block <= left) // right begins with left: the other half is the same
        return;
      V const* x[block];
      V const* y[block];
      for (int n = 0; n < block; ++n) {
        x[n] = tile + column_of(pass_.left, left + n) * packs;
        y[n] = tile + column_of(pass_.right, right + n) * packs;
      }
      V sum[block][block];
      for (int n = 0; n < block * block; ++n)
        sum[n / block][n % block] = V(0.0);
      for (int p = item / blocks; p < packs; p += groups_)
        for (int n = 0; n < block; ++n)
          for (int m = 0; m < block; ++m)
            sum[n][m] += x[n][p] * y[m][p];
      V* const to = sums + item * block * block;
      for (int n = 0; n < block * block; ++n)
        to[n] += sum[n / block][n % block];
    });
  }
  /// The tile's column of one in a range; the last for those past its end.
  KOKKOS_FUNCTION int column_of(ColumnRange const& range, int n) const
  {
    int const last = static_cast<int>(range.count) - 1;
    return static_cast<int>(range.first - first_) + (n < last ? n : last);
  }

  KOKKOS_FUNCTION void leave_sums(Team const& team, V const* sums) const
  {
    int const rights = static_cast<int>(pass_.right.count);
    int const count = static_cast<int>(pass_.left.count) * rights;
    int const blocks = left_blocks_ * right_blocks_;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), [&](int item) {
      int const left = item / rights;
      int const right = item % rights;
      int const at = left / block * right_blocks_ + right / block;
      int const within = left % block * block + right % block;
      double sum = 0;
      for (int g = 0; g < groups_; ++g)
        sum += lane_sum(sums[(g * blocks + at) * block * block + within]);
      memory_.partials[static_cast<index_t>(team.league_rank()) * count + item] = sum;
    });
  }

  A a_;
  index_t rows_;
  TilePass pass_;
  TileMemory memory_;
  int columns_, panel_; ///< of the tile, and those of them that are the panel
  index_t first_;       ///< column of the multivector that is the tile's first
  int left_blocks_, right_blocks_, groups_;
};

/// products[n] = Σ over teams of their partial sums.
struct AddPartials
{
  static constexpr char const* name() { return "strata::mgs::AddPartials"; }
  TileMemory memory;
  index_t count;
  int teams;
  bool repeats;

  KOKKOS_FUNCTION void operator()(index_t n) const
  {
    if (repeats && *memory.shifted == 0)
      return;
    double sum = 0;
    for (int team = 0; team < teams; ++team)
      sum += memory.partials[team * count + n];
    memory.products[n] = sum;
  }
};

} // namespace strata::mgs
