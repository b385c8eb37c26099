#pragma once

// The only includer of Kokkos_Core: what differs between Kokkos 3.4.1 and 5 ends here.

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

namespace strata {

/// Where kernels run and their arrays live unless a caller says otherwise.
using Device = Kokkos::DefaultExecutionSpace;
using DeviceSpace = Device::memory_space;
using Host = Kokkos::DefaultHostExecutionSpace;
using HostSpace = Kokkos::HostSpace;

/// True where the device's arrays can be read by host code (no copy needed).
inline constexpr bool device_is_host =
    Kokkos::SpaceAccessibility<HostSpace, DeviceSpace>::accessible;

#if defined(KOKKOS_ENABLE_CUDA)
inline constexpr bool device_is_cuda = true;

/// Gives the kernels of this source the locks by which Kokkos makes atomic accesses of more
/// than 8 bytes: before a launch that is not Kokkos'. Static, since each source has its own.
static inline void ensure_cuda_locks() // NOLINT(misc-definitions-in-headers)
{
#if defined(KOKKOS_ENSURE_CUDA_LOCK_ARRAYS_ON_DEVICE)
  KOKKOS_ENSURE_CUDA_LOCK_ARRAYS_ON_DEVICE();
#elif defined(DESUL_ENSURE_CUDA_LOCK_ARRAYS_ON_DEVICE)
  DESUL_ENSURE_CUDA_LOCK_ARRAYS_ON_DEVICE();
#else
  desul::ensure_cuda_lock_arrays_on_device();
#endif
}
#else
inline constexpr bool device_is_cuda = false;
#endif

#if defined(KOKKOS_ENABLE_OPENMP)
inline constexpr bool host_is_openmp = true;
#else
inline constexpr bool host_is_openmp = false;
#endif

#if defined(KOKKOS_ENABLE_SERIAL)
inline constexpr bool host_is_serial = std::is_same_v<Host, Kokkos::Serial>;
#else
inline constexpr bool host_is_serial = false;
#endif

/// Defined where Kokkos runs on one thread and may replace atomics by plain loads and stores. A
/// loop whose iterations update one element by atomics must then not be vectorised.
#if defined(KOKKOS_ENABLE_SERIAL_ATOMICS) || defined(KOKKOS_ENABLE_ATOMICS_BYPASS)
#define STRATA_PLAIN_ATOMICS
#endif

/// Atomic load of *p: never a torn value. Unlike Kokkos::atomic_load it does not write: Kokkos
/// 4 and 5 load by compare-and-exchange, and 3 has no version for floating-point numbers.
template <class T>
KOKKOS_FUNCTION T atomic_load(T const* p)
{
  if constexpr (std::is_scalar_v<T> && sizeof(T) <= 8) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    return *static_cast<T const volatile*>(p); // one instruction
#else
    T value;
    __atomic_load(p, &value, __ATOMIC_RELAXED);
    return value;
#endif
  } else {
#if KOKKOS_VERSION >= 40000
    return Kokkos::atomic_load(const_cast<T*>(p));
#else
    static_assert(std::is_scalar_v<T> && sizeof(T) <= 8,
                  "with Kokkos 3 only scalars of up to 8 bytes are loaded atomically");
#endif
  }
}

/// Host memory that the device's transfers run from at full speed; ordinary memory in a CPU
/// build.
#if defined(KOKKOS_ENABLE_CUDA)
using PinnedSpace = Kokkos::CudaHostPinnedSpace;
#elif defined(KOKKOS_ENABLE_HIP) && KOKKOS_VERSION >= 40000
using PinnedSpace = Kokkos::HIPHostPinnedSpace;
#elif defined(KOKKOS_ENABLE_HIP)
using PinnedSpace = Kokkos::Experimental::HIPHostPinnedSpace;
#else
using PinnedSpace = HostSpace;
#endif

/// Starts Kokkos on the given device and number of host threads; -1 leaves either to Kokkos.
/// Both win over the environment. Arguments that Kokkos understands (--kokkos-...) are taken
/// out of argc/argv. Its hints are silenced unless KOKKOS_DISABLE_WARNINGS says otherwise.
inline void kokkos_initialize(int& argc, char** argv, int device_id, int threads)
{
  // Command-line flags are the one way to say all this to every version.
  std::vector<std::string> flags;
  auto const say = [&](std::string const& flag, char const* variable, int value) {
    if (value < 0)
      return;
    flags.push_back(flag + "=" + std::to_string(value));
    // Kokkos 3 refuses a variable that differs from its flag; later ones let the flag win.
    if (KOKKOS_VERSION < 30700 && std::getenv(variable) != nullptr)
      setenv(variable, std::to_string(value).c_str(), 1);
  };
  say("--kokkos-device-id", "KOKKOS_DEVICE_ID", device_id);
  say(KOKKOS_VERSION < 30700 ? "--kokkos-threads" : "--kokkos-num-threads",
      "KOKKOS_NUM_THREADS", threads);
  if (std::getenv("KOKKOS_DISABLE_WARNINGS") == nullptr)
    flags.emplace_back("--kokkos-disable-warnings");

  std::vector<char*> arguments(argv, argv + argc);
  for (auto& flag : flags)
    arguments.push_back(flag.data());
  arguments.push_back(nullptr);
  int count = static_cast<int>(arguments.size()) - 1;
  Kokkos::initialize(count, arguments.data());

  argc = std::min(argc, count);
  std::copy_n(arguments.begin(), argc, argv);
}

/// What a reduction's join gets: Kokkos 3 passes it as volatile, though nothing else writes.
#if KOKKOS_VERSION < 40000
template <class T>
using Joined = T volatile;
#else
template <class T>
using Joined = T;
#endif

/// A one-dimensional view of no elements. GCC 12.2 to 12.4 drop the constructor call of a
/// default-constructed view of Kokkos 4.5 and 4.6, so that the next assignment to it reads a
/// null pointer (Kokkos issue 8187).
template <class View>
View null_view()
{
  return View(static_cast<typename View::pointer_type>(nullptr), 0);
}

/// "3.4.1"
inline std::string kokkos_version()
{
  return std::to_string(KOKKOS_VERSION / 10000) + "." +
         std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
         std::to_string(KOKKOS_VERSION % 100);
}

} // namespace strata
