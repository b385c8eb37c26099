#pragma once

#include "reference.hpp"

#include "array/launch/elementwise.hpp"
#include "array/launch/for_each.hpp"
#include "base/kokkos.hpp"
#include "measure/work.hpp"

#include <tuple>

// The streaming kernels that the core does not have already (Set, Copy, Triad and Sum are
// array/launch/elementwise.hpp's), each written once for every rank, layout, access rule and
// device. Based on variants of the STREAM and BabelStream benchmark code.

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

/// Kernel `Id` on the operands that `write(field)` and `read(field)` return.
template <KernelId Id, class Write, class Read, class T>
auto make_kernel(Write const& write, Read const& read, T s)
{
  using W = decltype(write(Field::a));
  using R = decltype(read(Field::a));
  if constexpr (Id == KernelId::set)
    return Set<W>{write(Field::a), s};
  else if constexpr (Id == KernelId::copy)
    return Copy<R, W>{read(Field::a), write(Field::c)};
  else if constexpr (Id == KernelId::scale)
    return Scale<W, R>{write(Field::b), read(Field::c), s};
  else if constexpr (Id == KernelId::add)
    return Add<R, R, W>{read(Field::a), read(Field::b), write(Field::c)};
  else if constexpr (Id == KernelId::triad)
    return Triad<W, R, R>{write(Field::a), read(Field::b), read(Field::c), s};
  else if constexpr (Id == KernelId::nstream)
    return Nstream<W, R, R>{write(Field::a), read(Field::b), read(Field::c), s};
  else if constexpr (Id == KernelId::dot)
    return Dot<R, R>{read(Field::a), read(Field::b)};
  else
    return Sum<R>{read(Field::a)};
}

/// The packs over which a kernel is launched where neighbours are contiguous in Layout.
template <KernelId Id, class T, class Layout>
constexpr auto kernel_packs()
{
  if constexpr (is_sum(Id))
    return widest_packs<T, Layout>;
  else
    return write_packs<T, Layout>;
}

/// Calls f<Id>() for the run-time `id`.
template <class F>
auto with_kernel(KernelId id, F const& f)
{
  switch (id) {
  case KernelId::set:
    return f.template operator()<KernelId::set>();
  case KernelId::copy:
    return f.template operator()<KernelId::copy>();
  case KernelId::scale:
    return f.template operator()<KernelId::scale>();
  case KernelId::add:
    return f.template operator()<KernelId::add>();
  case KernelId::triad:
    return f.template operator()<KernelId::triad>();
  case KernelId::nstream:
    return f.template operator()<KernelId::nstream>();
  case KernelId::dot:
    return f.template operator()<KernelId::dot>();
  default:
    return f.template operator()<KernelId::read>();
  }
}

/// Work of one step of `kernel` on arrays of `size` elements of type T.
template <class T>
measure::Work kernel_work(KernelId kernel, index_t size);

} // namespace strata::stream
