#pragma once

#include "async_copy.hpp"

#include "../kokkos.hpp"

#include <cstddef>

namespace strata {

/// Values of rows that a member of a team copies to scratch memory while it works on the rows
/// before: what is on its way takes no registers. Each member has slots of its own, so that
/// none waits for another. A slot of a stage is read only after it was copied. On an NVIDIA GPU
/// the kernel declares `compute_capability = 80`; a host copies at once.
template <class V, int Slots, int Members>
class StagedValues
{
public:
  static constexpr int stages = 2;
  static constexpr std::size_t bytes = std::size_t{stages} * Slots * Members * sizeof(V);

  KOKKOS_FUNCTION StagedValues(void* memory, int member)
      : mine_(static_cast<V*>(memory) + member)
  {
  }
  /// Starts copying the value that begins at `from`.
  template <class T>
  KOKKOS_FUNCTION void copy(int stage, int slot, T const* from) const
  {
    V* const to = mine_ + (stage * Slots + slot) * Members;
#if defined(__CUDA_ARCH__)
    nvidia::copy_async<sizeof(V)>(to, from);
#else
    *to = *reinterpret_cast<V const*>(from);
#endif
  }
  /// Ends a stage: those copies that were started since the last one.
  KOKKOS_FUNCTION void end_stage() const
  {
#if defined(__CUDA_ARCH__)
    nvidia::end_copies();
#endif
  }
  /// Waits for all stages but the last.
  KOKKOS_FUNCTION void await_stage() const
  {
#if defined(__CUDA_ARCH__)
    nvidia::await_copies<stages - 1>();
#endif
  }

  /// The values of a stage; the column that a slot has is not needed.
  class Stage
  {
  public:
    KOKKOS_FUNCTION explicit Stage(V const* first)
        : first_(first)
    {
    }
    template <class K>
    KOKKOS_FUNCTION V operator()(int slot, K) const
    {
      return first_[slot * Members];
    }

  private:
    V const* first_;
  };
  [[nodiscard]] KOKKOS_FUNCTION Stage stage(int number) const
  {
    return Stage(mine_ + number * Slots * Members);
  }

private:
  V* mine_;
};

} // namespace strata
