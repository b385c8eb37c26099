#pragma once

#include "outline.hpp"

#include "base/json.hpp"

#include <string>
#include <vector>

namespace strata::deck {

// What a schema tells its readers, each generated from the keys and one value per key.

/// A commented YAML deck with these values.
std::string describe(Outline const& outline, std::vector<Value> const& values);

/// Markdown: key, type, default, allowed values, meaning.
std::string key_table(Outline const& outline, std::vector<Value> const& defaults);

/// JSON Schema, draft 2020-12.
std::string json_schema(Outline const& outline, std::vector<Value> const& defaults);

/// The values as one JSON object, nested like the deck.
void effective(Outline const& outline, std::vector<Value> const& values, json::Writer& out);

} // namespace strata::deck
