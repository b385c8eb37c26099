#pragma once

#include "key.hpp"
#include "node.hpp"

#include <optional>
#include <vector>

namespace strata::deck {

/// The value that `node` has for the key; nothing where something is wrong with it, which is
/// added to the issues.
std::optional<Value> read_value(Key const& key, Node const& node, std::vector<Issue>& issues);

} // namespace strata::deck
