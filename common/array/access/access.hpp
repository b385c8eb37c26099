#pragma once

#include "accessor.hpp"
#include "atomic.hpp"
#include "plain.hpp"
#include "streaming.hpp"

#include "../../base/kokkos.hpp"

#include <cstddef>

namespace strata {

/// Proxy for a pack in memory, returned by a span of mutable elements for a PackIndex. Narrow
/// numbers are widened when it is read and rounded when it is written.
template <class Accessor, int W>
class PackReference
{
  using Handle = typename Accessor::data_handle_type;
  using Stored = decltype(Accessor::template load<W>(Handle(), std::size_t()));
  using Value = decltype(widened(Stored()));

public:
  KOKKOS_FUNCTION PackReference(Handle p, std::size_t offset)
      : p_(p)
      , offset_(offset)
  {
  }
  KOKKOS_DEFAULTED_FUNCTION PackReference(PackReference const&) = default;

  KOKKOS_FUNCTION operator Value() const
  {
    return widened(Accessor::template load<W>(p_, offset_));
  }
  KOKKOS_FUNCTION PackReference const& operator=(Value value) const
  {
    Accessor::template store<W>(p_, offset_, stored_as<typename Accessor::element_type>(value));
    return *this;
  }
  KOKKOS_FUNCTION PackReference const& operator=(PackReference const& other) const
  {
    return *this = static_cast<Value>(other);
  }
  KOKKOS_FUNCTION PackReference const& operator+=(Value value) const
  {
    return *this = static_cast<Value>(*this) + value;
  }

private:
  Handle p_;
  std::size_t offset_;
};

/// Whether an access rule can move whole packs.
template <class Access, class T>
concept Packable = requires(typename Access::template accessor<T>::data_handle_type p) {
  Access::template accessor<T>::template load<2>(p, std::size_t{});
};

} // namespace strata
