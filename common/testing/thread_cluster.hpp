#pragma once

#include "thread_team.hpp"

#include "base/types.hpp"

#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

// A GPU's cluster kernels on a host.

namespace strata::testing {

/// A cluster whose blocks are one warp each, as a member of one of them sees it.
class ThreadCluster
{
public:
  static constexpr int members = 32;
  using Shared = ThreadTeam<members>::Shared;

  class Team : public ThreadTeam<members>
  {
  public:
    Team(Shared& shared, int rank, index_t index, void* scratch)
        : ThreadTeam<members>(shared, rank)
        , index_(index)
        , scratch_(scratch)
    {
    }
    [[nodiscard]] index_t index() const { return index_; }
    [[nodiscard]] void* scratch() const { return scratch_; }

  private:
    index_t index_;
    void* scratch_;
  };

  ThreadCluster(Shared& block, Barrier& all, int rank)
      : block_(block)
      , all_(all)
      , rank_(rank)
  {
  }
  [[nodiscard]] int block() const { return static_cast<int>(block_.index); }
  static int warp() { return 0; }
  [[nodiscard]] void* scratch() const { return block_.scratch.data(); }
  [[nodiscard]] Team block_team(void* scratch) const
  {
    return {block_, rank_, block_.index, scratch};
  }
  [[nodiscard]] Team warp_team(index_t index, void* scratch) const
  {
    return {block_, rank_, index, scratch};
  }
  void barrier() const { all_.wait(); }

private:
  Shared& block_;
  Barrier& all_;
  int rank_;
};

/// Runs a kernel of `launch_cluster` whose blocks are one warp.
template <class Kernel>
void run_cluster_on_threads(Kernel const& kernel)
{
  static_assert(Kernel::members == ThreadCluster::members);
  using Shared = ThreadCluster::Shared;
  Barrier all(Kernel::blocks * Kernel::members);
  std::vector<std::unique_ptr<Shared>> blocks;
  std::vector<std::thread> threads;
  for (int block = 0; block < Kernel::blocks; ++block) {
    blocks.emplace_back(
        new Shared{block, std::vector<double>(Kernel::scratch_bytes / sizeof(double) + 2)});
    for (int rank = 0; rank < Kernel::members; ++rank)
      threads.emplace_back([&kernel, &all, &shared = *blocks.back(), rank] {
        kernel(ThreadCluster(shared, all, rank));
      });
  }
  for (auto& thread : threads)
    thread.join();
}

} // namespace strata::testing
