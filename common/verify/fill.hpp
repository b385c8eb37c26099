#pragma once

#include "every.hpp"

#include "array/dense/array.hpp"

namespace strata::verify {

namespace detail {

struct FillBytes
{
  static constexpr char const* name() { return "strata::verify::FillBytes"; }
  static constexpr index_t stretch = 64;
  std::byte* data;
  index_t bytes;
  std::byte value;

  KOKKOS_FUNCTION void operator()(index_t k) const
  {
    index_t const end = (k + 1) * stretch < bytes ? (k + 1) * stretch : bytes;
    for (index_t i = k * stretch; i < end; ++i)
      data[i] = value;
  }
};

} // namespace detail

/// Every byte of the memory becomes `value`; done when it returns.
inline void fill(Memory<> const& memory, std::byte value)
{
  auto const bytes = static_cast<index_t>(memory.size());
  constexpr index_t stretch = detail::FillBytes::stretch;
  for_every((bytes + stretch - 1) / stretch, detail::FillBytes{memory.data(), bytes, value});
}

} // namespace strata::verify
