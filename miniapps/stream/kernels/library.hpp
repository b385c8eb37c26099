#pragma once

#include "native.hpp"

#include <string>

// The kernels that the platform's own libraries have, as controls: copies by memcpy or
// cudaMemcpy, sums by the C++ standard library on all threads or by CUB.

namespace strata::stream::library {

/// The library that has `kernel` on this device; empty where none has it.
std::string name(KernelId kernel);

/// Bytes of device memory that `run` needs beside the arrays.
template <class T>
index_t scratch_bytes(KernelId kernel, native::Fields<T> const& fields);

/// One step of copy, dot or read; may return before the device has finished. A sum is stored in
/// *sum.
template <class T>
void run(KernelId kernel, native::Fields<T> const& fields, double* sum, void* scratch,
         index_t bytes);

} // namespace strata::stream::library
