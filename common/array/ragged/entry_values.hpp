#pragma once

#include "../access/pack.hpp"
#include "../dense/array.hpp"
#include "../dense/copy.hpp"
#include "../launch/elementwise.hpp"
#include "../launch/for_each.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace strata {

/// One value per entry.
template <class T, class Space = DeviceSpace>
using EntryValues = Array<T, Dynamic<1>, LayoutRight, Space>;

/// Bytes that arrays occupy.
template <class... A>
index_t bytes_of(A const&... arrays)
{
  return (arrays.bytes_for(arrays.mapping()) + ... + 0);
}

/// All elements become `value`; returns before they have.
template <class T, class Space>
void fill(EntryValues<T, Space> const& values, T value)
{
  auto const to = values.write();
  using Execution = typename Space::execution_space;
  constexpr int width = std::is_arithmetic_v<T> ? write_width<T, Execution> : 1;
  for_each<Execution>(values.size(), Set<decltype(to)>{to, value}, Packs<width>{});
}

/// One of the values, fetched from wherever they are; launches before it are waited for.
template <class T, class Space>
T value_at(EntryValues<T, Space> const& values, index_t entry)
{
  T value{};
  Kokkos::fence();
  Kokkos::deep_copy(
      value, Kokkos::View<T const, Space, Kokkos::MemoryUnmanaged>(values.data() + entry));
  return value;
}

/// Gives an array at least `slots` elements; their values are lost where it had fewer.
template <class T, class Space>
void reserve(EntryValues<T, Space>& values, index_t slots)
{
  if (values.size() < slots)
    values = EntryValues<T, Space>(values.label(), Dynamic<1>(slots));
}

/// Gives an array `slots` elements, keeping the values of those it had; new ones are 0.
template <class T, class Space>
void enlarge(EntryValues<T, Space>& values, index_t slots)
{
  using Bytes = std::pair<std::size_t, std::size_t>;
  EntryValues<T, Space> const larger(values.label(), Dynamic<1>(slots));
  auto const& memory = larger.memory();
  Bytes const kept(0, std::min(values.size(), slots) * sizeof(T));
  Bytes const added(kept.second, memory.size());
  Kokkos::fence();
  Kokkos::deep_copy(Kokkos::subview(memory, kept), Kokkos::subview(values.memory(), kept));
  Kokkos::deep_copy(Kokkos::subview(memory, added), std::byte{0});
  values = larger;
}

} // namespace strata
