#include "gpu.hpp"

#include "base/error.hpp"
#include "base/kokkos.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_runtime.h>
#elif defined(KOKKOS_ENABLE_HIP)
#include <hip/hip_runtime.h>
#elif defined(KOKKOS_ENABLE_SYCL)
#error "Strata asks GPUs through CUDA or HIP; runtime/gpu.cpp needs the same names for SYCL"
#endif

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)

#include "cpuset.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <numeric>

namespace strata::runtime {

namespace {

#if defined(KOKKOS_ENABLE_CUDA)
namespace api {
constexpr auto name = "CUDA";
constexpr auto success = cudaSuccess;
constexpr auto no_device = cudaErrorNoDevice;
constexpr auto cache_bytes = cudaDevAttrL2CacheSize;
constexpr auto error_text = cudaGetErrorString;
constexpr auto count = cudaGetDeviceCount;
constexpr auto current = cudaGetDevice;
constexpr auto attribute = cudaDeviceGetAttribute;
constexpr auto pci_id = cudaDeviceGetPCIBusId;
constexpr auto memory = cudaMemGetInfo;

using Properties = cudaDeviceProp;

auto read(Properties& properties, int device)
{
  return cudaGetDeviceProperties(&properties, device);
}
} // namespace api

std::int64_t beside_memory(int /*device*/)
{
  return 0;
}

/// As nvidia-smi writes it.
std::string uuid(api::Properties const& properties)
{
  static constexpr char const* digits = "0123456789abcdef";
  std::string text = "GPU";
  for (std::size_t i = 0; i < sizeof(properties.uuid.bytes); ++i) {
    auto const byte = static_cast<unsigned char>(properties.uuid.bytes[i]);
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10)
      text += '-';
    text += digits[byte / 16];
    text += digits[byte % 16];
  }
  return text;
}

#else
namespace api {
constexpr auto name = "HIP";
constexpr auto success = hipSuccess;
constexpr auto no_device = hipErrorNoDevice;
constexpr auto cache_bytes = hipDeviceAttributeL2CacheSize;
constexpr auto error_text = hipGetErrorString;
constexpr auto count = hipGetDeviceCount;
constexpr auto current = hipGetDevice;
constexpr auto attribute = hipDeviceGetAttribute;
constexpr auto pci_id = hipDeviceGetPCIBusId;
constexpr auto memory = hipMemGetInfo;

using Properties = hipDeviceProp_t;

auto read(Properties& properties, int device)
{
  return hipGetDeviceProperties(&properties, device);
}
} // namespace api

std::int64_t beside_memory(int device)
{
  api::Properties properties{};
  return api::read(properties, device) == api::success
             ? infinity_cache_bytes(properties.gcnArchName)
             : 0;
}

/// The properties carry none before ROCm 6; the PCI id decides.
std::string uuid(api::Properties const&)
{
  return {};
}
#endif

template <class Answer>
void ask(Answer answer, char const* question)
{
  if (answer != api::success)
    throw Error(Exit::placement, std::string(api::name) + " cannot tell " + question + ": " +
                                     api::error_text(answer) +
                                     "; check that the driver is loaded and fits this build");
}

int current_device()
{
  int device = 0;
  ask(api::current(&device), "which GPU runs");
  return device;
}

/// The backend's numbers of the devices that Kokkos counts from 0.
std::vector<int> numbers_for_kokkos()
{
#if KOKKOS_VERSION >= 30700
  if (char const* chosen = std::getenv("KOKKOS_VISIBLE_DEVICES"))
    return parse_cpus(chosen);
#endif
  int count = 0;
  auto const answer = api::count(&count);
  if (answer != api::no_device)
    ask(answer, "how many GPUs there are");
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// As the kernel writes it in /sys/bus/pci/devices.
std::string pci_id(int device)
{
  std::array<char, 32> id{};
  ask(api::pci_id(id.data(), static_cast<int>(id.size()), device), "a GPU's PCI id");
  std::string text = id.data();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

} // namespace

std::vector<Gpu> visible_gpus()
{
  std::vector<Gpu> gpus;
  for (int const device : numbers_for_kokkos()) {
    api::Properties properties{};
    ask(api::read(properties, device), "a GPU's properties");
    Gpu gpu;
    gpu.id = static_cast<int>(gpus.size());
    gpu.name = properties.name;
    gpu.pci_id = pci_id(device);
    gpu.uuid = uuid(properties);
    gpu.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
    gpu.numa = static_cast<int>(
        whole_number("/sys/bus/pci/devices/" + gpu.pci_id + "/numa_node").value_or(-1));
    gpus.push_back(gpu);
  }
  return gpus;
}

std::int64_t free_gpu_memory()
{
  std::size_t free = 0;
  std::size_t total = 0;
  ask(api::memory(&free, &total), "the free memory");
  return static_cast<std::int64_t>(free);
}

std::int64_t gpu_cache_bytes()
{
  int bytes = 0;
  int const device = current_device();
  ask(api::attribute(&bytes, api::cache_bytes, device), "the cache size");
  return std::max(std::int64_t{bytes}, beside_memory(device));
}

std::string gpu_pci_id()
{
  return pci_id(current_device());
}

} // namespace strata::runtime

#else

namespace strata::runtime {

std::vector<Gpu> visible_gpus()
{
  return {};
}

std::int64_t free_gpu_memory()
{
  return 0;
}

std::int64_t gpu_cache_bytes()
{
  return 0;
}

std::string gpu_pci_id()
{
  return {};
}

} // namespace strata::runtime

#endif

namespace strata::runtime {

std::int64_t infinity_cache_bytes(std::string_view architecture)
{
  bool const mi300 = architecture.starts_with("gfx942") || architecture.starts_with("gfx950");
  return mi300 ? std::int64_t{256} << 20 : 0;
}

} // namespace strata::runtime
