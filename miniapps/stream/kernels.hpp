#pragma once

#include "array/elementwise.hpp"
#include "base/kokkos.hpp"

#include <tuple>

// The streaming kernels that the core does not have already (Set, Copy, Triad and Sum are
// array/elementwise.hpp's), each written once for every rank, layout, access rule and device.
// Based on variants of the STREAM and BabelStream benchmark code.

namespace strata::stream {

/// b = s·c
template <class B, class C>
struct Scale
{
  static constexpr char const* name() { return "strata::stream::Scale"; }
  static constexpr int flops = 1;
  B b;
  C c;
  typename B::value_type s;

  template <class... I>
  KOKKOS_FUNCTION void operator()(I... i) const
  {
    b(i...) = s * c(i...);
  }
  [[nodiscard]] auto reads() const { return std::tuple(c); }
  [[nodiscard]] auto writes() const { return std::tuple(b); }
};

/// c = a + b
template <class A, class B, class C>
struct Add
{
  static constexpr char const* name() { return "strata::stream::Add"; }
  static constexpr int flops = 1;
  A a;
  B b;
  C c;

  template <class... I>
  KOKKOS_FUNCTION void operator()(I... i) const
  {
    c(i...) = a(i...) + b(i...);
  }
  [[nodiscard]] auto reads() const { return std::tuple(a, b); }
  [[nodiscard]] auto writes() const { return std::tuple(c); }
};

/// a += b + s·c
template <class A, class B, class C>
struct Nstream
{
  static constexpr char const* name() { return "strata::stream::Nstream"; }
  static constexpr int flops = 3;
  A a;
  B b;
  C c;
  typename A::value_type s;

  template <class... I>
  KOKKOS_FUNCTION void operator()(I... i) const
  {
    a(i...) += b(i...) + s * c(i...);
  }
  [[nodiscard]] auto reads() const { return std::tuple(a, b, c); }
  [[nodiscard]] auto writes() const { return std::tuple(a); }
};

/// Σ a·b, in double whatever the scalar: the products of two floats are exact there.
template <class A, class B>
struct Dot
{
  static constexpr char const* name() { return "strata::stream::Dot"; }
  static constexpr int flops = 2;
  A a;
  B b;

  template <class S, class... I>
  KOKKOS_FUNCTION void operator()(S& sum, I... i) const
  {
    sum += convert<double>(a(i...)) * convert<double>(b(i...));
  }
  [[nodiscard]] auto reads() const { return std::tuple(a, b); }
  [[nodiscard]] auto writes() const { return std::tuple<>(); }
};

} // namespace strata::stream
