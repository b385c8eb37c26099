#pragma once

#include "row_tiles.hpp"
#include "tile_factor.hpp"
#include "tile_memory.hpp"
#include "tiles.hpp"

#include "array/launch/cluster.hpp"
#include "array/launch/unroll.hpp"
#include "array/layout/require.hpp"
#include "base/kokkos.hpp"

#include <algorithm>
#include <cstddef>

namespace strata::mgs {

/// A pass and, if it has products, what is made of them.
struct TileStep
{
  TilePass pass;
  TileFactor factor;

  [[nodiscard]] KOKKOS_FUNCTION bool has_products() const { return pass.left.count > 0; }
};

/// What an algorithm asks for, in its order, as a kernel's argument.
struct TileSteps
{
  /// Those of `blocked`: three of every panel, after the products of the first.
  static constexpr int most = 1 + 3 * static_cast<int>(most_tile_columns / panel_columns);
  TileStep step[most];
  int count = 0;
};

class TileRecorder : public TileOperations
{
public:
  /// A cluster has few rows, which stay in caches: it need not divide again.
  explicit TileRecorder(bool divides_again = false)
      : divides_again_(divides_again)
  {
  }
  void pass(TilePass const& pass) override
  {
    detail::require(steps_.count < TileSteps::most, "more passes over tiles than are kept");
    steps_.step[steps_.count++].pass = pass;
  }
  void factor(TileFactor const& factor) override
  {
    steps_.step[steps_.count - 1].factor = factor;
  }
  [[nodiscard]] bool divides_again() const override { return divides_again_; }
  [[nodiscard]] TileSteps const& steps() const { return steps_; }

private:
  bool divides_again_;
  TileSteps steps_;
};

/// All steps by one cluster. A warp has the same tiles in every pass, the cluster's warps in
/// turns over the blocks. A block adds the sums of its warps; all blocks add those of all and
/// factorise them, each for itself: so that one barrier a pass is all that they wait for each
/// other. Columns: those of the multivector, rounded up.
template <class A, int Columns, int Blocks = 16, int Members = 256>
class TileStepsKernel
{
public:
  static constexpr char const* name() { return "strata::mgs::TileSteps"; }
  static constexpr int blocks = Blocks;
  static constexpr int members = Members;

private:
  using Pass = RowTileKernel<A, Columns, Columns>;
  using PanelPass = RowTileKernel<A, Columns, static_cast<int>(panel_columns)>;
  static constexpr int warps = members / Pass::members;
  static constexpr int most = static_cast<int>(most_tile_columns);
  static constexpr int square = most * most;
  /// In scratch memory, behind the blocks' own TileMemory: the tiles of the warps, and while no
  /// pass is under way, what is factorised.
  static constexpr std::size_t own_bytes =
      sizeof(double) * (most_divisors * (square + most) + square + 2);
  static constexpr std::size_t work_bytes =
      std::max(warps * Pass::scratch_bytes, TileFactorKernel::scratch_bytes);
  static constexpr int tile_numbers = static_cast<int>(Pass::scratch_bytes / sizeof(double));
  static_assert(PanelPass::scratch_bytes <= Pass::scratch_bytes);
  static_assert(own_bytes % 16 == 0 && Pass::scratch_bytes % 16 == 0);
  static_assert(Columns * Columns <= tile_numbers, "a warp's sums take the place of its tile");

public:
  static constexpr std::size_t scratch_bytes = own_bytes + work_bytes;
  /// Rows of which every warp of the cluster has one tile.
  static constexpr index_t rows_at_once = index_t{Blocks} * warps * Pass::rows;
  /// Values of `partials`: each block's sums of two passes. While a block reads those of one,
  /// another may have begun the next.
  static constexpr index_t partial_values = 2 * Blocks * square;

  /// steps: that divide by one factor at a time. r: R in rows of r_pitch; on one rank.
  TileStepsKernel(A const& a, index_t row_count, TileSteps const& steps, double* partials,
                  double* r, index_t r_pitch)
      : a_(a)
      , rows_(row_count)
      , steps_(steps)
      , partials_(partials)
      , r_(r)
      , r_pitch_(r_pitch)
  {
  }

  template <class Cluster>
  KOKKOS_FUNCTION void operator()(Cluster const& cluster) const
  {
    auto* const own = static_cast<double*>(cluster.scratch());
    double* const work = own + own_bytes / sizeof(double);
    double* const inverses = own + most_divisors * square;
    double* const products = inverses + most_divisors * most;
    TileMemory const memory{own,     inverses,          products,
                            nullptr, products + square, most_tile_columns};
    auto const team = cluster.block_team(work);
    double* const r = cluster.block() == 0 ? r_ : nullptr;
    int turn = 0;
    for (int n = 0; n < steps_.count; ++n) {
      TileStep const& step = steps_.step[n];
      if (step.pass.repeats && *memory.repeats == 0)
        continue;
      pass(cluster, step.pass, memory, work);
      if (!step.has_products())
        continue;
      team.barrier();
      double* const sums = partials_ + turn * Blocks * square;
      add<warps>(team, step.pass, work, tile_numbers, sums + cluster.block() * square);
      cluster.barrier();
      add<Blocks>(team, step.pass, sums, square, memory.products);
      team.barrier();
      TileFactorKernel{step.factor, memory, r, r_pitch_, static_cast<double>(rows_)}(team);
      team.barrier();
      turn = 1 - turn;
    }
  }

private:
  template <class Cluster>
  KOKKOS_FUNCTION void pass(Cluster const& cluster, TilePass const& pass,
                            TileMemory const& memory, double* work) const
  {
    double* const tile = work + cluster.warp() * tile_numbers;
    auto const run = [&]<class Kernel>() {
      Kernel const kernel(a_, rows_, pass, memory, Blocks * warps);
      kernel.run(cluster.warp_team(cluster.warp() * Blocks + cluster.block(), tile), tile);
    };
    if (pass.has_both())
      run.template operator()<PanelPass>();
    else
      run.template operator()<Pass>();
  }

  /// to[n] = Σ of the products n of `Parts` parts, `stride` apart, on and above the diagonal.
  /// All loads come before the stores, and none waits for a branch: the others load product 0.
  template <int Parts, class Team>
  static KOKKOS_FUNCTION void add(Team const& team, TilePass const& pass, double const* parts,
                                  int stride, double* to)
  {
    constexpr int each = square / members;
    int const lefts = static_cast<int>(pass.left.count);
    int const rights = static_cast<int>(pass.right.count);
    int const column = team.rank() % most;
    bool wanted[each];
    int at[each];
    double sum[each] = {};
    unrolled<each>([&](auto n) {
      int const row = (team.rank() + n * members) / most;
      wanted[n] = row < lefts && row <= column && column < rights;
      at[n] = wanted[n] ? row * rights + column : 0;
    });
    unrolled<Parts>([&](auto part) {
      unrolled<each>([&](auto n) { sum[n] += parts[part * stride + at[n]]; });
    });
    unrolled<each>([&](auto n) {
      if (wanted[n])
        to[at[n]] = sum[n];
    });
  }

  A a_;
  index_t rows_;
  TileSteps steps_;
  double* partials_;
  double* r_;
  index_t r_pitch_;
};

} // namespace strata::mgs
