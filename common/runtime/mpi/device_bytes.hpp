#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

namespace strata::runtime {

inline constexpr index_t number_bytes = sizeof(double);

template <class Space>
auto bytes_at(void const* data, index_t bytes)
{
  using Bytes = Kokkos::View<char*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  return Bytes(static_cast<char*>(const_cast<void*>(data)), static_cast<std::size_t>(bytes));
}

/// Within the device's memory, or into it from that of another device. The copy is queued among
/// the device's kernels and the host does not wait: a fence for each would take longer than a
/// short copy.
inline void copy_on_device(void* to, void const* from, index_t bytes)
{
  Kokkos::deep_copy(Device(), bytes_at<DeviceSpace>(to, bytes),
                    bytes_at<DeviceSpace>(from, bytes));
}

} // namespace strata::runtime
