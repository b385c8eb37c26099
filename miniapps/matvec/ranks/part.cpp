#include "part.hpp"

#include <cmath>

namespace strata::matvec {

Part part_of(std::string const& partition, runtime::Share const& share, index_t rows,
             index_t cols)
{
  int down = share.ranks;
  if (partition == "grid") {
    down = static_cast<int>(std::sqrt(static_cast<double>(share.ranks)));
    while (share.ranks % down != 0)
      --down;
  }
  int const across = share.ranks / down;
  return {{share.rank / across, down}, {share.rank % across, across}, rows, cols};
}

} // namespace strata::matvec
