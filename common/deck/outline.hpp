#pragma once

#include "document.hpp"
#include "key.hpp"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace strata::deck {

/// The deck format that this version reads and writes.
inline constexpr std::int64_t format = 1;

/// The keys of a deck without the config they fill: what reading and describing work from.
struct Outline
{
  std::string app; ///< empty for a part of a deck
  std::string doc;
  std::deque<Key> keys = {}; ///< a deque, so that references to keys stay good while it grows

  /// Appends a key; a path already taken, or inside a key's, is an internal error.
  Key& add(Key key);
};

/// The outline of an app's deck with its first keys, `strata` and `app`.
Outline header(std::string app, std::string doc);

/// One level of the deck: a map with its keys and maps in order of first declaration.
struct Branch
{
  std::string path;                  ///< "problem"; empty for the deck itself
  std::optional<std::size_t> key{};  ///< index in the outline, of a leaf
  std::vector<Branch> branches = {}; ///< of a map
};

Branch tree(Outline const& outline);

/// One value per key of the outline, nothing where the deck leaves a key out.
/// Throws Invalid with everything that is wrong.
std::vector<std::optional<Value>> read(Outline const& outline, Document const& document);

/// A rule across keys, broken by `document`: reported at `path` or its nearest existing
/// parent. `value` is the one in force where `path` is a key.
Issue broken_rule(Outline const& outline, Document const& document, std::string const& path,
                  std::string const& why, std::vector<Value> const& values);

} // namespace strata::deck
