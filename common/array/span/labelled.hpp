#pragma once

#include "../../base/kokkos.hpp"

namespace strata {

/// True in debug builds: every element access checks its indices.
#if defined(STRATA_BOUNDS_CHECK)
inline constexpr bool bounds_checked = true;
#else
inline constexpr bool bounds_checked = false;
#endif

namespace detail {

/// In debug builds the first characters of an array's label, for messages from kernels.
class Labelled
{
public:
#if defined(STRATA_BOUNDS_CHECK)
  KOKKOS_FUNCTION char const* label() const { return label_; }

protected:
  KOKKOS_DEFAULTED_FUNCTION Labelled() = default;
  KOKKOS_FUNCTION explicit Labelled(char const* label)
  {
    for (int at = 0; at + 1 < int(sizeof label_) && label[at] != '\0'; ++at)
      label_[at] = label[at];
  }

private:
  char label_[24] = {};
#else
  KOKKOS_FUNCTION char const* label() const { return ""; }

protected:
  KOKKOS_DEFAULTED_FUNCTION Labelled() = default;
  KOKKOS_FUNCTION explicit Labelled(char const*) {}
#endif
};

} // namespace detail

} // namespace strata
