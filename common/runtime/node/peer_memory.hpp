#pragma once

#include "base/types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strata::runtime {

/// What another process of this node needs to see device memory of this one.
struct PeerTicket
{
  std::array<std::byte, 64> handle{}; ///< the allocation's, as the driver exports it
  std::uint64_t allocation = 0;       ///< its number, which no later one has; 0 with HIP
  std::uint64_t base = 0;             ///< where it begins in the owner's address space
  index_t offset = 0;                 ///< bytes from there to the data

  [[nodiscard]] bool same_allocation(PeerTicket const& other) const
  {
    return base == other.base && allocation == other.allocation && handle == other.handle;
  }
};

/// Device memory of other processes of this node, mapped into this one (CUDA or HIP
/// interprocess memory). What was exported or mapped is kept for later calls, up to `most_kept`
/// allocations, since either takes longer than a short copy. An owner may free memory that is
/// mapped here: the driver keeps it until the mapping goes, which NVIDIA does not promise, but
/// which transports between GPUs rely on. Errors of the driver are Error(Exit::placement).
class PeerMemory
{
public:
  static constexpr std::size_t most_kept = 64;

  /// Whether this build has such a thing: one for GPUs.
  static bool is_possible();

  PeerMemory() = default;
  PeerMemory(PeerMemory const&) = delete;
  PeerMemory& operator=(PeerMemory const&) = delete;
  PeerMemory(PeerMemory&&) = delete;
  PeerMemory& operator=(PeerMemory&&) = delete;
  ~PeerMemory();

  /// Of data in an allocation of the device's own memory, by this process.
  PeerTicket ticket(void const* data);

  /// Where the data of a ticket of rank `owner`, another process, is seen in this process,
  /// until `most_kept` others have been opened, or one of the same owner that the driver maps
  /// only without those before.
  void* open(int owner, PeerTicket const& ticket);

private:
  struct Mapped
  {
    int owner = 0;
    PeerTicket ticket;
    void* at = nullptr;
  };
  std::vector<Mapped> mapped_;       // those used last at the end
  std::vector<PeerTicket> exported_; // of allocations with a number; likewise
};

} // namespace strata::runtime
