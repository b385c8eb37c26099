#include "decks.hpp"

#include <cstddef>
#include <cstdint>

/// What follows --set.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
  strata::fuzz::read("strata: 1\napp: fuzz\n", {{reinterpret_cast<char const*>(data), size}});
  return 0;
}
