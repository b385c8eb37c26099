#include "base/pattern.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

/// What follows --only.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
  std::string const text(reinterpret_cast<char const*>(data), size);
  for (auto const grammar :
       {strata::Pattern::Grammar::ecmascript, strata::Pattern::Grammar::posix_extended})
    try {
      strata::Pattern const pattern(text, grammar);
      static_cast<void>(pattern.matches_in("stream/triad/span/right/double/restrict/bits"));
    } catch (std::invalid_argument const&) {
      continue;
    }
  return 0;
}
