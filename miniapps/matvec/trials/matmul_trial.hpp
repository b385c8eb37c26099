#pragma once

#include "problem.hpp"

#include <vector>

namespace strata::matvec {

/// C = A B: this rank's `rows` rows of A and C, and all of B; columns and B's rows are `order`.
struct Factors
{
  double* a;
  double* b;
  double* c;
  index_t rows;
  index_t order;
};

/// The launch of a variant; it may return before the device has finished.
using MatmulLaunch = void (*)(Factors const&);

/// Writes A's rows from `first` on, and B, in the order of the choice.
void fill_factors(Choice const& choice, Factors const& operands, Values const& values,
                  index_t first);

/// `slots` are those of A, B and C.
std::unique_ptr<driver::Trial> make_matmul_trial(Choice const& choice, Problem const& problem,
                                                 MatmulLaunch launch,
                                                 std::vector<driver::Slot> const& slots,
                                                 driver::Workspace& workspace);

/// The plain loops over vectors of vectors (S5's traditional arrays), on a host.
driver::Maker nested_matmul_maker(Problem const& problem);

} // namespace strata::matvec
