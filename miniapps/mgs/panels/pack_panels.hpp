#pragma once

#include "blocks.hpp"

#include "array/launch/team.hpp"
#include "base/kokkos.hpp"
#include "tiles/pack_tile.hpp"

#include <algorithm>
#include <cstddef>

// Products and updates of panels on a host. A thread copies tiles of a block of left columns
// and of one of right columns to its cache.

namespace strata::mgs {

/// Partial sums of leftᵀ·right, a part from each thread. A thread goes through all blocks of
/// products with a few tiles, of which a block's columns stay in its second-level cache.
template <class A>
class PackPanelProducts
{
  using Tile = PackTile<A>;
  using V = typename Tile::V;
  static constexpr int width = static_cast<int>(panel_width);
  static constexpr int block = Tile::block;
  static constexpr int blocks = width / block;
  /// Tiles at once: 256 KiB of a block's columns.
  static constexpr index_t at_once = 16;

public:
  static constexpr char const* name() { return "strata::mgs::PanelProducts"; }
  static constexpr int members = 1;
  static constexpr std::size_t scratch_bytes =
      sizeof(V) * (2 * width * Tile::packs + width * width);

  PackPanelProducts(A const& a, index_t row_count, PanelPair const& of, double* partials)
      : a_(a)
      , rows_(row_count)
      , of_(of)
      , teams_(parts(row_count, of.blocks()))
      , partials_(partials)
  {
  }
  [[nodiscard]] index_t teams() const { return teams_; }
  /// Nothing is done where `wanted` points to 0.
  void only_if(double const* wanted) { wanted_ = wanted; }
  /// Parts of any number of blocks of products: AddParts adds them.
  static index_t parts(index_t row_count, index_t) { return Tile::threads_for(row_count); }

  template <class Team>
  void operator()(Team const& team) const
  {
    if (wanted_ != nullptr && *wanted_ == 0)
      return;
    V* const left = static_cast<V*>(team.scratch());
    V* const right = left + width * Tile::packs;
    V* const sums = right + width * Tile::packs;
    double* const to = partials_ + team.index() * of_.count();
    std::fill_n(to, of_.count(), 0.0);
    index_t const end = Tile::first_tile(rows_, team.index() + 1, teams_);
    for (index_t t = Tile::first_tile(rows_, team.index(), teams_); t < end; t += at_once)
      for (index_t n = 0; n < of_.blocks(); ++n) {
        std::fill_n(left, width * Tile::packs, V(0.0)); // columns past the ranges' ends
        std::fill_n(right, width * Tile::packs, V(0.0));
        std::fill_n(sums, width * width, V(0.0));
        for (index_t tile = t; tile < std::min(t + at_once, end); ++tile) {
          Tile::load(a_, rows_, tile * Tile::rows, of_.left, left);
          Tile::load(a_, rows_, tile * Tile::rows, of_.right_of(n), right);
          multiply(left, right, sums);
        }
        add(sums, to + n * width * width);
      }
  }

private:
  static void multiply(V const* left, V const* right, V* sums)
  {
    for (int l = 0; l < blocks; ++l)
      for (int r = 0; r < blocks; ++r) {
        V const* x[block];
        V const* y[block];
        for (int n = 0; n < block; ++n) {
          x[n] = left + (l * block + n) * Tile::packs;
          y[n] = right + (r * block + n) * Tile::packs;
        }
        Tile::multiply(x, y, sums + (l * blocks + r) * block * block);
      }
  }
  static void add(V const* sums, double* to)
  {
    for (int l = 0; l < width; ++l)
      for (int r = 0; r < width; ++r) {
        int const at = l / block * blocks + r / block;
        int const within = l % block * block + r % block;
        to[l * width + r] += lane_sum(sums[at * block * block + within]);
      }
  }

  A a_;
  index_t rows_;
  PanelPair of_;
  index_t teams_;
  double* partials_;
  double const* wanted_ = nullptr;
};

/// right -= left·C, `left` of at most panel_width columns.
template <class A>
class PackPanelUpdate
{
  using Tile = PackTile<A>;
  using V = typename Tile::V;
  static constexpr int width = static_cast<int>(panel_width);

public:
  static constexpr char const* name() { return "strata::mgs::PanelUpdate"; }
  static constexpr int members = 1;
  static constexpr std::size_t scratch_bytes = sizeof(V) * 2 * width * Tile::packs;

  PackPanelUpdate(A const& a, index_t row_count, PanelPair const& of, double const* products)
      : a_(a)
      , rows_(row_count)
      , of_(of)
      , teams_(Tile::threads_for(row_count))
      , products_(products)
  {
  }
  [[nodiscard]] index_t teams() const { return teams_; }

  template <class Team>
  void operator()(Team const& team) const
  {
    V* const left = static_cast<V*>(team.scratch());
    V* const right = left + width * Tile::packs;
    index_t const begin = Tile::first_tile(rows_, team.index(), teams_);
    index_t const end = Tile::first_tile(rows_, team.index() + 1, teams_);
    for (index_t t = begin; t < end; ++t) {
      Tile::load(a_, rows_, t * Tile::rows, of_.left, left);
      for (index_t r = 0; r < blocks_of(of_.right); ++r) {
        auto const rights = block_of(of_.right, r);
        Tile::load(a_, rows_, t * Tile::rows, rights, right);
        for (int column = 0; column < rights.count; ++column)
          Tile::eliminate(right + column * Tile::packs, left, static_cast<int>(of_.left.count),
                          products_ + PanelPair::at(0, r * panel_width + column), panel_width,
                          1.0);
        Tile::store(a_, rows_, t * Tile::rows, rights, right);
      }
    }
  }

private:
  A a_;
  index_t rows_;
  PanelPair of_;
  index_t teams_;
  double const* products_;
};

} // namespace strata::mgs
