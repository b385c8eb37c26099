#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strata::text {

/// "a, b, c"; with another separator where given.
std::string join(std::span<std::string const> words, std::string_view separator = ", ");

/// Words between separators, empty ones too; an empty text has none.
std::vector<std::string> split(std::string_view text, char separator);

/// The candidate nearest to `word` in edit distance, if it is near enough to be a slip of
/// the keyboard (at most a third of its letters, and at least one, wrong).
std::optional<std::string> nearest(std::string_view word,
                                   std::span<std::string const> candidates);

/// Shortest decimal that reads back as the same double, in the C locale: "4.012e+12", "0.1".
std::string number(double value);

/// The double nearest to a decimal text, in the C locale: "4.012e+12", "-0.1", "inf". None
/// where the text is anything else or a double cannot hold it.
std::optional<double> real(std::string_view text);

/// The same by the C library, where C++'s has no std::from_chars for doubles (LLVM's before
/// 20).
std::optional<double> real_by_strtod(std::string_view text);

/// `value` with `digits` significant digits, C locale, plain or scientific as %g does.
std::string rounded(double value, int digits);

/// Binary size for people, three digits or the whole integer part: "512 B", "1.5 KiB", "4 GiB".
std::string bytes(double count);

/// Decimal rate or count for people: si(4.012e12, "B/s") is "4.01 TB/s".
std::string si(double value, std::string_view unit);

/// Seconds for people: "12.3 us", "4.56 ms", "1.2 s".
std::string seconds(double value);

/// "1 problem", "2 problems".
std::string plural(std::size_t count, std::string_view noun);

} // namespace strata::text
