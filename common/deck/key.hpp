#pragma once

#include "scalar.hpp"

#include <optional>
#include <string>
#include <vector>

namespace strata::deck {

/// Everything a schema says about one key, apart from where its value lives in a config.
struct Key
{
  std::string path; ///< "problem.rows"
  std::string doc;  ///< what it is, in a phrase
  Kind kind = Kind::text;
  bool list = false;
  bool required = false;
  std::optional<Scalar> least = {}; ///< of a number, inclusive; of the same kind
  std::optional<Scalar> most = {};
  std::vector<Scalar> choices = {}; ///< empty: any
  std::string word = {};            ///< stands for an open optional: "auto"
  std::string unit = {};
  std::string former = {}; ///< the name that the key had before, refused now
};

/// The last part of the path: "rows".
std::string leaf(std::string const& path);

/// The path without its last part: "problem", or nothing.
std::string parent(std::string const& path);

/// " in problem", or " in the deck" for its top level.
std::string within(std::string const& section);

/// "between 1 and 10"
std::string between(Scalar const& least, Scalar const& most);

/// The bounds in words, "at least 1"; nothing where there are none.
std::string range(Key const& key);

/// The choices and the word for an open optional: "left, right".
std::string choice_list(Key const& key);

/// What a value must be, for messages: "a whole number between 1 and 10".
std::string wanted(Key const& key);

/// The values allowed, for tables: "1 to 10 or auto"; nothing where any will do.
std::string allowed(Key const& key);

/// The type, for tables: "whole number", "list of text".
std::string type_name(Key const& key);

/// As a deck writes it: "[left, right]"; nothing where an optional without a word is open.
std::string to_yaml(Key const& key, Value const& value);

} // namespace strata::deck
