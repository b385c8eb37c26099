#pragma once

#include "issue.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace strata::deck {

/// One value of a parsed deck and the place where it was written. Nodes are shared and never
/// change once a deck has been read, so that an alias costs nothing.
struct Node
{
  enum class Kind
  {
    null,
    scalar,
    list,
    map
  };
  using Pointer = std::shared_ptr<Node const>;

  struct Entry
  {
    std::string key;
    Place place; ///< of the key
    Pointer value;
  };

  Kind kind = Kind::null;
  Place place = {};
  std::string text = {};           ///< a scalar's, without its quotes
  bool quoted = false;             ///< a scalar that can only be text
  std::vector<Pointer> items = {}; ///< a list's
  std::vector<Entry> entries = {}; ///< a map's, in the deck's order, keys unique

  /// The entry of that key, or null.
  [[nodiscard]] Entry const* find(std::string_view key) const;
};

} // namespace strata::deck
