#pragma once

#include "array/dense/array.hpp"
#include "scene/stretches.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace strata::contact {

/// A vector in device memory that grows as needed and keeps its memory, so that a run allocates
/// nothing after its first steps.
template <class T>
class DeviceVector
{
public:
  DeviceVector(char const* label) // implicit, for arrays of them
      : label_(label)
  {
  }
  /// Makes room for `count` values and preserves the first `kept`.
  T* reserve(index_t count, index_t kept = 0)
  {
    if (count > array_.size()) {
      Stored const larger(std::string("strata::contact ") + label_,
                          Dynamic<1>(std::max(count + count / 8, index_t{16})));
      auto const bytes =
          std::pair<std::size_t, std::size_t>(0, static_cast<std::size_t>(kept) * sizeof(T));
      Kokkos::fence();
      if (kept > 0)
        Kokkos::deep_copy(Kokkos::subview(larger.memory(), bytes),
                          Kokkos::subview(array_.memory(), bytes));
      array_ = larger;
    }
    return array_.data();
  }
  /// Copies the host's values to the first ones.
  void upload(std::vector<T> const& values)
  {
    reserve(static_cast<index_t>(values.size()));
    if (!values.empty())
      Kokkos::deep_copy(Unmanaged<DeviceSpace>(array_.data(), values.size()),
                        Unmanaged<HostSpace>(const_cast<T*>(values.data()), values.size()));
  }
  /// Sets the first `count` to value(i), which the host's threads compute.
  template <class Value>
  void make(index_t count, Value const& value)
  {
    T* const to = reserve(count);
    Kokkos::fence();
    constexpr index_t block = device_is_host ? std::numeric_limits<index_t>::max() : 1 << 20;
    std::vector<T> staged(
        static_cast<std::size_t>(device_is_host ? 0 : std::min(count, block)));
    for (index_t first = 0; first < count; first += std::min(block, count - first)) {
      auto const some = static_cast<std::size_t>(std::min(block, count - first));
      T* const into = device_is_host ? to : staged.data();
      for_each_on_host("strata::contact columns", some, [&](std::size_t i) {
        into[i] = value(static_cast<std::size_t>(first) + i);
      });
      if constexpr (!device_is_host)
        Kokkos::deep_copy(Unmanaged<DeviceSpace>(to + first, some),
                          Unmanaged<HostSpace>(into, some));
    }
  }
  /// Copies the first `count` values to the host; waits for the device.
  [[nodiscard]] std::vector<T> download(index_t count) const
  {
    std::vector<T> values(static_cast<std::size_t>(count));
    Kokkos::fence();
    if (count > 0)
      Kokkos::deep_copy(Unmanaged<HostSpace>(values.data(), values.size()),
                        Unmanaged<DeviceSpace>(array_.data(), values.size()));
    return values;
  }
  [[nodiscard]] T* data() const { return array_.data(); }
  /// Values for which there is memory.
  [[nodiscard]] index_t room() const { return array_.size(); }
  [[nodiscard]] index_t bytes() const
  {
    return array_.size() * static_cast<index_t>(sizeof(T));
  }

private:
  using Stored = Array<T, Dynamic<1>, LayoutRight>;
  template <class Space>
  using Unmanaged = Kokkos::View<T*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  char const* label_;
  Stored array_;
};

} // namespace strata::contact
