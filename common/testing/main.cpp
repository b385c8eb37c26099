#include "base/kokkos.hpp"
#include "runtime/mpi/communicator.hpp"

#include <gtest/gtest.h>
#include <mpi.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <chrono>

/// Open MPI's ranks that wait give up their processor by this call where they are more than the
/// cores. Beside processes that never wait it returns after their whole time slice, at each
/// message; then the next calls sleep instead, since who sleeps is woken in time.
extern "C" __attribute__((visibility("default"))) int sched_yield()
{
  using Clock = std::chrono::steady_clock;
  thread_local int sleeps = 0;
  if (sleeps > 0) {
    --sleeps;
    timespec const pause{0, 20'000};
    return nanosleep(&pause, nullptr);
  }
  auto const start = Clock::now();
  auto const code = static_cast<int>(syscall(SYS_sched_yield));
  if (Clock::now() - start > std::chrono::milliseconds(1))
    sleeps = 1000;
  return code;
}

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
