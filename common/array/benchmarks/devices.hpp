#pragma once

// Where a kernel runs. A device visits work items, with or without a sum; `edge` is that of its
// cubes and `matrices`, `rows` how many of each it gets: what fits a processor's caches, and
// more on a GPU, whose threads want work. None is a power of two.

#include "base/kokkos.hpp"
#include "base/types.hpp"

namespace strata::bench {

struct OnSerial
{
  static constexpr char const* name = "serial";
  static constexpr bool is_gpu = false;
  static constexpr index_t edge = 100, matrices = 50021, rows = 30011;
  using Space = HostSpace;

  template <class Item>
  static void each(index_t begin, index_t end, Item const& item)
  {
    for (index_t i = begin; i < end; ++i)
      item(i);
  }
  template <class Item>
  static void sum(index_t begin, index_t end, Item const& item, int* result)
  {
    int total = 0;
    for (index_t i = begin; i < end; ++i)
      item(i, total);
    *result = total;
  }
  static void wait() {}
};

template <class Execution>
struct OnKokkos
{
  using Space = typename Execution::memory_space;
  using Policy = Kokkos::RangePolicy<Execution, Kokkos::IndexType<index_t>>;

  template <class Item>
  static void each(index_t begin, index_t end, Item const& item)
  {
    Kokkos::parallel_for("strata::bench::each", Policy(begin, end), item);
  }
  template <class Item>
  static void sum(index_t begin, index_t end, Item const& item, int* result)
  {
    Kokkos::View<int, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const into(result);
    Kokkos::parallel_reduce("strata::bench::sum", Policy(begin, end), item, into);
  }
  static void wait() { Execution().fence(); }
};

struct OnThreads : OnKokkos<Host>
{
  static constexpr char const* name = "threads";
  static constexpr bool is_gpu = false;
  static constexpr index_t edge = OnSerial::edge, matrices = OnSerial::matrices,
                           rows = OnSerial::rows;
};

struct OnGpu : OnKokkos<Device>
{
  static constexpr char const* name = "gpu";
  static constexpr bool is_gpu = true;
  static constexpr index_t edge = 400, matrices = 5000011, rows = 1000003;
};

/// Calls f(device) for each that this Kokkos has.
template <class F>
void each_device(F const& f)
{
  f(OnSerial{});
  if constexpr (!host_is_serial)
    f(OnThreads{});
  if constexpr (!device_is_host)
    f(OnGpu{});
}

} // namespace strata::bench
