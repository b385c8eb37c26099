#pragma once

#include "../../base/kokkos.hpp"
#include "../layout/require.hpp"

#include <functional>
#include <utility>

namespace strata {

/// Launches on Device that are made again and again, with the same arguments. On an NVIDIA GPU
/// the second call records them as a graph, which further calls launch as a whole: launches
/// that wait for each other follow in a third of the time that a host takes to make them.
/// Elsewhere, and where one of Kokkos' tools listens, every call makes them. What it is given
/// must only launch: it waits for nothing, and allocates nothing at its second call.
class Recorded
{
public:
  explicit Recorded(std::function<void()> launches)
      : launches_(std::move(launches))
  {
  }
  Recorded(Recorded const&) = delete;
  Recorded& operator=(Recorded const&) = delete;

#if defined(KOKKOS_ENABLE_CUDA)
  ~Recorded()
  {
    if (graph_ != nullptr)
      cudaGraphExecDestroy(graph_); // after what runs of it
  }

  void operator()()
  {
    if (calls_ < 2)
      ++calls_;
    if (calls_ == 1 || !may_record()) {
      launches_(); // allocates, too
      return;
    }
    if (graph_ == nullptr)
      record();
    check(cudaGraphLaunch(graph_, stream()), "launched");
  }

private:
  static cudaStream_t stream() { return Kokkos::Cuda().cuda_stream(); }
  /// CUDA records no null stream (Kokkos 3's); a Kokkos that checks bounds waits after a
  /// launch.
  static bool may_record()
  {
#if defined(KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK)
    return false;
#else
    return stream() != nullptr && !Kokkos::Tools::profileLibraryLoaded();
#endif
  }
  static void check(cudaError_t code, char const* what)
  {
    detail::require(code == cudaSuccess, "launches could not be %s as a graph: %s", what,
                    cudaGetErrorString(code));
  }
  void record()
  {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal), "recorded");
    launches_();
    check(cudaStreamEndCapture(stream(), &graph), "recorded");
    check(cudaGraphInstantiateWithFlags(&graph_, graph, 0), "made ready");
    cudaGraphDestroy(graph);
  }

  std::function<void()> launches_;
  int calls_ = 0;
  cudaGraphExec_t graph_ = nullptr;
#else
  ~Recorded() = default;

  void operator()() { launches_(); }

private:
  std::function<void()> launches_;
#endif
};

} // namespace strata
