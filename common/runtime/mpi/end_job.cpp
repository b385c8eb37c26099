#include "end_job.hpp"

#include <mpi.h>

#include <cstdlib>

namespace strata::runtime {

void end_job(Exit exit)
{
  auto const code = static_cast<int>(exit);
  int up = 0;
  int down = 0;
  MPI_Initialized(&up);
  MPI_Finalized(&down);
  if (up != 0 && down == 0)
    MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

} // namespace strata::runtime
