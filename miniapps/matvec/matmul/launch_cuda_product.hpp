#pragma once

#include "float_product.hpp"
#include "narrow_tensor_product.hpp"
#include "padded_lines.hpp"
#include "product_operands.hpp"
#include "tensor_product.hpp"
#include "warpgroup_product.hpp"

#include "array/launch/cuda_launch.hpp"
#include "array/launch/team.hpp"
#include "base/cuda/device.hpp"

#include <type_traits>

#if defined(KOKKOS_ENABLE_CUDA)

namespace strata::matvec {

// Products whose panels an NVIDIA GPU copies while it multiplies. They return the kernel's
// name; null, and launch nothing, where the device lacks what the kernel needs (tensor cores
// for such numbers, memory for its teams) or this source was not compiled for it.

template <class Kernel, class T>
char const* launch_as_teams(ProductOperands<T> const& operands)
{
  if (!runs_as_teams<Kernel::members, Kernel>())
    return nullptr;
  Kernel const kernel(operands);
  for_each_team<Kernel::members>(kernel.tiles(), kernel);
  return Kernel::name();
}

/// C = A B of doubles.
template <bool Along>
char const* launch_cuda_product(ProductOperands<double> const& o, double* /*room*/)
{
  bool const even = lines_begin_even(o.x, o.x_pitch) && lines_begin_even(o.y, o.y_pitch);
  return even ? launch_as_teams<TensorProduct<Along, 2>>(o)
              : launch_as_teams<TensorProduct<Along, 1>>(o);
}

/// C = A B of floats.
template <bool Along>
char const* launch_cuda_product(ProductOperands<float> const& o, float* /*room*/)
{
  if constexpr (!Along)
    if (lines_begin_even(o.y, o.y_pitch))
      return launch_as_teams<FloatProduct<Along, 4>>(o);
  return launch_as_teams<FloatProduct<Along, 1>>(o);
}

#if defined(STRATA_MATVEC_WARPGROUP)
template <bool Along, class T>
WarpgroupOperands warpgroup_operands(ProductOperands<T> const& o)
{
  return {o.x,
          o.y,
          o.c,
          o.x_pitch,
          o.y_pitch,
          o.c_pitch,
          o.rows,
          o.columns,
          o.depth,
          Along,
          std::is_same_v<T, bfloat16>};
}
#endif

/// C = A B of numbers of two bytes. Factors whose lines do not begin on 16 bytes are copied to
/// `room` first.
template <bool Along, class T>
  requires is_narrow<T>
char const* launch_cuda_product(ProductOperands<T> o, T* room)
{
  using Kernel = NarrowTensorProduct<T, Along>;
  if (!runs_as_teams<Kernel::members, Kernel>())
    return nullptr;
  if (!lines_begin_even(o.x, o.x_pitch)) {
    pad_lines(o.x, o.x_pitch, o.rows, o.depth, room);
    room += o.rows * o.x_pitch;
  }
  if (!lines_begin_even(o.y, o.y_pitch))
    pad_lines(o.y, o.y_pitch, Along ? o.columns : o.depth, Along ? o.depth : o.columns, room);
#if defined(STRATA_MATVEC_WARPGROUP)
  auto const operands = warpgroup_operands<Along>(o);
  if (runs_warpgroup_product(operands)) {
    launch_cuda(warpgroup_product_name, [&](cudaStream_t stream) {
      return launch_warpgroup_product(operands, static_cast<int>(nvidia::multiprocessors()),
                                      stream);
    });
    return warpgroup_product_name;
  }
#endif
  return launch_as_teams<Kernel>(o);
}

/// C = A B, all in one order or B alone in columns. Of narrow factors `room` has
/// padded_elements().
template <class Left, class Right, class Output>
char const* launch_cuda_product(Left const& a, Right const& b, Output const& c,
                                typename Left::value_type* room = nullptr)
{
  return launch_cuda_product<y_along_k<Right, Output>>(operands_of(a, b, c), room);
}

} // namespace strata::matvec

#endif
