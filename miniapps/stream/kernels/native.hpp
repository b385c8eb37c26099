#pragma once

#include "reference.hpp"

#include "array/access/narrow.hpp"
#include "base/kokkos.hpp"

// The hand-written control: raw pointers without the core's arrays. OpenMP or serial loops on a
// host, CUDA kernels with 16-byte accesses on an NVIDIA GPU.

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

/// How stores are made.
enum class Stores
{
  plain,
  streaming ///< past the caches; plain on a host where no such store is known
};

/// One step of set or copy, also of bools and of words of 64 of them.
template <class T>
void move(KernelId kernel, Fields<T> const& fields, T s);

/// One step of `kernel`; may return before the device has finished. A sum is stored in *sum.
template <class T>
void run(KernelId kernel, Fields<T> const& fields, computed_t<T> s, double* sum, Stores stores);

} // namespace strata::stream::native
