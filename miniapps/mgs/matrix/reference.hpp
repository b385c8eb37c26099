#pragma once

#include <cstdint>
#include <vector>

namespace strata::mgs::reference {

/// A matrix as a vector of columns, unlike the multivectors under test.
struct Columns
{
  std::int64_t rows = 0;
  std::vector<std::vector<double>> column;
};

struct Factors
{
  Columns q, r; ///< r.column[k][j] = R(j, k)
};

/// Modified Gram-Schmidt by plain serial loops in long double: Q and R accurate to a double's
/// last digit, unless the input is nearly rank-deficient.
Factors modified_gram_schmidt(Columns const& a);

} // namespace strata::mgs::reference
