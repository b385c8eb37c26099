#pragma once

#include "base/kokkos.hpp"

#include <cstdint>
#include <memory>

namespace strata::testing {

/// Counts the fences of all of Kokkos (Kokkos::fence) while it lives, those of spaces without
/// asynchronous launches among them. One at a time.
class Fences
{
public:
#if KOKKOS_VERSION >= 30500
  Fences()
  {
    seen() = 0;
    Kokkos::Tools::Experimental::set_begin_fence_callback(
        [](char const*, std::uint32_t, std::uint64_t*) { ++seen(); });
  }
  ~Fences() { Kokkos::Tools::Experimental::set_begin_fence_callback(nullptr); }
#else
  // Tools hear of no host's fence yet; every space that is known is told to fence.
  Fences()
  {
    [[maybe_unused]] static int const registered =
        Kokkos::Impl::initialize_space_factory<Space>("strata::testing::Fences");
    seen() = 0;
  }
#endif
  Fences(Fences const&) = delete;
  Fences& operator=(Fences const&) = delete;

  /// Since the last of them was made.
  static int& seen()
  {
    static int count = 0;
    return count;
  }

private:
#if KOKKOS_VERSION < 30500
  struct Space final : Kokkos::Impl::ExecSpaceInitializerBase
  {
    void initialize(Kokkos::InitArguments const&) override {}
    void finalize(bool) override {}
    void fence() override { ++seen(); }
    void print_configuration(std::ostream&, bool) override {}
  };
#endif
};

} // namespace strata::testing
