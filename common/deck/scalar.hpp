#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace strata::deck {

/// What one plain value of a deck can be; Kind names the alternatives in the same order.
using Scalar = std::variant<bool, std::int64_t, std::uint64_t, double, std::string>;
enum class Kind
{
  truth,
  integer,
  natural,
  real,
  text
};

/// The value of a key: one scalar, the items of a list, or nothing where an optional is open.
using Value = std::vector<Scalar>;

/// As a message names it: true, 1000, 0.1, left.
std::string to_string(Scalar const& scalar);

/// As a deck writes it: text that could be taken for something else is quoted.
std::string to_yaml(Scalar const& scalar);

/// How reading some text as a number went.
enum class Reading
{
  good,
  unfit,        ///< a number, but its type cannot hold it
  not_whole,    ///< a number with a fraction where a whole one is wanted
  leading_zero, ///< "010", which some would read as octal
  grouped,      ///< "1_000"
  other         ///< no finite decimal number
};

struct Number
{
  Reading reading = Reading::other;
  Scalar value = {}; ///< where the reading is good
};

/// Reads decimal text strictly as that kind of number. A whole number may have an exponent or
/// a point as long as it stays whole: "1e6", "2.50e3".
Number read_number(std::string_view text, Kind kind);

} // namespace strata::deck
