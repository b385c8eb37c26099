#include "reference.hpp"

#include <cmath>

namespace strata::mgs::reference {

namespace {

using Vector = std::vector<long double>;

long double dot(Vector const& x, Vector const& y)
{
  long double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += x[i] * y[i];
  return sum;
}

} // namespace

Factors modified_gram_schmidt(Columns const& a)
{
  std::vector<Vector> q;
  for (auto const& column : a.column)
    q.emplace_back(column.begin(), column.end());
  std::size_t const columns = q.size();
  Factors found{a, {static_cast<std::int64_t>(columns), {}}};
  found.r.column.assign(columns, std::vector<double>(columns, 0.0));
  for (std::size_t j = 0; j < columns; ++j) {
    long double const norm = std::sqrt(dot(q[j], q[j]));
    found.r.column[j][j] = static_cast<double>(norm);
    for (auto& x : q[j])
      x /= norm;
    for (std::size_t k = j + 1; k < columns; ++k) {
      long double const r = dot(q[j], q[k]);
      found.r.column[k][j] = static_cast<double>(r);
      for (std::size_t i = 0; i < q[k].size(); ++i)
        q[k][i] -= r * q[j][i];
    }
  }
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t i = 0; i < q[j].size(); ++i)
      found.q.column[j][i] = static_cast<double>(q[j][i]);
  return found;
}

} // namespace strata::mgs::reference
