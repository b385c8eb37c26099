#include "scalar.hpp"

#include "base/json.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <iterator>
#include <limits>
#include <optional>
#include <type_traits>

namespace strata::deck {

namespace {

/// A decimal number taken apart: sign, digits on both sides of the point, power of ten.
struct Decimal
{
  bool negative = false;
  std::string whole = {};
  std::string fraction = {};
  int exponent = 0; ///< clamped to what an int holds
};

bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

bool take(std::string_view& rest, std::string_view any_of)
{
  bool const found = !rest.empty() && any_of.find(rest.front()) != any_of.npos;
  rest.remove_prefix(found ? 1 : 0);
  return found;
}

std::string take_digits(std::string_view& rest)
{
  std::string digits(rest.begin(), std::ranges::find_if_not(rest, is_digit));
  rest.remove_prefix(digits.size());
  return digits;
}

std::optional<Decimal> take_apart(std::string_view text)
{
  Decimal number;
  number.negative = text.starts_with('-');
  take(text, "+-");
  number.whole = take_digits(text);
  if (take(text, "."))
    number.fraction = take_digits(text);
  if (number.whole.empty() && number.fraction.empty())
    return std::nullopt;
  if (take(text, "eE")) {
    bool const down = text.starts_with('-');
    take(text, "+-");
    auto const digits = take_digits(text);
    if (digits.empty())
      return std::nullopt;
    int power = std::numeric_limits<int>::max() / 2; // kept where the digits do not fit
    std::from_chars(digits.data(), digits.data() + digits.size(), power);
    number.exponent = down ? -power : power;
  }
  return text.empty() ? std::optional(number) : std::nullopt;
}

Number read_real(std::string_view text)
{
  take(text, "+");
  auto const value = text::real(text);
  return value ? Number{Reading::good, *value} : Number{Reading::unfit};
}

/// The magnitude with its sign, if a number of that kind can hold it.
Number signed_whole(std::uint64_t magnitude, bool negative, Kind kind)
{
  constexpr auto most = std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  if (kind == Kind::natural)
    return negative && magnitude > 0 ? Number{Reading::unfit}
                                     : Number{Reading::good, magnitude};
  if (magnitude > most + (negative ? 1 : 0))
    return {Reading::unfit};
  return {Reading::good, static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude)};
}

/// Exact, digit by digit: a double would round above 2^53.
Number read_whole(Decimal const& number, Kind kind)
{
  std::string digits = number.whole + number.fraction;
  auto const all = digits.size();
  digits.erase(digits.find_last_not_of('0') + 1);
  auto const zeros =
      number.exponent - std::ssize(number.fraction) + std::int64_t(all - digits.size());
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.empty())
    return signed_whole(0, false, kind);
  if (zeros < 0)
    return {Reading::not_whole};
  if (std::ssize(digits) + zeros > std::numeric_limits<std::uint64_t>::digits10 + 1)
    return {Reading::unfit};
  digits.append(static_cast<std::size_t>(zeros), '0');
  std::uint64_t magnitude = 0;
  auto const parsed = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude);
  return parsed.ec == std::errc{} ? signed_whole(magnitude, number.negative, kind)
                                  : Number{Reading::unfit};
}

/// Words that some YAML reader takes for a truth value or for nothing.
bool is_reserved(std::string word)
{
  static constexpr std::array<std::string_view, 9> reserved{"true", "false", "yes", "no", "on",
                                                            "off",  "null",  "y",   "n"};
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::count(reserved, word) > 0;
}

bool is_plain_text(std::string const& text)
{
  auto const is_letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  auto const is_safe = [&](char c) {
    return is_letter(c) || is_digit(c) ||
           std::string_view("./+-").find(c) != std::string_view::npos;
  };
  return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, is_safe) &&
         !is_reserved(text);
}

} // namespace

std::string to_string(Scalar const& scalar)
{
  return std::visit(
      [](auto const& value) -> std::string {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::string>)
          return value;
        else if constexpr (std::is_same_v<T, bool>)
          return value ? "true" : "false";
        else if constexpr (std::is_same_v<T, double>)
          return text::number(value);
        else
          return std::to_string(value);
      },
      scalar);
}

std::string to_yaml(Scalar const& scalar)
{
  auto const* const text = std::get_if<std::string>(&scalar);
  return text != nullptr && !is_plain_text(*text) ? json::quote(*text) : to_string(scalar);
}

Number read_number(std::string_view text, Kind kind)
{
  auto const number = take_apart(text);
  if (!number) {
    std::string ungrouped(text);
    bool const grouped = std::erase(ungrouped, '_') > 0 && take_apart(ungrouped);
    return {grouped ? Reading::grouped : Reading::other};
  }
  if (number->whole.size() > 1 && number->whole.starts_with('0'))
    return {Reading::leading_zero};
  return kind == Kind::real ? read_real(text) : read_whole(*number, kind);
}

} // namespace strata::deck
