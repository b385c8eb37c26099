#pragma once

#include "base/types.hpp"

#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

// A GPU's team kernels on a host: a thread for each member, so that what one of them leaves for
// the others is there only after a barrier.

namespace strata::testing {

/// Threads that wait for one another without spinning: there are more of them than cores.
class Barrier
{
public:
  explicit Barrier(int threads)
      : threads_(threads)
  {
  }
  void wait()
  {
    std::unique_lock lock(mutex_);
    auto const round = round_;
    if (++waiting_ == threads_) {
      waiting_ = 0;
      ++round_;
      all_.notify_all();
    } else
      all_.wait(lock, [&] { return round_ != round; });
  }

private:
  std::mutex mutex_;
  std::condition_variable all_;
  int threads_;
  int waiting_ = 0;
  int round_ = 0;
};

/// A member of a team of Members threads, as kernels of `for_each_team` see it.
template <int Members>
class ThreadTeam
{
public:
  static constexpr int size = Members;
  static constexpr int warp = 32;
  struct Shared
  {
    Shared(index_t number, std::vector<double> memory)
        : index(number)
        , scratch(std::move(memory))
    {
      for (int n = 0; n < Members / warp; ++n)
        of_warp.emplace_back(warp);
    }
    index_t index;
    std::vector<double> scratch;
    Barrier barrier = Barrier(Members);
    std::deque<Barrier> of_warp;
    std::vector<double> sums = std::vector<double>(Members);
  };
  ThreadTeam(Shared& shared, int rank)
      : shared_(shared)
      , rank_(rank)
  {
  }
  [[nodiscard]] index_t index() const { return shared_.index; }
  [[nodiscard]] int rank() const { return rank_; }
  void barrier() const { shared_.barrier.wait(); }
  [[nodiscard]] void* scratch() const { return shared_.scratch.data(); }
  template <int N>
  void sum(double (&values)[N]) const
  {
    for (double& value : values) {
      tell(value);
      value = 0;
      for (double const part : shared_.sums)
        value += part;
    }
  }

  [[nodiscard]] bool any(bool mine) const { return count(mine) > 0; }
  [[nodiscard]] int count(bool mine) const
  {
    double of_all[1] = {mine ? 1.0 : 0.0};
    sum(of_all);
    return static_cast<int>(of_all[0]);
  }
  template <int N>
  [[nodiscard]] double sum_of(double value) const
  {
    tell(value);
    double sum = 0;
    for (int member = rank_ / N * N; member < rank_ / N * N + N; ++member)
      sum += shared_.sums[static_cast<std::size_t>(member)];
    return sum;
  }
  template <int N, class T>
  [[nodiscard]] T value_of(T value, int member) const
  {
    barrier_of<N>();
    shared_.sums[static_cast<std::size_t>(rank_)] = static_cast<double>(value);
    barrier_of<N>();
    int const asked = rank_ / N * N + member;
    return static_cast<T>(shared_.sums[static_cast<std::size_t>(asked)]);
  }
  [[nodiscard]] std::uint32_t ballot(bool mine) const
  {
    static_assert(Members <= 32, "a ballot has a bit for each member");
    tell(mine ? 1 : 0);
    std::uint32_t bits = 0;
    for (int member = 0; member < Members; ++member)
      if (shared_.sums[static_cast<std::size_t>(member)] > 0)
        bits |= std::uint32_t{1} << member;
    return bits;
  }
  [[nodiscard]] int before(int value) const
  {
    tell(value);
    double sum = 0;
    for (int member = 0; member < rank_; ++member)
      sum += shared_.sums[static_cast<std::size_t>(member)];
    return static_cast<int>(sum);
  }
  template <int N>
  void barrier_of() const
  {
    static_assert(N == warp || N == Members, "a group is a warp");
    if constexpr (N == Members)
      barrier();
    else
      shared_.of_warp[static_cast<std::size_t>(rank_ / warp)].wait();
  }
  template <int N, int R>
  double sums_of(double (&values)[R]) const
  {
    double mine = 0;
    for (int n = 0; n < R; ++n) {
      double const sum = sum_of<N>(values[n]);
      if (rank_ % R == n)
        mine = sum;
    }
    return mine;
  }

private:
  /// Lets every member read a value of each.
  void tell(double value) const
  {
    barrier();
    shared_.sums[static_cast<std::size_t>(rank_)] = value;
    barrier();
  }

  Shared& shared_;
  int rank_;
};

/// Runs `kernel` for `teams` teams, one after the other, each with room for `scratch_bytes`
/// that nothing has been written to.
template <int Members, class Kernel>
void run_on_threads(index_t teams, Kernel const& kernel, std::size_t scratch_bytes = 0)
{
  using Team = ThreadTeam<Members>;
  for (index_t index = 0; index < teams; ++index) {
    typename Team::Shared shared(index, std::vector<double>(scratch_bytes / 8 + 2, NAN));
    std::vector<std::thread> members;
    for (int rank = 0; rank < Members; ++rank)
      members.emplace_back([&, rank] { kernel(Team(shared, rank)); });
    for (auto& member : members)
      member.join();
  }
}

} // namespace strata::testing
