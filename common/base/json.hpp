#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata::json {

/// Writes one JSON value piece by piece:
///
///     json::Writer out;
///     out.object().member("app", "stream").key("sizes").array().value(1).value(2).end().end();
///     file << out.text();
///
/// Every member starts a line, the items of an array share one. Misuse (a value without its
/// key, a missing end) is an internal error.
class Writer
{
public:
  Writer();
  ~Writer();
  Writer(Writer const&) = delete;
  Writer& operator=(Writer const&) = delete;

  Writer& object();
  Writer& array();
  Writer& end(); ///< of the innermost open object or array
  Writer& key(std::string_view name);

  Writer& value(std::string_view text); ///< UTF-8; bytes that are not become U+FFFD
  Writer& value(char const* text) { return value(std::string_view(text)); }
  Writer& value(double number); ///< shortest form that reads back the same; non-finite: null
  Writer& null();

  template <std::integral T>
  Writer& value(T number)
  {
    if constexpr (std::same_as<T, bool>)
      return boolean(number);
    else if constexpr (std::signed_integral<T>)
      return integer(std::int64_t{number});
    else
      return natural(std::uint64_t{number});
  }

  template <class T>
  Writer& value(std::vector<T> const& items)
  {
    array();
    for (T const& item : items)
      value(item);
    return end();
  }

  template <class T>
  Writer& value(std::optional<T> const& maybe)
  {
    return maybe ? value(*maybe) : null();
  }

  template <class T>
  Writer& member(std::string_view name, T const& content)
  {
    return key(name).value(content);
  }

  /// The finished text, ending in a newline.
  [[nodiscard]] std::string text() const;

private:
  struct State;

  Writer& boolean(bool truth);
  Writer& integer(std::int64_t number);
  Writer& natural(std::uint64_t number);
  void begin(char kind);
  void place_value();

  std::unique_ptr<State> state_;
};

/// `text` as a JSON string, quotes included; YAML reads it as the same string.
std::string quote(std::string_view text);

} // namespace strata::json
