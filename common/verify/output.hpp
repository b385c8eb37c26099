#pragma once

#include "array/access/narrow.hpp"
#include "base/types.hpp"

#include <cstdint>
#include <vector>

namespace strata::verify {

/// What an element of an output is.
enum class Element
{
  real64,
  real32,
  half16,
  brain16,
  whole64,
  whole32,
  boolean, ///< a byte
  bit      ///< of 64-bit words, the first one the lowest
};

namespace detail {

constexpr Element element_of(double const*)
{
  return Element::real64;
}
constexpr Element element_of(float const*)
{
  return Element::real32;
}
constexpr Element element_of(float16 const*)
{
  return Element::half16;
}
constexpr Element element_of(bfloat16 const*)
{
  return Element::brain16;
}
constexpr Element element_of(std::int64_t const*)
{
  return Element::whole64;
}
constexpr Element element_of(std::int32_t const*)
{
  return Element::whole32;
}
constexpr Element element_of(bool const*)
{
  return Element::boolean;
}

} // namespace detail

/// Consecutive elements.
struct Run
{
  void* data = nullptr;
  index_t count = 0;
  Element element = Element::real64;
};

/// All that a step has written, without padding: where a fault can be injected. Elements are
/// numbered from the first of the first run on.
struct Output
{
  std::vector<Run> runs;
  bool on_device = true;  ///< else host memory
  bool of_floats = false; ///< no more exact than float, whatever it is stored in

  Output() = default;
  template <class T>
  Output(T* data, index_t count, bool is_on_device = true)
      : on_device(is_on_device)
  {
    add(data, count);
  }
  /// Continues the last run where it can.
  template <class T>
  Output& add(T* data, index_t count)
  {
    constexpr Element element = detail::element_of(static_cast<T*>(nullptr));
    if (!runs.empty() && runs.back().element == element &&
        static_cast<T*>(runs.back().data) + runs.back().count == data)
      runs.back().count += count;
    else
      runs.push_back({data, count, element});
    return *this;
  }
  Output& add_bits(std::uint64_t* words, index_t count)
  {
    runs.push_back({words, count, Element::bit});
    return *this;
  }
  [[nodiscard]] index_t count() const
  {
    index_t all = 0;
    for (auto const& run : runs)
      all += run.count;
    return all;
  }
};

} // namespace strata::verify
