#pragma once

#include "reference.hpp"

#include "base/kokkos.hpp"

#include <tuple>

namespace strata::appname {

inline constexpr int scale_flops = 1; ///< per element

/// y = a·x
template <class X, class Y>
struct Scale
{
  static constexpr char const* name() { return "strata::appname::Scale"; }
  static constexpr int flops = scale_flops;
  X x;
  Y y;
  typename Y::value_type a;

  template <class I>
  KOKKOS_FUNCTION void operator()(I i) const
  {
    y(i) = a * x(i);
  }
  [[nodiscard]] auto reads() const { return std::tuple(x); }
  [[nodiscard]] auto writes() const { return std::tuple(y); }
};

/// x = its initial values
template <class X>
struct Initialise
{
  static constexpr char const* name() { return "strata::appname::Initialise"; }
  X x;
  index_t first; ///< global index of this rank's first element

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    x(i) = static_cast<typename X::value_type>(initial(first + i));
  }
};

} // namespace strata::appname
