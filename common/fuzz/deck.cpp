#include "decks.hpp"

#include <cstddef>
#include <cstdint>

/// The text of a deck.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
  strata::fuzz::read({reinterpret_cast<char const*>(data), size});
  return 0;
}
