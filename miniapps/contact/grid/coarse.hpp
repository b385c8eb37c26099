#pragma once

#include "array/access/access.hpp"
#include "array/access/pack.hpp"
#include "base/bit_word.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

// Spheres in single precision: a test of two by them is exact, or says that it may not be.

namespace strata::contact {

/// Position and radius of a sphere, or of a point, in one aligned piece of memory: x, y and z
/// from a corner of the box of all, radius.
struct alignas(4 * sizeof(float)) Coarse
{
  float number[4];
};

/// Tests of spheres by their Coarse copies: by the sign of d² - s², where d is the distance of
/// two centres and s the sum of the radii and the gap. Where its magnitude is above `doubt`,
/// the sign is that of the same in exact numbers.
struct CoarseSpheres
{
  static constexpr int at_once = 4; ///< tests
  /// Objects that may be read behind the last: by each of 32 members, 32 apart.
  static constexpr int padding = 32 * at_once;

  Coarse const* objects;
  float gap;
  float doubt;

  /// The position of one, and its radius and the gap together.
  struct One
  {
    float number[4];
  };
  KOKKOS_FUNCTION One of(index_t i) const
  {
    auto const some = load(objects + i);
    return {{some.lane[0], some.lane[1], some.lane[2], some.lane[3] + gap}};
  }
  /// Sets a bit of `bits` for each of at most 28 objects from the first on that is near;
  /// returns whether there is no doubt about any. No branch depends on a single test.
  KOKKOS_FUNCTION bool near(One const& one, index_t first, int count, std::uint32_t& bits) const
  {
    Signs signs;
    Coarse const* from = objects + first;
    int tested = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (; tested < count; tested += at_once, from += at_once)
      for (int n = 0; n < at_once; ++n)
        signs.add(excess_of(one, load(from + n)));
    bits = signs.bits(tested) & ((std::uint32_t{1} << count) - 1);
    return signs.least > doubt;
  }

  /// N spheres in neighbouring slots.
  template <int N>
  struct Few
  {
    One one[N];
  };
  /// From the first one on; the last one in place of those behind it.
  template <int N>
  KOKKOS_FUNCTION Few<N> few(index_t first, index_t all) const
  {
    Few<N> some;
    for (int n = 0; n < N; ++n)
      some.one[n] = of(first + n < all ? first + n : all - 1);
    return some;
  }
  /// The same for each of a few and `count` objects, at most 32, whose numbers next() returns
  /// one after another. Returns a bit for each of the few that is in doubt about one. Calls
  /// next() up to `at_once - 1` times more; bits from `count` on have no meaning.
  template <int N, class Next>
  KOKKOS_FUNCTION std::uint32_t near(Few<N> const& few, int count, Next const& next,
                                     std::uint32_t (&bits)[N]) const
  {
    Signs signs[N];
    int tested = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (; tested < count; tested += at_once)
      for (int k = 0; k < at_once; ++k) {
        auto const other = load(objects + next());
        for (int n = 0; n < N; ++n)
          signs[n].add(excess_of(few.one[n], other));
      }
    std::uint32_t in_doubt = 0;
    for (int n = 0; n < N; ++n) {
      bits[n] = signs[n].bits(tested);
      in_doubt |= std::uint32_t{!(signs[n].least > doubt)} << n;
    }
    return in_doubt;
  }

private:
  /// Of numbers that are added one after another, and the least of their magnitudes.
  struct Signs
  {
    std::uint32_t signs = 0; ///< that of the last one is the lowest bit
    float least = HUGE_VALF;

    KOKKOS_FUNCTION void add(float excess)
    {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &excess, sizeof(excess));
      signs = signs << 1 | bits >> 31;
      least = fminf(least, fabsf(excess));
    }
    /// Those of all `count`, at most 32, the first one's the lowest.
    [[nodiscard]] KOKKOS_FUNCTION std::uint32_t bits(int count) const
    {
      return static_cast<std::uint32_t>(std::uint64_t{reversed(signs)} >> (32 - count));
    }
  };

  static KOKKOS_FUNCTION float excess_of(One const& one, Pack<float, 4> const& other)
  {
    float const x = other.lane[0] - one.number[0];
    float const y = other.lane[1] - one.number[1];
    float const z = other.lane[2] - one.number[2];
    float const reach = one.number[3] + other.lane[3];
    return fmaf(-reach, reach, fmaf(z, z, fmaf(y, y, x * x)));
  }
  static KOKKOS_FUNCTION Pack<float, 4> load(Coarse const* object)
  {
    return AccessReadOnly::accessor<float const>::load<4>(object->number, 0);
  }
};

/// For objects in a box of that size; the radii of any two and the gap are at most `reach`
/// together.
///
/// With u = 2^-24, the half of a unit in the last place of 1: a coordinate is off by u·size at
/// most, so that d is off by e = 2·√3·u·size, besides roundings relative to d; a sum of radii
/// and gap by 4·u·S, where S = |reach| + 2·|gap| is above each of these sums. If the true d and
/// s are on different sides of each other, |d² - s²| is at most 2·S·E + E² for E = e + 4·u·S,
/// and roundings of d² up to 4·S² and of s² are below 32·u·S²; a d² above that is off by less
/// than it is above s². Above 2^60, squares might have no number: all is doubted.
inline CoarseSpheres coarse_spheres(Coarse const* objects, double size, double reach,
                                    double gap)
{
  constexpr double u = 0x1p-24;
  double const largest = std::abs(reach) + 2 * std::abs(gap);
  double const off = 2 * std::sqrt(3.0) * u * size + 4 * u * largest;
  double const doubt =
      (2 * largest * off + off * off + 32 * u * largest * largest) * (1 + 0x1p-8) + 0x1p-120;
  bool const has_squares = size <= 0x1p60 && largest <= 0x1p60;
  return {objects, static_cast<float>(gap),
          has_squares ? static_cast<float>(doubt) : HUGE_VALF};
}

} // namespace strata::contact
