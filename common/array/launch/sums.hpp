#pragma once

#include "../../base/kokkos.hpp"
#include "../access/pack.hpp"

namespace strata {

/// N sums of one reduction, passed to `reduce` as its Sum. A kernel adds to `sums[n]`; launched
/// over packs, it gets sums of packs.
template <class T, int N>
struct Sums
{
  using value_type = T;
  static constexpr int size = N;
  T value[N] = {};

  KOKKOS_FUNCTION T& operator[](int n) { return value[n]; }
  KOKKOS_FUNCTION T const& operator[](int n) const { return value[n]; }
  KOKKOS_FUNCTION Sums& operator+=(Sums const& other)
  {
    for (int n = 0; n < N; ++n)
      value[n] += other.value[n];
    return *this;
  }
};

/// Each sum's lanes added up.
template <class T, int W, int N>
KOKKOS_FUNCTION Sums<T, N> lane_sum(Sums<Pack<T, W>, N> const& packs)
{
  Sums<T, N> sums;
  for (int n = 0; n < N; ++n)
    sums[n] = lane_sum(packs[n]);
  return sums;
}

namespace detail {

/// The partial sums of a work item of W elements: one per lane, added up at the end by
/// `lane_sum`.
template <class Sum, int W>
struct PartialSum
{
  using type = Pack<Sum, W>;
};
template <class Sum>
struct PartialSum<Sum, 1>
{
  using type = Sum;
};
template <class T, int N, int W>
  requires(W > 1)
struct PartialSum<Sums<T, N>, W>
{
  using type = Sums<Pack<T, W>, N>;
};

/// Number of independent partial sums, which hide the latency of additions and loads. Several
/// sums are independent already.
template <class Sum>
constexpr index_t chains(index_t wanted)
{
  return sizeof(Sum) > 2 * sizeof(double) ? 1 : wanted;
}

/// Steps that a GPU's thread has in flight: eight, or four where packs are so wide that the
/// partial sums of eight have no room in its 128 registers.
template <class Sum, int W>
inline constexpr index_t steps_in_flight = chains<Sum>(W > 4 ? 4 : 8);

} // namespace detail

} // namespace strata
