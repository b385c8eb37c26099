#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

// Host only. Work models are held against what kernels really do: a kernel whose spans are of
// Counted scalars tells how many operations it made.

namespace strata::testing {

/// Operations on all Counted scalars since the last `restart`, by any thread.
class Operations
{
public:
  static void restart()
  {
    counts().additions = 0;
    counts().products = 0;
  }
  /// Additions and subtractions.
  static std::int64_t additions() { return counts().additions; }
  static std::int64_t products() { return counts().products; }
  static std::int64_t all() { return additions() + products(); }

  static void add() { ++counts().additions; }
  static void multiply() { ++counts().products; }

private:
  struct Counts
  {
    std::atomic<std::int64_t> additions{0};
    std::atomic<std::int64_t> products{0};
  };
  static Counts& counts()
  {
    static Counts all;
    return all;
  }
};

/// A scalar that counts its operations; trivially copyable and as large as T.
template <class T>
struct Counted
{
  T value;

  Counted() = default;
  Counted(T v)
      : value(v)
  {
  } // implicit, as from a literal

  friend Counted operator+(Counted a, Counted b)
  {
    Operations::add();
    return {a.value + b.value};
  }
  friend Counted operator-(Counted a, Counted b)
  {
    Operations::add();
    return {a.value - b.value};
  }
  friend Counted operator*(Counted a, Counted b)
  {
    Operations::multiply();
    return {a.value * b.value};
  }
  Counted& operator+=(Counted b) { return *this = *this + b; }
};
static_assert(std::is_trivially_copyable_v<Counted<double>> && sizeof(Counted<double>) == 8);

namespace detail {

template <class U>
struct AsCounted
{
  using type = Counted<U>;
};
template <class U>
struct AsCounted<Counted<U>>
{
  using type = Counted<U>;
};

} // namespace detail

/// Found by kernels in place of the core's `convert`: the result still counts, also where U is
/// a plain scalar. A conversion is no operation.
template <class U, class T>
auto convert(Counted<T> from)
{
  using To = typename detail::AsCounted<U>::type;
  return To(static_cast<decltype(To::value)>(from.value));
}

} // namespace strata::testing
