#pragma once

#include "reference.hpp"

#include "array/launch/elementwise.hpp"
#include "array/launch/for_each.hpp"
#include "measure/work.hpp"

// The streaming kernels of array/launch/elementwise.hpp by name, on the fields of this app.

namespace strata::stream {

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

/// The packs over which a kernel is launched where neighbours are contiguous in Layout. Sums
/// are doubles: on a host a pack has as many elements as a register has of these, since GCC 12
/// keeps wider sums in memory.
template <KernelId Id, class T, class Layout>
constexpr auto kernel_packs()
{
  if constexpr (is_sum(Id))
    return widest_packs<std::conditional_t<device_is_host, double, T>, Layout>;
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
