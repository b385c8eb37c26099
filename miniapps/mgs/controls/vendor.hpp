#pragma once

#include "base/types.hpp"

#include <memory>
#include <string>

namespace strata::mgs::vendor {

/// Why there is no vendor's factorisation in this build; empty where there is one.
char const* unavailable();

/// The file of the library that is really loaded.
std::string path();

/// LAPACK's and cuSOLVER's counts are ints.
inline constexpr index_t most_rows = 2'000'000'000;

/// Householder's factorisation and the explicit Q, by LAPACK (dgeqrf, dorgqr) on a host and by
/// cuSOLVER on a GPU. Its memory is its own.
class Solver
{
public:
  /// Columns lie `stride` apart.
  Solver(index_t rows, index_t columns, index_t stride);
  ~Solver();
  Solver(Solver const&) = delete;
  Solver& operator=(Solver const&) = delete;

  /// a becomes Q; R's rows lie `pitch` apart, and its diagonal may be negative.
  void factorise(double* a, double* r, index_t pitch);

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace strata::mgs::vendor
