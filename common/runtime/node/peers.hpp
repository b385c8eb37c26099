#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace strata::runtime {

/// Of the processes that this one's parent, a job's launcher on this node, has started from the
/// same executable: the next one by process id, after the last the first. None where this is
/// the only one or the system does not tell.
std::optional<int> next_peer();

/// Whether a signal has stopped the process (SIGSTOP; a debugger's stop is none).
bool is_stopped(int process);

/// Watches this node's ranks from a thread of its own, as a ring: MPI would wait for a stopped
/// one for ever. A job that is suspended as a whole has nobody to watch it, and goes on later.
class PeerWatch
{
public:
  /// Calls `end` in that thread, once, where the next peer was stopped at ten looks in a row.
  explicit PeerWatch(std::function<void(int process)> end,
                     std::chrono::milliseconds between_looks = std::chrono::seconds(3));
  ~PeerWatch();
  PeerWatch(PeerWatch const&) = delete;
  PeerWatch& operator=(PeerWatch const&) = delete;

  static constexpr int looks = 10;

private:
  void watch(std::function<void(int process)> const& end,
             std::chrono::milliseconds between_looks);

  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::thread thread_;
};

} // namespace strata::runtime
