#pragma once

#include <string>
#include <utility>

namespace strata::verify {

/// The outcome of one check: what was measured, what is allowed, and of what.
struct Verdict
{
  bool passed = false;
  double error = 0;
  double allowed = 0;
  std::string metric;
};

/// Passes when `error` is at most `allowed`; a NaN never passes.
inline Verdict judge(std::string metric, double error, double allowed)
{
  return {error <= allowed, error, allowed, std::move(metric)};
}

} // namespace strata::verify
