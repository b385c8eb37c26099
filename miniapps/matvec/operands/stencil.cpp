#include "stencil.hpp"

#include <algorithm>
#include <cmath>

namespace strata::matvec {

namespace {

/// The largest divisor of `ranks` that is at most its root of that degree.
int even_factor(int ranks, int degree)
{
  auto factor = static_cast<int>(std::pow(ranks, 1.0 / degree) + 1e-9);
  while (ranks % factor != 0)
    --factor;
  return factor;
}

} // namespace

Box common(Box const& a, Box const& b)
{
  Box both;
  for (int d = 0; d < 3; ++d) {
    both.begin[d] = std::max(a.begin[d], b.begin[d]);
    auto const end = std::min(a.begin[d] + a.size[d], b.begin[d] + b.size[d]);
    both.size[d] = std::max<index_t>(end - both.begin[d], 0);
  }
  return both;
}

std::array<int, 3> grid_of_ranks(int ranks, int dims)
{
  int const first = dims == 3 ? even_factor(ranks, 3) : 1;
  int const second = even_factor(ranks / first, 2);
  int const third = ranks / first / second;
  return dims == 3 ? std::array{first, second, third} : std::array{second, third, 1};
}

GridPart::GridPart(Stencil const& of, runtime::Share const& share)
    : stencil(of)
{
  auto const ranks = grid_of_ranks(share.ranks, of.dims);
  auto const grid = of.grid();
  int number = share.rank;
  for (std::size_t d = 0; d < 3; ++d) {
    runtime::Share const along{number % ranks[d], ranks[d]};
    number /= ranks[d];
    own.begin[d] = along.begin(grid.size[d]);
    own.size[d] = along.count(grid.size[d]);
    reached.begin[d] = own.begin[d] - 1;
    reached.size[d] = own.size[d] + 2;
  }
  reached = common(reached, grid);
}

std::vector<int> GridPart::neighbours(runtime::Share const& share) const
{
  auto const ranks = grid_of_ranks(share.ranks, stencil.dims);
  Box const all{{0, 0, 0}, {ranks[0], ranks[1], ranks[2]}};
  std::vector<int> found;
  stencil.neighbours(all, all.point(share.rank), [&](Box::Point const& beside) {
    if (auto const rank = static_cast<int>(all.number(beside)); rank != share.rank)
      found.push_back(rank);
  });
  return found;
}

index_t GridPart::read() const
{
  if (stencil.dims == 3)
    return reached.count();
  index_t const left_and_right = (reached.size[0] - own.size[0]) * own.size[1];
  index_t const below_and_above = (reached.size[1] - own.size[1]) * own.size[0];
  return own.count() + left_and_right + below_and_above;
}

} // namespace strata::matvec
