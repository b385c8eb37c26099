#pragma once

#include "trials.hpp"

#include "kernels/reference.hpp"
#include "verify/verdict.hpp"

// What every variant's results are held against, whatever holds the arrays.

namespace strata::stream {

/// The array that a kernel writes; a where it writes none.
Field output_of(KernelId kernel);

/// Whether a field starts as NaN: the kernel overwrites all of it.
bool is_spoiled(KernelId kernel, Field field);

/// Verdict on what dot or read summed over this rank's part; nothing is allowed.
verify::Verdict judge_sum(double sum, Geometry const& geometry, KernelId kernel);

/// Verdict on the largest relative error of an array of T after `steps` steps; only a long run
/// of nstream may round.
template <class T>
verify::Verdict judge_values(double error, KernelId kernel, int steps);

} // namespace strata::stream
