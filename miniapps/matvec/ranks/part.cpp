#include "part.hpp"

#include "operands/stencil.hpp"

namespace strata::matvec {

Part part_of(std::string const& partition, runtime::Share const& share, index_t rows,
             index_t cols)
{
  int const down = partition == "grid" ? grid_of_ranks(share.ranks, 2)[0] : share.ranks;
  int const across = share.ranks / down;
  return {{share.rank / across, down}, {share.rank % across, across}, rows, cols};
}

bool grid_receives_less(int ranks, index_t rows, index_t cols)
{
  double const down = grid_of_ranks(ranks, 2)[0];
  double const across = ranks / down;
  auto const m = static_cast<double>(rows);
  auto const n = static_cast<double>(cols);
  return n * (down - 1) + m * (across - 1) < n * (ranks - 1); // times the number of ranks
}

} // namespace strata::matvec
