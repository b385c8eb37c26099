#pragma once

#include "array/array.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace strata::contact {

/// Values in device memory that grow as needed and stay allocated, so that after its first
/// steps a run allocates nothing more.
template <class T>
class Column
{
public:
  explicit Column(char const* label)
      : label_(label)
  {
  }
  /// Room for `count` values, of which the first `kept` stay what they are.
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
  /// The first values become those of the host's.
  void upload(std::vector<T> const& values)
  {
    reserve(static_cast<index_t>(values.size()));
    if (!values.empty())
      Kokkos::deep_copy(Unmanaged<DeviceSpace>(array_.data(), values.size()),
                        Unmanaged<HostSpace>(const_cast<T*>(values.data()), values.size()));
  }
  /// The first `count` values, on the host; waits for the device.
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
