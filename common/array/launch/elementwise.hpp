#pragma once

#include "../../base/kokkos.hpp"
#include "../access/narrow.hpp"
#include "../access/pack.hpp"

#include <tuple>

namespace strata {

// The streaming kernels, on arrays of any rank, layout and access rule, each written once for
// all devices. Each names its operands, from which traffic is counted (measure/work.hpp). Based
// on variants of the STREAM and BabelStream benchmark code.

/// a = value
template <class A>
struct Set
{
  static constexpr char const* name() { return "strata::Set"; }
  static constexpr int flops = 0; ///< per element
  A a;
  computed_t<typename A::value_type> value;

  template <class... I>
  KOKKOS_FUNCTION void operator()(I... i) const
  {
    a(i...) = value;
  }
  [[nodiscard]] auto reads() const { return std::tuple<>(); }
  [[nodiscard]] auto writes() const { return std::tuple(a); }
};

/// c = a, converted to c's scalar
template <class A, class C>
struct Copy
{
  static constexpr char const* name() { return "strata::Copy"; }
  static constexpr int flops = 0;
  A a;
  C c;

  template <class... I>
  KOKKOS_FUNCTION void operator()(I... i) const
  {
    c(i...) = convert<typename C::value_type>(a(i...));
  }
  [[nodiscard]] auto reads() const { return std::tuple(a); }
  [[nodiscard]] auto writes() const { return std::tuple(c); }
};

/// b = s·c
template <class B, class C>
struct Scale
{
  static constexpr char const* name() { return "strata::Scale"; }
  static constexpr int flops = 1;
  B b;
  C c;
  computed_t<typename B::value_type> s;

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
  static constexpr char const* name() { return "strata::Add"; }
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

/// a = b + s·c
template <class A, class B, class C>
struct Triad
{
  static constexpr char const* name() { return "strata::Triad"; }
  static constexpr int flops = 2;
  A a;
  B b;
  C c;
  computed_t<typename A::value_type> s;

  template <class... I>
  KOKKOS_FUNCTION void operator()(I... i) const
  {
    a(i...) = b(i...) + s * c(i...);
  }
  [[nodiscard]] auto reads() const { return std::tuple(b, c); }
  [[nodiscard]] auto writes() const { return std::tuple(a); }
};

/// a += b + s·c
template <class A, class B, class C>
struct Nstream
{
  static constexpr char const* name() { return "strata::Nstream"; }
  static constexpr int flops = 3;
  A a;
  B b;
  C c;
  computed_t<typename A::value_type> s;

  template <class... I>
  KOKKOS_FUNCTION void operator()(I... i) const
  {
    a(i...) += b(i...) + s * c(i...);
  }
  [[nodiscard]] auto reads() const { return std::tuple(a, b, c); }
  [[nodiscard]] auto writes() const { return std::tuple(a); }
};

/// Σ a·b, in double whatever the scalar: products of floats are exact there. Those of numbers
/// of two bytes are exact in float already, but for bfloat16's beyond its range.
template <class A, class B>
struct Dot
{
  static constexpr char const* name() { return "strata::Dot"; }
  static constexpr int flops = 2;
  A a;
  B b;

  template <class S, class... I>
  KOKKOS_FUNCTION void operator()(S& sum, I... i) const
  {
    if constexpr (is_narrow<typename A::value_type> && is_narrow<typename B::value_type>)
      sum += convert<double>(a(i...) * b(i...));
    else
      sum += convert<double>(a(i...)) * convert<double>(b(i...));
  }
  [[nodiscard]] auto reads() const { return std::tuple(a, b); }
  [[nodiscard]] auto writes() const { return std::tuple<>(); }
};

/// Σ a, accumulated in double for any scalar type: a float sum would lose the digits that a
/// check compares.
template <class A>
struct Sum
{
  static constexpr char const* name() { return "strata::Sum"; }
  static constexpr int flops = 1;
  A a;

  template <class S, class... I>
  KOKKOS_FUNCTION void operator()(S& sum, I... i) const
  {
    sum += convert<double>(a(i...));
  }
  [[nodiscard]] auto reads() const { return std::tuple(a); }
  [[nodiscard]] auto writes() const { return std::tuple<>(); }
};

} // namespace strata
