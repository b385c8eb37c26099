#include <valgrind/callgrind.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>

// A tool of Kokkos (KOKKOS_TOOLS_LIBS) by which valgrind's callgrind counts what happens in
// regions of the name STRATA_REGION alone, which are the samples of a case. At the end it
// writes their number to the file STRATA_REGIONS.

namespace {
int regions = 0;
int depth = 0; ///< of regions, in the one that is counted
} // namespace

extern "C" {
void kokkosp_push_profile_region(char const* name)
{
  if (depth > 0) {
    ++depth;
  } else if (std::strcmp(name, std::getenv("STRATA_REGION")) == 0) {
    depth = 1;
    ++regions;
    CALLGRIND_TOGGLE_COLLECT;
  }
}

void kokkosp_pop_profile_region()
{
  if (depth > 0 && --depth == 0)
    CALLGRIND_TOGGLE_COLLECT;
}

void kokkosp_finalize_library()
{
  std::ofstream(std::getenv("STRATA_REGIONS")) << regions;
}
}
