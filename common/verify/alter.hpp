#pragma once

#include "output.hpp"

#include "base/kokkos.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>

// Changes to the elements of an output, made on copies in host memory. Each returns whether an
// element has changed.

namespace strata::verify {

namespace detail {

template <class Space>
using Bytes = Kokkos::View<char*, Space, Kokkos::MemoryUnmanaged>;

/// Copies bytes from `there` to `here`, or back.
inline void transfer(void* here, void* there, std::size_t bytes, bool on_device, bool back)
{
  auto const move = [&](auto const& other) {
    Bytes<HostSpace> const mine(static_cast<char*>(here), bytes);
    if (back)
      Kokkos::deep_copy(other, mine);
    else
      Kokkos::deep_copy(mine, other);
  };
  if (on_device)
    move(Bytes<DeviceSpace>(static_cast<char*>(there), bytes));
  else
    move(Bytes<HostSpace>(static_cast<char*>(there), bytes));
}

/// Consecutive runs of elements of one kind.
using Section = std::span<Run const>;

inline index_t count_of(Section section)
{
  return std::accumulate(section.begin(), section.end(), index_t{0},
                         [](index_t sum, Run const& run) { return sum + run.count; });
}

/// Copies a section's elements to `values`, or back.
template <class T>
void transfer(Section section, T* values, bool on_device, bool back)
{
  for (auto const& run : section) {
    auto const bytes = static_cast<std::size_t>(run.count) * sizeof(T);
    transfer(values, run.data, bytes, on_device, back);
    values += run.count;
  }
}

/// Calls change(elements) with copies of the elements of a section of T.
template <class T, class Change>
bool alter_elements(Section section, bool on_device, Change const& change)
{
  auto const size = static_cast<std::size_t>(count_of(section));
  auto const values = std::make_unique<T[]>(size);
  auto const before = std::make_unique<T[]>(size);
  transfer(section, values.get(), on_device, false);
  std::memcpy(static_cast<void*>(before.get()), values.get(), size * sizeof(T));
  change(std::span<T>(values.get(), size));
  if (std::memcmp(before.get(), values.get(), size * sizeof(T)) == 0)
    return false;
  transfer(section, values.get(), on_device, true);
  return true;
}

/// The same of one run of bits, with a bool for each.
template <class Change>
bool alter_bits(Run const& bits, bool on_device, Change const& change)
{
  Run const words{bits.data, (bits.count + 63) / 64, Element::whole64};
  auto const size = static_cast<std::size_t>(bits.count);
  return alter_elements<std::uint64_t>({&words, 1}, on_device, [&](auto const& copied) {
    auto const values = std::make_unique<bool[]>(size);
    for (std::size_t i = 0; i < size; ++i)
      values[i] = (copied[i / 64] >> i % 64 & 1U) != 0;
    change(std::span<bool>(values.get(), size));
    for (std::size_t i = 0; i < size; ++i) {
      auto const mask = std::uint64_t{1} << i % 64;
      copied[i / 64] = values[i] ? copied[i / 64] | mask : copied[i / 64] & ~mask;
    }
  });
}

template <class Change>
bool alter_section(Section section, bool on_device, Change const& change)
{
  switch (section.front().element) {
  case Element::real64:
    return alter_elements<double>(section, on_device, change);
  case Element::real32:
    return alter_elements<float>(section, on_device, change);
  case Element::half16:
    return alter_elements<float16>(section, on_device, change);
  case Element::brain16:
    return alter_elements<bfloat16>(section, on_device, change);
  case Element::whole64:
    return alter_elements<std::int64_t>(section, on_device, change);
  case Element::whole32:
    return alter_elements<std::int32_t>(section, on_device, change);
  case Element::boolean:
    return alter_elements<bool>(section, on_device, change);
  default:
    return alter_bits(section.front(), on_device, change);
  }
}

/// The sections of an output, none of them empty.
inline std::vector<Section> sections_of(Output const& output)
{
  std::vector<Section> sections;
  Section const all(output.runs);
  for (std::size_t first = 0; first < all.size();) {
    auto end = first + 1;
    while (end < all.size() && all[first].element != Element::bit &&
           all[end].element == all[first].element)
      ++end;
    if (auto const section = all.subspan(first, end - first); count_of(section) > 0)
      sections.push_back(section);
    first = end;
  }
  return sections;
}

} // namespace detail

/// Calls change(elements) with all elements of each kind.
template <class Change>
bool alter_all(Output const& output, Change const& change)
{
  Kokkos::fence();
  bool altered = false;
  for (auto const section : detail::sections_of(output))
    altered |= detail::alter_section(section, output.on_device, change);
  return altered;
}

/// Calls change(elements, place among them) with all elements of the kind of the one of that
/// number; where that alters none, with those of other kinds.
template <class Change>
bool alter_near(Output const& output, index_t number, Change const& change)
{
  Kokkos::fence();
  auto const sections = detail::sections_of(output);
  auto const alter = [&](detail::Section section, index_t at) {
    return detail::alter_section(section, output.on_device,
                                 [&](auto const& values) { change(values, at); });
  };
  for (auto const section : sections) {
    index_t const count = detail::count_of(section);
    if (number >= 0 && number < count && alter(section, number))
      return true;
    number -= count;
  }
  return std::any_of(sections.begin(), sections.end(),
                     [&](detail::Section section) { return alter(section, 0); });
}

/// Calls change(elements, its place) with all elements of the kind of the one of that number.
template <class Change>
bool alter_at(Output const& output, index_t number, Change const& change)
{
  Kokkos::fence();
  for (auto const section : detail::sections_of(output)) {
    index_t const count = detail::count_of(section);
    if (number < count)
      return detail::alter_section(section, output.on_device,
                                   [&](auto const& values) { change(values, number); });
    number -= count;
  }
  return false;
}

} // namespace strata::verify
