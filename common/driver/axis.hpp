#pragma once

#include "array/access/access.hpp"
#include "array/access/bits.hpp"
#include "array/layout/layout.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// The words of decks and records for the core's types.

namespace strata::driver {

namespace detail {

inline std::string word(std::type_identity<LayoutLeft>)
{
  return "left";
}
inline std::string word(std::type_identity<LayoutRight>)
{
  return "right";
}
inline std::string word(std::type_identity<LayoutStride>)
{
  return "stride";
}
template <std::size_t W>
std::string word(std::type_identity<LayoutTiled<W>>)
{
  return "tiled" + std::to_string(W);
}

inline std::string word(std::type_identity<AccessDefault>)
{
  return "default";
}
inline std::string word(std::type_identity<AccessRestrict>)
{
  return "restrict";
}
inline std::string word(std::type_identity<AccessAtomic>)
{
  return "atomic";
}
inline std::string word(std::type_identity<AccessStreaming>)
{
  return "streaming";
}
inline std::string word(std::type_identity<AccessBits>)
{
  return "bits";
}

} // namespace detail

/// The word for a layout or an access rule.
template <class T>
std::string word_of()
{
  return detail::word(std::type_identity<T>());
}

/// The types that an axis chooses from: a deck's words and its cases both come from this list.
template <class... Value>
struct Axis
{
  static std::vector<std::string> words() { return {word_of<Value>()...}; }

  template <class F>
  static void for_each(F&& f)
  {
    (f.template operator()<Value>(), ...);
  }

  /// Calls f for the type with that word; for none where no type has it.
  template <class F>
  static void at(std::string_view word, F&& f)
  {
    ((word == word_of<Value>() ? f.template operator()<Value>() : void()), ...);
  }
};

} // namespace strata::driver
