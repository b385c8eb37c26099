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

} // namespace strata::matvec
