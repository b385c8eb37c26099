#pragma once

#include "problem.hpp"

#include "array/access/narrow.hpp"

#include <vector>

namespace strata::matvec {

/// C = A B: this rank's `rows` rows of A and C, and all of B; columns and B's rows are `order`.
/// C of narrow factors has floats; `room` is where their lines can be padded.
template <class T>
struct Factors
{
  T* a;
  T* b;
  computed_t<T>* c;
  T* room;
  index_t rows;
  index_t order;
};

/// The launch of a variant; it may return before the device has finished. It returns the name
/// of the core's kernel, null of a library's.
template <class T>
using MatmulLaunch = char const* (*)(Factors<T> const&);

/// Writes A's rows from `first` on, and B, in the order of the choice.
template <class T>
void fill_factors(Choice const& choice, Factors<T> const& operands, Values const& values,
                  index_t first);

/// `slots` are those of A, B, C and the room.
template <class T>
std::unique_ptr<driver::Trial>
make_matmul_trial(Choice const& choice, Problem const& problem, MatmulLaunch<T> launch,
                  std::vector<driver::Slot> const& slots, driver::Workspace& workspace);

/// The plain loops over vectors of vectors (S5's traditional arrays), on a host.
driver::Maker nested_matmul_maker(Problem const& problem);

} // namespace strata::matvec
