#include "peer_memory.hpp"

#include "base/error.hpp"
#include "base/kokkos.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda.h>
#include <cuda_runtime.h>
#elif defined(KOKKOS_ENABLE_HIP)
#include <hip/hip_runtime.h>
#endif

#include <algorithm>
#include <cstring>
#include <string>

namespace strata::runtime {

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)

namespace {

#if defined(KOKKOS_ENABLE_CUDA)
namespace ipc {
using Handle = cudaIpcMemHandle_t;
constexpr auto success = cudaSuccess;
constexpr auto mapped_already = cudaErrorAlreadyMapped;
constexpr auto error_text = cudaGetErrorString;
constexpr auto lazily = cudaIpcMemLazyEnablePeerAccess;
constexpr auto export_memory = cudaIpcGetMemHandle;
constexpr auto open_memory = cudaIpcOpenMemHandle;
constexpr auto close_memory = cudaIpcCloseMemHandle;
constexpr auto forget_error = cudaGetLastError;

/// Where the allocation of some data begins, and its number; false where the data is in none.
bool find(void const* data, PeerTicket& ticket)
{
  auto const address = reinterpret_cast<CUdeviceptr>(data);
  CUdeviceptr base = 0;
  unsigned long long number = 0;
  if (cuMemGetAddressRange(&base, nullptr, address) != CUDA_SUCCESS ||
      cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_BUFFER_ID, base) != CUDA_SUCCESS)
    return false;
  ticket.base = base;
  ticket.allocation = number;
  return true;
}
} // namespace ipc
#else
namespace ipc {
using Handle = hipIpcMemHandle_t;
constexpr auto success = hipSuccess;
constexpr auto mapped_already = hipErrorAlreadyMapped;
constexpr auto error_text = hipGetErrorString;
constexpr auto lazily = hipIpcMemLazyEnablePeerAccess;
constexpr auto export_memory = hipIpcGetMemHandle;
constexpr auto open_memory = hipIpcOpenMemHandle;
constexpr auto close_memory = hipIpcCloseMemHandle;
constexpr auto forget_error = hipGetLastError;

bool find(void const* data, PeerTicket& ticket)
{
  hipDeviceptr_t base = nullptr;
  std::size_t bytes = 0; // HIP's may not be left out
  if (hipMemGetAddressRange(&base, &bytes, const_cast<void*>(data)) != hipSuccess)
    return false;
  ticket.base = reinterpret_cast<std::uint64_t>(base);
  return true;
}
} // namespace ipc
#endif

[[noreturn]] void refuse(std::string const& what)
{
  throw Error(Exit::placement, what + "; set parallel.gpu_aware_mpi: staged");
}

template <class Answer>
void require_ipc(Answer answer, char const* what)
{
  if (answer == ipc::success)
    return;
  (void)ipc::forget_error(); // so that nobody else takes it for his own
  refuse(std::string("device memory cannot be ") + what +
         " between processes: " + ipc::error_text(answer));
}

} // namespace

bool PeerMemory::is_possible()
{
  return true;
}

PeerTicket PeerMemory::ticket(void const* data)
{
  static_assert(sizeof(ipc::Handle) == sizeof(PeerTicket::handle));
  PeerTicket ticket;
  if (!ipc::find(data, ticket))
    refuse("the driver does not know an array's device memory");
  ticket.offset = static_cast<index_t>(reinterpret_cast<std::uint64_t>(data) - ticket.base);
  auto const known = std::ranges::find_if(exported_, [&](PeerTicket const& one) {
    return ticket.allocation != 0 && one.allocation == ticket.allocation;
  });
  if (known != exported_.end()) {
    std::rotate(known, known + 1, exported_.end());
    ticket.handle = exported_.back().handle;
    return ticket;
  }
  ipc::Handle handle{}; // HIP leaves a part of it as it was
  require_ipc(ipc::export_memory(&handle, reinterpret_cast<void*>(ticket.base)), "shared");
  std::memcpy(ticket.handle.data(), &handle, sizeof(handle));
  if (ticket.allocation == 0)
    return ticket;
  if (exported_.size() == most_kept)
    exported_.erase(exported_.begin());
  exported_.push_back(ticket);
  return ticket;
}

PeerMemory::~PeerMemory()
{
  for (auto const& one : mapped_)
    (void)ipc::close_memory(one.at);
}

void* PeerMemory::open(int owner, PeerTicket const& ticket)
{
  auto const close = [this](std::vector<Mapped>::iterator one) {
    (void)ipc::close_memory(one->at);
    mapped_.erase(one);
  };
  auto known = std::ranges::find_if(mapped_, [&](Mapped const& one) {
    return one.owner == owner && one.ticket.base == ticket.base;
  });
  bool const stale = known != mapped_.end() && !known->ticket.same_allocation(ticket);
  if (stale) // its owner has freed that allocation
    close(known);
  if (stale || known == mapped_.end()) {
    if (mapped_.size() == most_kept)
      close(mapped_.begin());
    ipc::Handle handle{};
    std::memcpy(&handle, ticket.handle.data(), sizeof(handle));
    Mapped fresh{owner, ticket, nullptr};
    auto answer = ipc::open_memory(&fresh.at, handle, ipc::lazily);
    if (answer == ipc::mapped_already) { // with memory that its owner has freed since
      (void)ipc::forget_error();
      Kokkos::fence(); // copies from what goes now
      while ((known = std::ranges::find(mapped_, owner, &Mapped::owner)) != mapped_.end())
        close(known);
      answer = ipc::open_memory(&fresh.at, handle, ipc::lazily);
    }
    require_ipc(answer, "mapped");
    mapped_.push_back(fresh);
  } else {
    std::rotate(known, known + 1, mapped_.end());
  }
  return static_cast<char*>(mapped_.back().at) + ticket.offset;
}

#else

bool PeerMemory::is_possible()
{
  return false;
}

PeerTicket PeerMemory::ticket(void const*)
{
  return {};
}

PeerMemory::~PeerMemory() = default;

void* PeerMemory::open(int, PeerTicket const&)
{
  STRATA_CHECK(false, "arrays in host memory are not mapped");
  return nullptr;
}

#endif

} // namespace strata::runtime
