#include "problem.hpp"

#include "base/error.hpp"
#include "fragments/fragments.hpp"
#include "wide/wide.hpp"

#include <algorithm>

namespace strata::mgs {

std::vector<Algorithm> const& algorithms()
{
  static std::vector<Algorithm> const all{
      {"sequence", Stability::proportional, sequence, nullptr, nullptr, false, false},
      {"batched", Stability::proportional, batched, nullptr, nullptr, false, false},
      {"fused", Stability::proportional, fused, nullptr, nullptr, true, false},
      {"classical", Stability::squared, classical, nullptr, nullptr, true, false},
      {"classical2", Stability::orthogonal, classical_twice, nullptr, nullptr, true, false},
      {"blocked", Stability::proportional, nullptr, blocked, blocked_panels, false, false},
      {"cholesky2", Stability::orthogonal, nullptr, cholesky_twice, cholesky_panels, false,
       false},
      {"householder", Stability::orthogonal, nullptr, nullptr, nullptr, false, true},
      {"tsqr", Stability::orthogonal, nullptr, nullptr, nullptr, false, true}};
  return all;
}

namespace {

/// Its products (syrk) and its division of all columns (trsm) are calls of their own.
void cholesky_of_library(TileOperations& on, index_t columns)
{
  ColumnRange const all{0, columns};
  ColumnRange const none{columns, 0};
  for (int n = 0; n < 2; ++n) {
    on.pass({.panel = {0, 0}, .rest = all, .left = all, .right = all});
    on.factor({.panel = all, .rest = none});
    on.pass({.panel = all, .rest = none, .divisors = {1}, .stores = true});
  }
}

Algorithm const& found_in(std::vector<Algorithm> const& all, std::string const& name)
{
  auto const found = std::find_if(all.begin(), all.end(),
                                  [&](Algorithm const& one) { return name == one.name; });
  STRATA_CHECK(found != all.end(), "no algorithm is called '" + name + "'");
  return *found;
}

} // namespace

Algorithm const& algorithm(std::string const& name)
{
  return found_in(algorithms(), name);
}

Algorithm const& whole_algorithm(std::string const& name)
{
  static std::vector<Algorithm> const all = [] {
    auto whole = algorithms();
    for (auto& one : whole) {
      one.by_panels = nullptr;
      if (one.name == std::string("cholesky2"))
        one.by_tiles = cholesky_of_library;
    }
    return whole;
  }();
  return found_in(all, name);
}

bool divides_by_inverses(Problem const& problem)
{
  constexpr double most_condition = 32;
  auto const& matrix = problem.matrix;
  index_t const rows = matrix.rows / problem.world.ranks(); // of each rank, or one more
  return matrix.condition() <= most_condition &&
         (is_wide(matrix.columns) ||
          (has_fragments(matrix.columns) && inverses_are_faster(rows, matrix.columns)));
}

driver::Slot slot(Problem const& problem, index_t bytes_of_element)
{
  constexpr index_t widest = 32; // a tile may pad the rows
  index_t const rows = (padded(problem.count) + widest - 1) / widest * widest;
  return {0, rows * problem.matrix.columns * bytes_of_element};
}

} // namespace strata::mgs
