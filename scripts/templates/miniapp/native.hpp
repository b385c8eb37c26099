#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

// The hand-indexed control: raw pointers and the device's own language, nothing of the core.

namespace strata::appname::native {

/// Why there is no native variant on this device; empty where there is one.
inline char const* unavailable()
{
  return device_is_host || device_is_cuda ? "" : "no hand-written kernel for this device";
}

/// y = a·x over `count` elements. May return before it has finished.
template <class T>
void scale(T const* x, T* y, T a, index_t count);

} // namespace strata::appname::native
