#pragma once

#include "base/kokkos.hpp"
#include "base/types.hpp"

// The hand-indexed control: raw pointers and the device's own language, nothing of the core.

namespace strata::appname::native {

/// y = a·x over `count` elements. May return before it has finished.
template <class T>
void scale(T const* x, T* y, T a, index_t count);

} // namespace strata::appname::native
