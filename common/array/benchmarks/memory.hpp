#pragma once

// The arrays that cases share, and what is in them.

#include "base/kokkos.hpp"
#include "base/mix.hpp"
#include "base/types.hpp"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace strata::bench {

/// Element (i, j, k) of every input: 0 to 15, without a pattern, so that a cube's sum fits an
/// int.
KOKKOS_FUNCTION inline int value(index_t i, index_t j, index_t k)
{
  return static_cast<int>(mixed(static_cast<std::uint64_t>((i << 42) + (j << 21) + k)) & 15);
}

/// x · y · z values in the order of a layout's memory; f(i, j, k) is one.
template <bool Right, class F>
std::vector<int> laid_out(index_t x, index_t y, index_t z, F const& f)
{
  std::vector<int> values(static_cast<std::size_t>(x * y * z));
  std::size_t at = 0;
  if (Right) {
    for (index_t i = 0; i < x; ++i)
      for (index_t j = 0; j < y; ++j)
        for (index_t k = 0; k < z; ++k)
          values[at++] = f(i, j, k);
  } else {
    for (index_t k = 0; k < z; ++k)
      for (index_t j = 0; j < y; ++j)
        for (index_t i = 0; i < x; ++i)
          values[at++] = f(i, j, k);
  }
  return values;
}

/// Made where it is first asked for under a name; `make` may be empty where it is there.
inline std::vector<int> const& known(std::string name,
                                     std::function<std::vector<int>()> const& make)
{
  static std::map<std::string, std::vector<int>> all;
  auto const found = all.find(name);
  return found != all.end() ? found->second
                            : all.emplace(std::move(name), make()).first->second;
}

template <class T, class Space = HostSpace>
using Unmanaged = Kokkos::View<T*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Elements in Space, a name's own, until Kokkos ends.
template <class Space, class T = int>
T* kept(std::string const& name, std::size_t count)
{
  static std::map<std::string, Kokkos::View<T*, Space>> all;
  if (all.empty())
    Kokkos::push_finalize_hook([] { all.clear(); });
  auto found = all.find(name);
  if (found == all.end())
    found = all.emplace(name, Kokkos::View<T*, Space>("strata::bench::" + name, count)).first;
  return found->second.data();
}

template <class Space, class T>
void put(T* p, std::vector<T> const& values)
{
  Kokkos::deep_copy(Unmanaged<T, Space>(p, values.size()),
                    Unmanaged<T const>(values.data(), values.size()));
}

/// The same, with these values.
template <class Space, class T>
T* kept(std::string const& name, std::vector<T> const& values)
{
  T* const p = kept<Space, T>(name, values.size());
  put<Space>(p, values);
  return p;
}

template <class Space>
void fill(int* p, std::size_t count, int value)
{
  Kokkos::deep_copy(Unmanaged<int, Space>(p, count), value);
  Kokkos::fence();
}

template <class Space>
std::vector<int> on_host(int const* p, std::size_t count)
{
  std::vector<int> values(count);
  Kokkos::deep_copy(Unmanaged<int>(values.data(), count),
                    Unmanaged<int const, Space>(p, count));
  return values;
}

/// Adds to one element.
template <class Space>
void add_to(int* p, int summand)
{
  auto const before = on_host<Space>(p, 1);
  fill<Space>(p, 1, before[0] + summand);
}

/// Where `found` differs from `expected` first; empty where it does not.
inline std::string difference(std::vector<int> const& found, std::vector<int> const& expected)
{
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (found[i] != expected[i])
      return "element " + std::to_string(i) + " in memory is " + std::to_string(found[i]) +
             " instead of " + std::to_string(expected[i]);
  return "";
}

} // namespace strata::bench
