#include "fault.hpp"

#include "alter.hpp"

#include "base/error.hpp"
#include "base/mix.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace strata::verify {

namespace {

constexpr std::size_t most_digits = 6; // of a percentage

/// A slightly larger value; of a bool, the other one.
template <class T>
T altered(T value, bool of_floats)
{
  if constexpr (std::is_same_v<T, bool>)
    return !value;
  else if constexpr (std::is_integral_v<T>)
    return value + 1;
  else if constexpr (is_narrow<T>) // two to four units in the last place
    return value + 2 * value * std::numeric_limits<T>::epsilon() +
           std::numeric_limits<T>::min();
  else
    return value + value * (of_floats || sizeof(T) == sizeof(float) ? 1e-3F : 1e-6F) + 1e-30F;
}

constexpr auto set_nan = [](auto values, index_t at) {
  using T = typename decltype(values)::value_type;
  if constexpr (std::numeric_limits<T>::has_quiet_NaN)
    values[static_cast<std::size_t>(at)] = std::numeric_limits<T>::quiet_NaN();
};

/// Of the pairs that differ, exchanges the nearest to `at`.
constexpr auto swap_near = [](auto values, index_t at) {
  auto const count = static_cast<index_t>(values.size());
  auto const swapped = [&](index_t i) {
    if (i < 0 || i + 1 >= count)
      return false;
    auto& left = values[static_cast<std::size_t>(i)];
    auto& right = values[static_cast<std::size_t>(i + 1)];
    if (left == right)
      return false;
    std::swap(left, right);
    return true;
  };
  for (index_t way = 0; way < count; ++way)
    if (swapped(at + way) || swapped(at - 1 - way))
      return;
};

constexpr auto shift_all = [](auto values) {
  for (std::size_t i = 0; i + 1 < values.size(); ++i)
    values[i] = values[i + 1];
};

constexpr auto halve_all = [](auto values) {
  for (auto& value : values)
    value = static_cast<std::remove_reference_t<decltype(value)>>(value / 2);
};

constexpr auto cut_tail = [](auto values) {
  auto const last = std::max<std::size_t>(1, values.size() / 100);
  std::fill(values.end() - static_cast<std::ptrdiff_t>(last), values.end(), 0);
};

/// The number of the element that a word for a place means, of `count`.
index_t element_at(std::string const& place, index_t count)
{
  if (place == "first")
    return 0;
  if (place == "middle")
    return count / 2;
  if (place == "last")
    return count - 1;
  return static_cast<index_t>(mixed(std::stoull(place)) % static_cast<std::uint64_t>(count));
}

bool is_whole_number(std::string const& word)
{
  std::uint32_t number = 0;
  char const* const end = word.data() + word.size();
  return std::from_chars(word.data(), end, number).ptr == end && !word.empty();
}

Pattern compiled(std::string const& text, std::string const& expression)
{
  try {
    return Pattern(expression);
  } catch (std::invalid_argument const& error) {
    throw Error(Exit::command_line, "STRATA_FAULT is '" + text + "'; " + error.what());
  }
}

[[noreturn]] void refuse(std::string const& text)
{
  throw Error(Exit::command_line,
              "STRATA_FAULT is '" + text +
                  "'; it must be KIND:REGEX, KIND@PLACE:REGEX or either with @rankN before the "
                  "colon, of kind value, nan, swap, shift, half, tail, skip or slow and place "
                  "first, middle, last or a whole number (of slow: of per cent), or be unset "
                  "for a real run");
}

} // namespace

Fault Fault::parse(std::string const& text)
{
  static std::array<std::pair<char const*, Kind>, 8> const kinds{{{"value", Kind::value},
                                                                  {"nan", Kind::nan},
                                                                  {"swap", Kind::swap},
                                                                  {"shift", Kind::shift},
                                                                  {"half", Kind::half},
                                                                  {"tail", Kind::tail},
                                                                  {"skip", Kind::skip},
                                                                  {"slow", Kind::slow}}};
  auto const colon = text.find(':');
  if (colon == std::string::npos || colon == 0)
    refuse(text);
  auto const words = text::split(text.substr(0, colon), '@');

  Fault fault;
  bool known = false;
  for (auto const& [name, kind] : kinds)
    if (words.front() == name) {
      fault.kind_ = kind;
      known = true;
    }
  bool const has_place =
      fault.kind_ == Kind::value || fault.kind_ == Kind::nan || fault.kind_ == Kind::swap;
  std::size_t next = 1;
  if (next < words.size() && has_place &&
      (words[next] == "first" || words[next] == "middle" || words[next] == "last" ||
       is_whole_number(words[next])))
    fault.place_ = words[next++];
  else if (next < words.size() && fault.kind_ == Kind::slow && is_whole_number(words[next]) &&
           words[next].size() <= most_digits)
    fault.percent_ = std::stoi(words[next++]);
  // A step that some ranks do not make would leave the others in its collectives.
  if (next < words.size() && !fault.is_of_step() && words[next].starts_with("rank") &&
      is_whole_number(words[next].substr(4)))
    fault.rank_ = std::stoi(words[next++].substr(4));
  if (!known || next != words.size())
    refuse(text);
  fault.cases_ = compiled(text, text.substr(colon + 1));
  return fault;
}

std::optional<Fault> Fault::from_environment()
{
  char const* const text = std::getenv("STRATA_FAULT");
  if (text == nullptr || *text == '\0')
    return std::nullopt;
  return parse(text);
}

bool Fault::hits(std::string const& label) const
{
  return cases_.matches_in(label);
}

void Fault::step(std::function<void()> const& make, std::function<double()> const& now) const
{
  if (kind_ == Kind::skip)
    return;
  double const start = now();
  make();
  if (kind_ != Kind::slow)
    return;
  Kokkos::fence();
  double const end = start + (1 + percent_ / 100.0) * (now() - start);
  while (now() < end) // until it is late enough
    ;
}

bool Fault::corrupt(Output const& output, int rank) const
{
  if (is_of_step())
    return true; // as it was in the step
  index_t const count = output.count();
  if (count == 0 || rank_.value_or(rank) != rank)
    return false;
  index_t const at = element_at(place_, count);
  switch (kind_) {
  case Kind::value:
    return alter_at(output, at, [&](auto values, index_t place) {
      auto& value = values[static_cast<std::size_t>(place)];
      value = altered(value, output.of_floats);
    });
  case Kind::nan:
    return alter_near(output, at, set_nan);
  case Kind::swap:
    return alter_near(output, at, swap_near);
  case Kind::shift:
    return alter_all(output, shift_all);
  case Kind::half:
    return alter_all(output, halve_all);
  default: // Kind::tail
    return alter_all(output, cut_tail);
  }
}

} // namespace strata::verify
