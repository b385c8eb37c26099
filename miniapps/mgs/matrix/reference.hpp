#pragma once

#include <cstdint>
#include <vector>

namespace strata::mgs::reference {

/// A matrix in columns, one after the other, as nothing else here has it.
struct Columns
{
  std::int64_t rows = 0;
  std::vector<std::vector<double>> column;
};

struct Factors
{
  Columns q, r; ///< r.column[k][j] = R(j, k)
};

/// Modified Gram-Schmidt by plain serial loops in long double: Q and R to the last digit of a
/// double for any input that is not nearly rank-deficient.
Factors modified_gram_schmidt(Columns const& a);

} // namespace strata::mgs::reference
