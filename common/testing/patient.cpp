#include <unistd.h>

/// Preloaded into the tests by scripts/test: a rank of MPI that waits sleeps where it would
/// yield. Of more ranks than cores, one that has yielded gets a core back after a time slice of
/// each thread that is busy, other waiting ranks among them; one that sleeps, as it wakes.
extern "C" int sched_yield()
{
  ::usleep(20);
  return 0;
}
