#pragma once

#include "reference.hpp"

#include "base/kokkos.hpp"

// The hand-indexed control: raw pointers and the device's own language, no array code of the
// core. OpenMP (or serial) loops on a host, CUDA kernels with 16-byte accesses on an NVIDIA
// GPU.

namespace strata::stream::native {

/// Pointers to the three arrays of n contiguous elements, where the device can reach them.
template <class T>
struct Fields
{
  T* a;
  T* b;
  T* c;
  index_t n;
};

/// One step of set or copy, which compute nothing: of bools too, and of words of 64 of them.
template <class T>
void move(KernelId kernel, Fields<T> const& fields, T s);

/// One step of `kernel`; may return before it has finished. Sums are left at `sum`.
template <class T>
void run(KernelId kernel, Fields<T> const& fields, T s, double* sum);

} // namespace strata::stream::native
