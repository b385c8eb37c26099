#include "node.hpp"

#include <algorithm>

namespace strata::deck {

Node::Entry const* Node::find(std::string_view key) const
{
  auto const found = std::ranges::find(entries, key, &Entry::key);
  return found == entries.end() ? nullptr : &*found;
}

} // namespace strata::deck
