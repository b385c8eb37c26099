#pragma once

#include "../../base/kokkos.hpp"
#include "../../base/lanes.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#if defined(STRATA_LANES) && defined(__F16C__)
#include <immintrin.h>
#endif

// Floating-point numbers of two bytes. They are stored only: they convert to float and from it,
// and arithmetic with them is float's. The C++ standard has them from C++23 on, Kokkos on some
// devices.

namespace strata {

/// A number of two bytes; Format tells which float its bits are. Conversion to float is exact;
/// conversion from float rounds to the nearest number, of two equally near ones to the even
/// one, and to infinity beyond the largest.
template <class Format>
class NarrowFloat
{
public:
  using format = Format;

  KOKKOS_DEFAULTED_FUNCTION NarrowFloat() = default;
  // Both are implicit, so that a kernel written for floats computes with it.
  KOKKOS_FUNCTION NarrowFloat(float value)
      : bits_(Format::rounded(value))
  {
  }
  KOKKOS_FUNCTION operator float() const { return Format::widened(bits_); }

  KOKKOS_FUNCTION NarrowFloat& operator+=(float value) { return *this = *this + value; }
  KOKKOS_FUNCTION NarrowFloat& operator-=(float value) { return *this = *this - value; }
  KOKKOS_FUNCTION NarrowFloat& operator*=(float value) { return *this = *this * value; }
  KOKKOS_FUNCTION NarrowFloat& operator/=(float value) { return *this = *this / value; }

  static KOKKOS_FUNCTION constexpr NarrowFloat of_bits(std::uint16_t bits)
  {
    return NarrowFloat(bits, Bits());
  }
  [[nodiscard]] KOKKOS_FUNCTION constexpr std::uint16_t bits() const { return bits_; }

private:
  struct Bits
  {
  };
  KOKKOS_FUNCTION constexpr NarrowFloat(std::uint16_t bits, Bits)
      : bits_(bits)
  {
  }
  std::uint16_t bits_;
};

namespace detail {

KOKKOS_FUNCTION inline std::uint32_t bits_of(float value)
{
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}
KOKKOS_FUNCTION inline float float_of(std::uint32_t bits)
{
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// A float's sign, 8 bits of exponent and 23 of mantissa.
inline constexpr std::uint32_t float_sign = 0x80000000U;
inline constexpr std::uint32_t float_infinity = 0x7f800000U;
inline constexpr int float_mantissa = 23;

/// IEEE 754's binary16: a sign, 5 bits of exponent and 10 of mantissa.
struct Binary16
{
  static constexpr int digits = 11;
  static constexpr std::uint16_t epsilon = 0x1400;
  static constexpr std::uint16_t least = 0x0400;
  static constexpr std::uint16_t largest = 0x7bff;
  static constexpr std::uint16_t infinity = 0x7c00;
  static constexpr std::uint16_t nan = 0x7e00;

  static KOKKOS_FUNCTION float widened(std::uint16_t bits)
  {
#if defined(__CUDA_ARCH__)
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
#elif defined(__F16C__) && defined(STRATA_LANES)
    return _cvtsh_ss(bits);
#else
    return widened_by_bits(bits);
#endif
  }
  static KOKKOS_FUNCTION std::uint16_t rounded(float value)
  {
#if defined(__CUDA_ARCH__)
    std::uint16_t bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
#elif defined(__F16C__) && defined(STRATA_LANES)
    return _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT);
#else
    return rounded_by_bits(value);
#endif
  }

  // Where no instruction is known.

  static KOKKOS_FUNCTION float widened_by_bits(std::uint16_t bits)
  {
    std::uint32_t const sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
    std::uint32_t const size = static_cast<std::uint32_t>(bits & 0x7fffU) << mantissa_bits_less;
    if ((bits & 0x7c00U) == infinity)
      return float_of(sign | float_infinity | size);
    // The smaller bias of the exponent, also of subnormal numbers.
    return float_of(sign | bits_of(float_of(size) * 0x1p112F));
  }
  static KOKKOS_FUNCTION std::uint16_t rounded_by_bits(float value)
  {
    std::uint32_t const sign = bits_of(value) & float_sign;
    std::uint32_t const size = bits_of(value) ^ sign;
    std::uint32_t rounded = 0;
    if (size > float_infinity)
      rounded = nan | (size >> mantissa_bits_less & 0x3ffU);
    else if (size >= bits_of(0x1p16F))
      rounded = infinity;
    else if (size < bits_of(0x1p-14F)) // subnormal: a sum with 1/2 rounds to its last place
      rounded = bits_of(float_of(size) + 0.5F) - bits_of(0.5F);
    else
      rounded =
          (size - (112U << float_mantissa) + 0xfffU + (size >> mantissa_bits_less & 1U)) >>
          mantissa_bits_less;
    return static_cast<std::uint16_t>(sign >> 16 | rounded);
  }

private:
  static constexpr int mantissa_bits_less = float_mantissa - (digits - 1);
};

/// The upper half of a float: a sign, 8 bits of exponent and 7 of mantissa.
struct Brain16
{
  static constexpr int digits = 8;
  static constexpr std::uint16_t epsilon = 0x3c00;
  static constexpr std::uint16_t least = 0x0080;
  static constexpr std::uint16_t largest = 0x7f7f;
  static constexpr std::uint16_t infinity = 0x7f80;
  static constexpr std::uint16_t nan = 0x7fc0;

  static KOKKOS_FUNCTION float widened(std::uint16_t bits)
  {
    return float_of(static_cast<std::uint32_t>(bits) << 16);
  }
  static KOKKOS_FUNCTION std::uint16_t rounded(float value)
  {
    std::uint32_t const bits = bits_of(value);
    if ((bits & ~float_sign) > float_infinity)
      return static_cast<std::uint16_t>(bits >> 16 | 0x40U);
    return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
  }
};

template <class T>
struct Computed
{
  using type = T;
};
template <class Format>
struct Computed<NarrowFloat<Format>>
{
  using type = float;
};

} // namespace detail

/// 11 significant bits, from 6e-8 to 65,504.
using float16 = NarrowFloat<detail::Binary16>;
/// 8 significant bits and the range of float.
using bfloat16 = NarrowFloat<detail::Brain16>;

/// The type in which kernels compute with elements of type T: float for narrow ones, else T.
template <class T>
using computed_t = typename detail::Computed<std::remove_const_t<T>>::type;

template <class T>
inline constexpr bool is_narrow = !std::is_same_v<computed_t<T>, std::remove_const_t<T>>;

} // namespace strata

template <class Format>
struct std::numeric_limits<strata::NarrowFloat<Format>>
{
  using T = strata::NarrowFloat<Format>;
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr int digits = Format::digits;
  static constexpr int radix = 2;
  static KOKKOS_FUNCTION constexpr T min() noexcept { return T::of_bits(Format::least); }
  static KOKKOS_FUNCTION constexpr T max() noexcept { return T::of_bits(Format::largest); }
  static KOKKOS_FUNCTION constexpr T lowest() noexcept
  {
    return T::of_bits(0x8000U | Format::largest);
  }
  static KOKKOS_FUNCTION constexpr T epsilon() noexcept { return T::of_bits(Format::epsilon); }
  static KOKKOS_FUNCTION constexpr T infinity() noexcept
  {
    return T::of_bits(Format::infinity);
  }
  // NOLINTNEXTLINE(readability-identifier-naming): the standard's
  static KOKKOS_FUNCTION constexpr T quiet_NaN() noexcept { return T::of_bits(Format::nan); }
};
