#include "gpu_aware.hpp"

#include "probe.hpp"

#include "base/error.hpp"
#include "base/kokkos.hpp"

#include <mpi.h>

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include <array>

namespace strata::runtime {

namespace {

/// One way of asking, and its answer.
struct Answer
{
  Claim claim = Claim::silent;
  std::string source;
};

/// MPI 4.1's way; a library names there only kinds that this job may use.
bool memory_kinds_have_gpu()
{
  MPI_Info info = MPI_INFO_NULL;
  MPI_Comm_get_info(MPI_COMM_WORLD, &info);
  std::array<char, MPI_MAX_INFO_VAL + 1> value{};
  int found = 0;
  MPI_Info_get(info, "mpi_memory_alloc_kinds", MPI_MAX_INFO_VAL, value.data(), &found);
  MPI_Info_free(&info);
  return found != 0 &&
         std::string(value.data()).find(device_is_cuda ? "cuda" : "rocm") != std::string::npos;
}

/// What the library's own function says, where it has one.
Answer ask_function()
{
#if defined(KOKKOS_ENABLE_CUDA) && defined(MPIX_CUDA_AWARE_SUPPORT)
  return {MPIX_Query_cuda_support() != 0 ? Claim::yes : Claim::no, "MPIX_Query_cuda_support"};
#elif defined(KOKKOS_ENABLE_HIP) && defined(MPIX_ROCM_AWARE_SUPPORT)
  return {MPIX_Query_rocm_support() != 0 ? Claim::yes : Claim::no, "MPIX_Query_rocm_support"};
#elif defined(MPIX_GPU_SUPPORT_CUDA)
  int supported = 0;
  MPIX_GPU_query_support(device_is_cuda ? MPIX_GPU_SUPPORT_CUDA : MPIX_GPU_SUPPORT_HIP,
                         &supported);
  return {supported != 0 ? Claim::yes : Claim::no, "MPIX_GPU_query_support"};
#else
  return {};
#endif
}

/// Built with GPU support is not switched on: these variables decide the latter.
Answer ask_switches(Environment const& environment)
{
#if defined(CRAY_MPICH_VERSION)
  bool const on = environment("MPICH_GPU_SUPPORT_ENABLED") == "1";
  return {on ? Claim::yes : Claim::no, "MPICH_GPU_SUPPORT_ENABLED"};
#elif defined(MPICH_NAME)
  if (environment("MPIR_CVAR_ENABLE_GPU") == "0")
    return {Claim::no, "MPIR_CVAR_ENABLE_GPU=0"};
  return {};
#else
  (void)environment;
  return {};
#endif
}

Answer ask_this_rank(Environment const& environment)
{
  if (auto const switches = ask_switches(environment); switches.claim == Claim::no)
    return switches;
  if (memory_kinds_have_gpu())
    return {Claim::yes, "mpi_memory_alloc_kinds"};
  auto const function = ask_function();
  return function.claim == Claim::silent ? ask_switches(environment) : function;
}

} // namespace

LibraryClaim ask_library(Communicator const& world, Environment const& environment)
{
  auto const answer = ask_this_rank(environment);
  auto const source = world.broadcast(answer.source);
  if (world.any(answer.claim == Claim::no))
    return {Claim::no, mpi_library() + " says no (" + source + ")"};
  if (world.all(answer.claim == Claim::yes))
    return {Claim::yes, mpi_library() + " says yes (" + source + ")"};
  return {Claim::silent, mpi_library() + " cannot be asked"};
}

GpuAware choose_path(std::string const& requested, bool arrays_on_host,
                     LibraryClaim const& library, Proofs const& prove)
{
  std::string const key = "parallel.gpu_aware_mpi";
  bool const aware = requested == "aware" || requested == "on";
  bool const staged = requested == "staged" || requested == "off";
  bool const peer = requested == "peer";
  if (!aware && !staged && !peer && requested != "auto")
    throw Error(Exit::placement, key + " is '" + requested +
                                     "'; choose from auto, aware, peer, staged, on, off");
  if (arrays_on_host)
    return {requested, "host", "arrays are in host memory"};
  if (staged)
    return {requested, "staged", key + " is " + requested};

  auto how = library.words;
  if (!peer && (library.claim == Claim::yes || (library.claim == Claim::silent && aware))) {
    auto const failure = prove.aware();
    if (failure.empty())
      return {requested, "aware", how + "; an exchange of device memory proved it"};
    how += "; an exchange of device memory failed: " + failure;
  }
  if (aware)
    throw Error(Exit::placement, key + " is " + requested + " but " + how +
                                     "; set it to auto or staged, or use an MPI library with "
                                     "GPU support");
  auto const failure = prove.peer();
  if (failure.empty())
    return {requested, "peer",
            (peer ? key + " is peer" : how) + "; copies from device to device were proved"};
  if (peer)
    throw Error(Exit::placement,
                key + " is peer but " + failure + "; set it to auto or staged");
  return {requested, "staged", how + "; no copies from device to device: " + failure};
}

GpuAware decide_gpu_aware(std::string const& requested, Communicator const& world)
{
  if (!device_is_host && requested == "peer" && world.ranks() == 1)
    return {requested, "peer", "one rank alone has nothing to send"};
  LibraryClaim library;
  if (!device_is_host && requested != "off" && requested != "staged" && requested != "peer")
    library = ask_library(world, process_environment);
  return choose_path(requested, device_is_host, library,
                     {[&] { return probe_device_exchange(world); },
                      [&] { return probe_peer_exchange(world); }});
}

} // namespace strata::runtime
