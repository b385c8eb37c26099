#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <type_traits>

// Host only. Work models are held against what kernels really do: a kernel whose spans have
// AccessTouched tells which elements it read and wrote.

namespace strata::testing {

/// The distinct elements that spans with AccessTouched have read and written since the last
/// `restart`, by any thread.
class Touches
{
public:
  static void restart()
  {
    std::lock_guard const lock(mutex());
    read() = {};
    written() = {};
  }
  static std::int64_t bytes_read() { return sum(read()); }
  static std::int64_t bytes_written() { return sum(written()); }
  /// The same of the elements in [begin, begin + bytes).
  static std::int64_t bytes_read(void const* begin, std::int64_t bytes)
  {
    return sum(read(), static_cast<char const*>(begin), bytes);
  }
  static std::int64_t bytes_written(void const* begin, std::int64_t bytes)
  {
    return sum(written(), static_cast<char const*>(begin), bytes);
  }

  template <class T>
  static T const& reading(T const* p)
  {
    std::lock_guard const lock(mutex());
    read()[reinterpret_cast<char const*>(p)] = sizeof(T);
    return *p;
  }
  template <class T>
  static T& writing(T* p)
  {
    std::lock_guard const lock(mutex());
    written()[reinterpret_cast<char const*>(p)] = sizeof(T);
    return *p;
  }

private:
  using Elements = std::map<char const*, std::size_t>; ///< address, size

  static std::int64_t sum(Elements const& elements)
  {
    std::int64_t total = 0;
    for (auto const& [address, size] : elements)
      total += static_cast<std::int64_t>(size);
    return total;
  }
  static std::int64_t sum(Elements const& elements, char const* begin, std::int64_t bytes)
  {
    return sum({elements.lower_bound(begin), elements.lower_bound(begin + bytes)});
  }
  static Elements& read()
  {
    static Elements elements;
    return elements;
  }
  static Elements& written()
  {
    static Elements elements;
    return elements;
  }
  static std::mutex& mutex()
  {
    static std::mutex one;
    return one;
  }
};

/// Plain access that tells Touches.
struct AccessTouched
{
  static std::string name() { return "touched"; }
  template <class T>
  struct accessor
  {
    class Reference
    {
    public:
      explicit Reference(T* p)
          : p_(p)
      {
      }
      Reference(Reference const&) = default;
      operator T() const { return Touches::reading(p_); }
      Reference const& operator=(T value) const
      {
        Touches::writing(p_) = value;
        return *this;
      }
      Reference const& operator=(Reference const& other) const
      {
        return *this = static_cast<T>(other);
      }
      Reference const& operator+=(T value) const
      {
        return *this = static_cast<T>(*this) + value;
      }

    private:
      T* p_;
    };
    using element_type = T;
    using data_handle_type = T*;
    using offset_policy = accessor;
    using reference = std::conditional_t<std::is_const_v<T>, std::remove_const_t<T>, Reference>;

    static T* offset(T* p, std::size_t i) { return p + i; }
    static reference access(T* p, std::size_t i)
    {
      if constexpr (std::is_const_v<T>)
        return Touches::reading(p + i);
      else
        return reference(p + i);
    }
  };
};

} // namespace strata::testing
