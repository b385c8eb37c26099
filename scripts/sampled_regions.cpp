#include <valgrind/callgrind.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>

// A tool of Kokkos (KOKKOS_TOOLS_LIBS) by which valgrind's callgrind counts what happens in
// regions alone, which are the samples of a run. At the end it writes their number to the file
// STRATA_REGIONS.

namespace {
int regions = 0;
}

extern "C" {
void kokkosp_push_profile_region(char const*)
{
  ++regions;
  CALLGRIND_TOGGLE_COLLECT;
}
void kokkosp_pop_profile_region()
{
  CALLGRIND_TOGGLE_COLLECT;
}
void kokkosp_finalize_library()
{
  std::ofstream(std::getenv("STRATA_REGIONS")) << regions;
}
}
