#pragma once

#include "key.hpp"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace strata::deck {

namespace detail {

/// How a config member of type T is a Value: its element type and whether it is a list.
template <class T>
struct Member
{
  using Element = T;
  static constexpr bool list = false;
  static constexpr bool optional = false;
};
template <class T>
struct Member<std::vector<T>> : Member<T>
{
  static constexpr bool list = true;
};
template <class T>
struct Member<std::optional<T>> : Member<T>
{
  static constexpr bool optional = true;
};

template <class Element>
using Stored = std::conditional_t<std::same_as<Element, int>, std::int64_t, Element>;

template <class T>
Value load(T const& member)
{
  using Element = typename Member<T>::Element;
  Value value;
  if constexpr (Member<T>::list)
    for (auto const& item : member)
      value.emplace_back(Stored<Element>(item));
  else if constexpr (!Member<T>::optional)
    value.emplace_back(Stored<Element>(member));
  else if (member)
    value.emplace_back(Stored<Element>(*member));
  return value;
}

template <class T>
void store(Value const& value, T& member)
{
  using Element = typename Member<T>::Element;
  auto const cast = [](Scalar const& scalar) {
    return static_cast<Element>(std::get<Stored<Element>>(scalar));
  };
  if constexpr (Member<T>::list) {
    member.clear();
    for (auto const& item : value)
      member.push_back(cast(item));
  } else if constexpr (Member<T>::optional) {
    member.reset();
    if (!value.empty())
      member = cast(value.front());
  } else {
    member = cast(value.front());
  }
}

} // namespace detail

/// What may still be said about a key after its declaration; each call returns the field.
template <class T>
class Field
{
public:
  using Element = typename detail::Member<T>::Element;

  explicit Field(Key& key)
      : key_(key)
  {
  }

  /// The deck must have the key; its default is only an example.
  Field& required()
  {
    key_.required = true;
    return *this;
  }

  /// Bounds of a number, or of each in a list, both inclusive.
  Field& between(Element least, Element most)
    requires std::is_arithmetic_v<Element>
  {
    key_.most = detail::Stored<Element>(most);
    return at_least(least);
  }

  Field& at_least(Element least)
    requires std::is_arithmetic_v<Element>
  {
    key_.least = detail::Stored<Element>(least);
    return *this;
  }

  Field& one_of(std::vector<Element> const& choices)
  {
    key_.choices = detail::load(choices);
    return *this;
  }

  /// A word such as "auto" for leaving an optional member empty.
  Field& word(std::string word)
    requires(detail::Member<T>::optional)
  {
    key_.word = std::move(word);
    return *this;
  }

  /// The key's name in older decks, without its section: refused, and this one named.
  Field& renamed_from(std::string name)
  {
    key_.former = std::move(name);
    return *this;
  }

  /// For the reader; the key's name should carry it, too (`size_bytes`).
  Field& unit(std::string unit)
  {
    key_.unit = std::move(unit);
    return *this;
  }

private:
  Key& key_;
};

} // namespace strata::deck
