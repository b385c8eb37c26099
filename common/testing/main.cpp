#include "base/kokkos.hpp"
#include "runtime/mpi/communicator.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

/// Brings MPI and Kokkos up around all tests; ranks agree on the outcome, so that a failure
/// on one of them is the program's.
int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  int failed = 0;
  {
    testing::InitGoogleTest(&argc, argv);
    strata::kokkos_initialize(argc, argv, -1, -1);
    failed = RUN_ALL_TESTS();
    Kokkos::finalize();
  }
  int any = 0;
  MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return any;
}
