#pragma once

#include "trials.hpp"

#include "kernels/reference.hpp"
#include "verify/verdict.hpp"

// The checks of all variants, independent of the kind of array.

namespace strata::stream {

/// The array that a kernel writes; `a` where it writes none.
Field output_of(KernelId kernel);

/// Whether a field is NaN before a step: the kernel overwrites all of it.
bool is_spoiled(KernelId kernel, Field field);

/// Verdict on the sum of dot or read over this rank's part; no error is allowed.
verify::Verdict judge_sum(double sum, Geometry const& geometry, KernelId kernel);

/// Verdict on the largest relative error of an array of T after `steps` steps. No error is
/// allowed, except in long runs of nstream.
template <class T>
verify::Verdict judge_values(double error, KernelId kernel, int steps);

} // namespace strata::stream
