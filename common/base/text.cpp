#include "text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>

namespace strata::text {

namespace {

/// Letters to insert, drop, replace or swap with their neighbour to make `a` into `b`
/// (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b)
{
  std::vector<std::vector<std::size_t>> table(a.size() + 1,
                                              std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      auto& least = table[i][j];
      if (i == 0 || j == 0) {
        least = i + j;
        continue;
      }
      least = std::min({table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1),
                        table[i - 1][j] + 1, table[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        least = std::min(least, table[i - 2][j - 2] + 1);
    }
  }
  return table.back().back();
}

/// Three significant digits, or all of the integer part where that has more.
std::string short_number(double value)
{
  return std::abs(value) < 999.5 ? rounded(value, 3) : rounded(std::round(value), 15);
}

/// `value` scaled to [1, step) by the fitting prefix; what would round to `step` moves up.
template <std::size_t N>
std::string scaled(double value, double step, std::array<char const*, N> const& prefixes,
                   std::string_view unit)
{
  std::size_t prefix = 0;
  while (std::abs(value) >= step - 0.5 && prefix + 1 < prefixes.size()) {
    value /= step;
    ++prefix;
  }
  return short_number(value) + " " + prefixes[prefix] + std::string(unit);
}

} // namespace

std::string join(std::span<std::string const> words, std::string_view separator)
{
  std::string joined;
  for (auto const& word : words) {
    if (&word != words.data())
      joined += separator;
    joined += word;
  }
  return joined;
}

std::vector<std::string> split(std::string_view text, char separator)
{
  std::vector<std::string> words;
  if (text.empty())
    return words;
  for (auto end = text.find(separator); end != text.npos; end = text.find(separator)) {
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  words.emplace_back(text);
  return words;
}

std::optional<std::string> nearest(std::string_view word,
                                   std::span<std::string const> candidates)
{
  std::optional<std::string> best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (auto const& candidate : candidates) {
    auto const distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string number(double value)
{
  std::array<char, 32> buffer{};
  auto const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end.ptr};
}

std::optional<double> real(std::string_view text)
{
#ifdef __cpp_lib_to_chars
  double value = 0;
  char const* const begin = text.data();
  char const* const end = begin + text.size();
  auto const [stop, fault] = std::from_chars(begin, end, value);
  return fault == std::errc() && stop == end ? std::optional(value) : std::nullopt;
#else
  return real_by_strtod(text);
#endif
}

std::optional<double> real_by_strtod(std::string_view text)
{
  static locale_t const c_locale = ::newlocale(LC_ALL_MASK, "C", nullptr);
  // strtod also takes space, a plus and hexadecimal digits.
  bool const decimal =
      !text.empty() &&
      std::string_view(" \t\n\v\f\r+").find(text[0]) == std::string_view::npos &&
      text.find_first_of("xX") == std::string_view::npos;
  if (!decimal)
    return std::nullopt;
  std::string const word(text);
  char* stop = nullptr;
  errno = 0;
  double const value = ::strtod_l(word.c_str(), &stop, c_locale);
  bool const held = errno != ERANGE || (value != 0 && std::isfinite(value));
  return held && stop == word.c_str() + word.size() ? std::optional(value) : std::nullopt;
}

std::string rounded(double value, int digits)
{
  std::array<char, 64> buffer{};
  auto const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::general, digits);
  return {buffer.data(), end.ptr};
}

std::string bytes(double count)
{
  static constexpr std::array prefixes{"", "Ki", "Mi", "Gi", "Ti", "Pi"};
  return scaled(count, 1024, prefixes, "B");
}

std::string si(double value, std::string_view unit)
{
  static constexpr std::array prefixes{"", "k", "M", "G", "T", "P", "E"};
  return scaled(value, 1000, prefixes, unit);
}

std::string seconds(double value)
{
  auto const below = [size = std::abs(value)](double limit) { return size < limit * 0.9995; };
  if (value == 0)
    return "0 s";
  if (below(1e-6))
    return short_number(value * 1e9) + " ns";
  if (below(1e-3))
    return short_number(value * 1e6) + " us";
  if (below(1))
    return short_number(value * 1e3) + " ms";
  return short_number(value) + " s";
}

std::string plural(std::size_t count, std::string_view noun)
{
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

} // namespace strata::text
