// Times ArborX' neighbour lists of the points of strata-contact's scenes random and clump with
// their default radius and neighbours, for scripts/limits.py. By hand, with a Kokkos that
// ArborX takes:
//
//   find_package(ArborX REQUIRED)
//   add_executable(arborx_lists arborx_lists.cpp)
//   target_include_directories(arborx_lists PRIVATE .../common .../miniapps/contact)
//   target_link_libraries(arborx_lists ArborX::ArborX)
//
// arborx_lists random|clump ELEMENTS double|float full|half prints the number of entries and,
// as `seconds`, the median of nine builds of tree and lists.

#include "scene/mix.hpp"

#include <ArborX.hpp>
#include <Kokkos_Core.hpp>
#include <detail/ArborX_NeighborList.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using strata::index_t;
using strata::contact::hashed;

constexpr double reach = 1024;
constexpr double neighbours = 6;
constexpr std::uint64_t seed = 1;
constexpr int builds = 9;

double whole(std::uint64_t word, double below)
{
  return std::floor(static_cast<double>(word >> 11) * 0x1p-53 * below);
}

/// The place of element `gid` as miniapps/contact/scene/random.cpp has it.
std::array<double, 3> place(bool clump, index_t gid, double edge)
{
  std::array<double, 3> at{};
  for (unsigned k = 0; k < 3; ++k)
    at[k] = whole(hashed(seed, gid, k), edge);
  std::uint64_t const choice = hashed(seed, gid, 6);
  if (!clump || choice % 10 == 0)
    return at;
  double const width = std::max(2.0, std::rint(edge * std::cbrt(9.0 / 100 / 8) / 2));
  auto const number = static_cast<index_t>(choice / 10 % 8);
  for (unsigned k = 0; k < 3; ++k) {
    double normal = -6;
    for (unsigned i = 0; i < 12; ++i)
      normal += whole(hashed(seed, gid, 7 + 12 * k + i), 0x1p20) * 0x1p-20;
    double const centre = whole(hashed(seed + 1, number, k), edge);
    at[k] = std::clamp(std::floor(centre + normal * width / 2), 0.0, edge - 1);
  }
  return at;
}

template <class T>
void time_lists(bool clump, int elements, bool full)
{
  using Execution = Kokkos::DefaultExecutionSpace;
  using Memory = Execution::memory_space;
  constexpr double pi = 3.14159265358979323846;
  double const edge =
      std::rint(std::cbrt(elements * (4.0 / 3 * pi * reach * reach * reach) / neighbours));
  Kokkos::View<ArborX::Point<3, T>*, Memory> const points("points", elements);
  auto const on_host = Kokkos::create_mirror_view(points);
  using Host = Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>;
  Kokkos::parallel_for("place", Host(0, elements), [=](int gid) {
    auto const at = place(clump, gid, edge);
    on_host(gid) = {static_cast<T>(at[0]), static_cast<T>(at[1]), static_cast<T>(at[2])};
  });
  Kokkos::fence();
  Kokkos::deep_copy(points, on_host);
  std::vector<double> seconds;
  std::size_t entries = 0;
  for (int n = 0; n < builds; ++n) {
    Kokkos::View<int*, Memory> offsets("offsets", 0);
    Kokkos::View<int*, Memory> indices("indices", 0);
    Kokkos::fence();
    Kokkos::Timer const timer;
    if (full)
      ArborX::Experimental::findFullNeighborList(Execution(), points, T(reach), offsets,
                                                 indices);
    else
      ArborX::Experimental::findHalfNeighborList(Execution(), points, T(reach), offsets,
                                                 indices);
    Kokkos::fence();
    seconds.push_back(timer.seconds());
    entries = indices.size();
  }
  std::sort(seconds.begin(), seconds.end());
  std::printf("entries %zu\nseconds %.6g\n", entries, seconds[builds / 2]);
}

} // namespace

int main(int argc, char** argv)
{
  Kokkos::ScopeGuard const guard(argc, argv);
  auto const one_of = [&](int number, std::string const& first, std::string const& second) {
    return argv[number] == first || argv[number] == second;
  };
  if (argc != 5 || !one_of(1, "random", "clump") || std::atoi(argv[2]) < 1 ||
      !one_of(3, "double", "float") || !one_of(4, "full", "half")) {
    std::fprintf(stderr, "arborx_lists random|clump ELEMENTS double|float full|half\n");
    return 2;
  }
  bool const clump = std::string(argv[1]) == "clump";
  int const elements = std::atoi(argv[2]);
  bool const full = std::string(argv[4]) == "full";
  if (std::string(argv[3]) == "double")
    time_lists<double>(clump, elements, full);
  else
    time_lists<float>(clump, elements, full);
}
