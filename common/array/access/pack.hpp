#pragma once

#include "narrow_lanes.hpp"

#include "../../base/kokkos.hpp"
#include "../../base/lanes.hpp"
#include "../../base/types.hpp"

#include <algorithm>
#include <type_traits>

namespace strata {

/// W neighbouring elements handled as one value: a 16-byte access on a GPU, a vector register
/// on a CPU. A kernel written for one element computes on packs when called with a PackIndex.
template <class T, int W>
struct alignas(sizeof(T) * W) Pack
{
  static_assert(W > 1 && (W & (W - 1)) == 0, "a power of two");
  using value_type = T;
  using Lane = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;
  static constexpr int width = W;

#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
  // The compiler's vector type guarantees one register, which a loop over an array does not.
  // There is no vector type of bool.
  typedef Lane Lanes __attribute__((vector_size(sizeof(T) * W))); // NOLINT(modernize-use-using)
  template <class F>
  static Pack zip(Pack a, Pack b, F f)
  {
    Pack c;
    c.lane = f(a.lane, b.lane);
    return c;
  }
#else
  using Lanes = Lane[W];
  template <class F>
  static KOKKOS_FUNCTION Pack zip(Pack a, Pack b, F f)
  {
    Pack c;
    for (int w = 0; w < W; ++w)
      c.lane[w] = f(a.lane[w], b.lane[w]);
    return c;
  }
#endif

  Lanes lane;

  KOKKOS_DEFAULTED_FUNCTION Pack() = default;
  KOKKOS_FUNCTION Pack(T scalar) // implicit, so that `s * pack` reads as it does for scalars
  {
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
    // GCC 12 compiles this to one broadcast, and a loop to W of them.
    lane = static_cast<Lane>(scalar) - Lanes{};
#else
    for (int w = 0; w < W; ++w)
      lane[w] = scalar;
#endif
  }

  friend KOKKOS_FUNCTION Pack operator+(Pack a, Pack b)
  {
    return zip(a, b, [](auto x, auto y) { return x + y; });
  }
  friend KOKKOS_FUNCTION Pack operator-(Pack a, Pack b)
  {
    return zip(a, b, [](auto x, auto y) { return x - y; });
  }
  friend KOKKOS_FUNCTION Pack operator*(Pack a, Pack b)
  {
    return zip(a, b, [](auto x, auto y) { return x * y; });
  }
  KOKKOS_FUNCTION Pack& operator+=(Pack b) { return *this = *this + b; }
};

/// W narrow numbers as they are stored. Kernels see them widened, as a pack of floats.
template <class Format, int W>
struct alignas(sizeof(std::uint16_t) * W) Pack<NarrowFloat<Format>, W>
{
  using value_type = NarrowFloat<Format>;
  static constexpr int width = W;
#if defined(STRATA_LANES)
  typename detail::NarrowLanes<W>::Narrow lane;
#else
  std::uint16_t lane[W];
#endif
};

/// The pack with which kernels compute, of one that is stored.
template <class Stored>
KOKKOS_FUNCTION Stored widened(Stored stored)
{
  return stored;
}
template <class Format, int W>
KOKKOS_FUNCTION Pack<float, W> widened(Pack<NarrowFloat<Format>, W> stored)
{
  Pack<float, W> values;
#if defined(STRATA_LANES)
  detail::widen<W>(Format(), stored.lane, values.lane);
#else
  for (int w = 0; w < W; ++w)
    values.lane[w] = Format::widened(stored.lane[w]);
#endif
  return values;
}

/// The pack that is stored as elements of type T, of one with which kernels compute.
template <class T, class Values>
KOKKOS_FUNCTION auto stored_as(Values values)
{
  if constexpr (is_narrow<T>) {
    Pack<std::remove_const_t<T>, Values::width> stored;
#if defined(STRATA_LANES)
    detail::round<Values::width>(typename T::format(), values.lane, stored.lane);
#else
    for (int w = 0; w < Values::width; ++w)
      stored.lane[w] = T::format::rounded(values.lane[w]);
#endif
    return stored;
  } else
    return values;
}

/// `value` converted to element type U; a pack of narrow U is one of floats until it is stored.
/// Kernels call it for elements and packs alike.
template <class U, class T>
  requires std::is_convertible_v<T, U>
KOKKOS_FUNCTION U convert(T const& value)
{
  return static_cast<U>(value);
}
template <class U, class T, int W>
KOKKOS_FUNCTION Pack<computed_t<U>, W> convert(Pack<T, W> value)
{
  using To = computed_t<U>;
  if constexpr (std::is_same_v<To, T>)
    return value;
  else {
    Pack<To, W> converted;
    for (int w = 0; w < W; ++w)
      converted.lane[w] = static_cast<To>(value.lane[w]);
    return converted;
  }
}

/// Sum over the lanes; a scalar is its own sum.
template <class T>
KOKKOS_FUNCTION T lane_sum(T value)
{
  return value;
}
template <class T, int W>
KOKKOS_FUNCTION T lane_sum(Pack<T, W> value)
{
  T sum = value.lane[0];
  for (int w = 1; w < W; ++w)
    sum += value.lane[w];
  return sum;
}

/// Names W neighbouring indices.
template <int W>
struct PackIndex
{
  index_t first;
};

/// How many elements ahead a LeadingIndex prefetches: four cache lines of doubles, by
/// measurement (results/xeon-16/limits.md, hexgrad).
inline constexpr int elements_ahead = 32;

/// A PackIndex that also prefetches the pack that begins `elements_ahead` elements further on.
template <int W>
struct LeadingIndex : PackIndex<W>
{
};

namespace detail {

template <class T, class I>
struct ValueAt
{
  using type = T;
};
template <class T, int W>
struct ValueAt<T, PackIndex<W>>
{
  using type = Pack<T, W>;
};
template <class T, int W>
struct ValueAt<T, LeadingIndex<W>> : ValueAt<T, PackIndex<W>>
{
};

} // namespace detail

/// What kernels compute with, of an access with an index of type I to an array of T: T (float
/// where that is narrow), or a Pack of it.
template <class T, class I>
using ValueAt = typename detail::ValueAt<computed_t<T>, I>::type;

/// Bytes of one access that reach the device's full rate: 16 on a GPU (its widest access), a
/// cache line on a CPU.
template <class Execution = Device>
inline constexpr int access_bytes =
    Kokkos::SpaceAccessibility<HostSpace, typename Execution::memory_space>::accessible ? 64
                                                                                        : 16;

/// The same for kernels that do little but write: half a cache line on a CPU, as compilers do,
/// because some processors store whole lines at a lower rate.
template <class Execution = Device>
inline constexpr int write_bytes = std::min(access_bytes<Execution>, 32);

namespace detail {

/// Elements of T that `bytes` hold, and whose values one vector register holds.
template <class T>
constexpr int held_by(int bytes)
{
  return std::min(bytes / static_cast<int>(sizeof(T)),
                  register_bytes / static_cast<int>(sizeof(computed_t<T>)));
}

} // namespace detail

/// Elements of a pack: those of one access, on a CPU at most one vector register, since GCC 12
/// keeps sums of wider packs in memory.
template <class T, class Execution = Device>
inline constexpr int pack_width = detail::held_by<T>(access_bytes<Execution>);

/// The same where a kernel does little but write.
template <class T, class Execution = Device>
inline constexpr int write_width = detail::held_by<T>(write_bytes<Execution>);

} // namespace strata
