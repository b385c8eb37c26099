#pragma once

#include "product_operands.hpp"
#include "tensor_product.hpp"

#include "array/launch/team.hpp"

#include <cstdint>

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::matvec {

/// False, and nothing is launched, where the device has no tensor cores for doubles or this
/// source was not compiled for them.
template <bool Along, int Width>
bool launch_tensor_product(ProductOperands<double> const& operands)
{
  using Kernel = TensorProduct<Along, Width>;
  if (!runs_as_teams<Kernel::members, Kernel>())
    return false;
  Kernel const kernel(operands);
  for_each_team<Kernel::members>(kernel.tiles(), kernel);
  return true;
}

/// C = A B, all in one order or B alone in columns.
template <class Left, class Right, class Output>
bool launch_tensor_product(Left const& a, Right const& b, Output const& c)
{
  constexpr bool along = y_along_k<Right, Output>;
  auto const o = operands_of(a, b, c);
  bool const even = reinterpret_cast<std::uintptr_t>(o.x) % 16 == 0 && o.x_pitch % 2 == 0 &&
                    reinterpret_cast<std::uintptr_t>(o.y) % 16 == 0 && o.y_pitch % 2 == 0;
  return even ? launch_tensor_product<along, 2>(o) : launch_tensor_product<along, 1>(o);
}

} // namespace strata::matvec

#endif
