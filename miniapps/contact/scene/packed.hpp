#pragma once

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace strata::contact {

/// Values as the bytes of a message between ranks.
template <class T>
std::string packed(std::vector<T> const& values)
{
  static_assert(std::is_trivially_copyable_v<T>);
  return {reinterpret_cast<char const*>(values.data()), values.size() * sizeof(T)};
}

template <class T>
std::vector<T> unpacked(std::string const& bytes)
{
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty())
    std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

} // namespace strata::contact
