#pragma once

#include "../../base/kokkos.hpp"
#include "../layout/require.hpp"

#include <functional>
#include <utility>

namespace strata {

/// Launches on Device that are made again and again, with the same arguments. On an NVIDIA GPU
/// the second call records them as a graph, which further calls launch as a whole: launches
/// that wait for each other follow in a third of the time that a host takes to make them.
/// Elsewhere, where one of Kokkos' tools listens, and where CUDA does not record them, every
/// call makes them. What it is given must only launch: it waits for nothing, and makes no
/// reduction or scan of Kokkos', whose memory Kokkos replaces when a larger one comes (`reduce`
/// to one number has its own), nor a launch through Kokkos of a functor of 512 bytes or more.
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
    if (graph_ == nullptr)
      launches_(); // none has run yet
    else
      detail::require(cudaGraphLaunch(graph_, stream()) == cudaSuccess,
                      "recorded launches could not be launched");
  }

private:
  static cudaStream_t stream() { return Kokkos::Cuda().cuda_stream(); }
  /// CUDA records no null stream (Kokkos 3's); a Kokkos that checks bounds waits after a
  /// launch.
  [[nodiscard]] bool may_record() const
  {
#if defined(KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK)
    return false;
#else
    return !refused_ && stream() != nullptr && !Kokkos::Tools::profileLibraryLoaded();
#endif
  }
  void record()
  {
    refused_ = true; // unless all goes well
    if (cudaStreamBeginCapture(stream(), cudaStreamCaptureModeRelaxed) != cudaSuccess) {
      cudaGetLastError(); // which no later check is to find
      return;
    }
    cudaGraph_t graph = nullptr;
    try {
      launches_();
    } catch (...) {
      if (cudaStreamEndCapture(stream(), &graph) == cudaSuccess) {
        cudaGraphDestroy(graph);
        throw;
      }
      cudaGetLastError();
      return; // CUDA does not record them
    }
    if (cudaStreamEndCapture(stream(), &graph) == cudaSuccess) {
      refused_ = cudaGraphInstantiateWithFlags(&graph_, graph, 0) != cudaSuccess;
      cudaGraphDestroy(graph);
    }
    if (refused_) {
      graph_ = nullptr;
      cudaGetLastError();
    }
  }

  std::function<void()> launches_;
  int calls_ = 0;
  bool refused_ = false;
  cudaGraphExec_t graph_ = nullptr;
#else
  ~Recorded() = default;

  void operator()() { launches_(); }

private:
  std::function<void()> launches_;
#endif
};

} // namespace strata
