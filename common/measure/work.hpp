#pragma once

#include <cstdint>
#include <tuple>

namespace strata::measure {

/// The compulsory work of one step: each operand read or written once, in bytes, and flops. It
/// is computed from a kernel's operands; tests compare it with counted accesses and operations.
struct Work
{
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  std::int64_t flops = 0;

  [[nodiscard]] std::int64_t bytes() const { return bytes_read + bytes_written; }

  friend Work operator+(Work a, Work const& b)
  {
    return {a.bytes_read + b.bytes_read, a.bytes_written + b.bytes_written, a.flops + b.flops};
  }
};

} // namespace strata::measure

namespace strata::work {

using measure::Work;

/// Bytes of all elements of an operand, without padding. An access rule may define another size
/// of an element in memory.
template <class Operand>
std::int64_t bytes_of(Operand const& operand)
{
  auto const elements = static_cast<std::int64_t>(operand.size());
  if constexpr (requires { Operand::access_type::bytes(std::int64_t{}); })
    return Operand::access_type::bytes(elements);
  else
    return elements * static_cast<std::int64_t>(sizeof(typename Operand::value_type));
}

template <class... Operand>
Work reads(Operand const&... operands)
{
  return {(bytes_of(operands) + ... + 0), 0, 0};
}
template <class... Operand>
Work writes(Operand const&... operands)
{
  return {0, (bytes_of(operands) + ... + 0), 0};
}
inline Work flops(std::int64_t count)
{
  return {0, 0, count};
}

/// The work of launching `kernel` over `items` work items: its operands once each
/// (`reads()`, `writes()`) and `Kernel::flops` per item.
template <class Kernel>
Work of(Kernel const& kernel, std::int64_t items)
{
  return std::apply([](auto const&... in) { return reads(in...); }, kernel.reads()) +
         std::apply([](auto const&... out) { return writes(out...); }, kernel.writes()) +
         flops(static_cast<std::int64_t>(Kernel::flops) * items);
}

} // namespace strata::work
