#pragma once

#include "pack_tile.hpp"
#include "tile_memory.hpp"
#include "tiles.hpp"

#include "base/kokkos.hpp"

#include <algorithm>
#include <cstddef>

namespace strata::mgs {

/// A tile pass on a host: a thread copies a tile to its cache.
template <class A>
class PackTileKernel
{
public:
  static constexpr char const* name() { return "strata::mgs::TilePass"; }
  static constexpr int members = 1;

private:
  using Tile = PackTile<A>;
  using V = typename Tile::V;
  static constexpr int packs = Tile::packs;
  static constexpr int block = Tile::block;
  static constexpr int most_blocks = static_cast<int>(most_tile_columns) / block;

public:
  static constexpr std::size_t scratch_bytes =
      sizeof(V) * (most_tile_columns * packs + most_blocks * most_blocks * block * block);

  PackTileKernel(A const& a, index_t row_count, TilePass const& pass, TileMemory const& memory)
      : a_(a)
      , rows_(row_count)
      , teams_(teams(row_count))
      , pass_(pass)
      , memory_(memory)
      , columns_(static_cast<int>(pass.columns()))
      , panel_(static_cast<int>(pass.panel.count))
      , stored_(static_cast<int>(pass.stored()))
      , first_(pass.first())
      , left_blocks_(blocks_of(pass.left.count))
      , right_blocks_(blocks_of(pass.right.count))
  {
  }
  static index_t teams(index_t row_count) { return Tile::threads_for(row_count); }
  [[nodiscard]] index_t teams() const { return teams_; }
  /// Number of partial sums that the pass leaves for AddParts.
  [[nodiscard]] index_t parts() const { return pass_.left.count > 0 ? teams_ : 0; }
  /// Greatest number of their values.
  static index_t most_partials(index_t row_count)
  {
    return teams(row_count) * most_tile_columns * most_tile_columns;
  }

  template <class Team>
  void operator()(Team const& team) const
  {
    if (pass_.repeats && *memory_.repeats == 0)
      return;
    int const divisors = memory_.divisors(pass_);
    V* const tile = static_cast<V*>(team.scratch());
    V* const sums = tile + most_tile_columns * packs;
    std::fill_n(sums, left_blocks_ * right_blocks_ * block * block, V(0.0));
    index_t const end = Tile::first_tile(rows_, team.index() + 1, teams_);
    for (index_t t = Tile::first_tile(rows_, team.index(), teams_); t < end; ++t) {
      index_t const first = t * Tile::rows;
      Tile::load(a_, rows_, first, {first_, columns_}, tile);
      for (int place = 0; place < divisors; ++place)
        divide(tile, place);
      if (pass_.updates)
        update(tile, divisors - 1);
      Tile::store(a_, rows_, first, {first_, stored_}, tile);
      multiply(tile, sums);
    }
    leave_sums(team.index(), sums);
  }

private:
  static int blocks_of(index_t columns)
  {
    return static_cast<int>((columns + block - 1) / block);
  }
  /// panel = panel·U⁻¹ by substitution along each row.
  void divide(V* tile, int place) const
  {
    for (int column = 0; column < panel_; ++column)
      Tile::eliminate(tile + column * packs, tile, column, memory_.factor(place, 0) + column,
                      memory_.pitch, memory_.inverse(place)[column]);
  }
  /// rest -= panel·C
  void update(V* tile, int place) const
  {
    for (int column = panel_; column < columns_; ++column)
      Tile::eliminate(tile + column * packs, tile, panel_, memory_.factor(place, 0) + column,
                      memory_.pitch, 1.0);
  }

  /// sums += products of columns, a block of them at a time.
  void multiply(V const* tile, V* sums) const
  {
    for (int l = 0; l < left_blocks_; ++l)
      for (int r = 0; r < right_blocks_; ++r)
        if (l < r + 1) // symmetric, since right begins with left
          multiply_block(tile, l * block, r * block,
                         sums + (l * right_blocks_ + r) * block * block);
  }
  void multiply_block(V const* tile, int left, int right, V* to) const
  {
    V const* x[block];
    V const* y[block];
    for (int n = 0; n < block; ++n) {
      x[n] = tile + column_of(pass_.left, left + n) * packs;
      y[n] = tile + column_of(pass_.right, right + n) * packs;
    }
    Tile::multiply(x, y, to);
  }
  /// The tile's column that is number n of a range; the last one past its end.
  [[nodiscard]] int column_of(ColumnRange const& range, int n) const
  {
    int const last = static_cast<int>(range.count) - 1;
    return static_cast<int>(range.first - first_) + std::min(n, last);
  }

  void leave_sums(index_t team, V const* sums) const
  {
    int const rights = static_cast<int>(pass_.right.count);
    int const count = static_cast<int>(pass_.left.count) * rights;
    for (int n = 0; n < count; ++n) {
      int const left = n / rights;
      int const right = n % rights;
      int const at = left / block * right_blocks_ + right / block;
      int const within = left % block * block + right % block;
      memory_.partials[team * count + n] = lane_sum(sums[at * block * block + within]);
    }
  }

  A a_;
  index_t rows_, teams_;
  TilePass pass_;
  TileMemory memory_;
  int columns_, panel_, stored_; ///< of the tile, in this order
  index_t first_;                ///< column of the multivector that is the tile's first
  int left_blocks_, right_blocks_;
};

} // namespace strata::mgs
