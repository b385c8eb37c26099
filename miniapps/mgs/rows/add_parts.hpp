#pragma once

#include "array/launch/for_each.hpp"
#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

namespace strata::mgs {

/// sums[n] = Σ of the partial sums of all parts.
struct AddParts
{
  double const* values; ///< parts × count
  double* sums;
  index_t count;
  index_t parts;
  double const* wanted = nullptr; ///< where it points to 0, nothing is done

  static void launch(AddParts const& add);
};

/// The same as a kernel, whose members have AtOnce loads each that do not wait for each other.
template <int AtOnce>
struct AddPartsKernel
{
  static constexpr char const* name() { return "strata::mgs::AddParts"; }
  static constexpr int members = 256;
  /// Sums per team: those that share a cache sector in each part.
  template <int Size>
  static constexpr int width = Size < 8 ? 1 : 8;

  AddParts of;

  void launch() const
  {
    constexpr int size = device_is_host ? 1 : members;
    constexpr int each = width<size>;
    for_each_team<members>((of.count + each - 1) / each, *this);
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    if (of.wanted != nullptr && *of.wanted == 0)
      return;
    constexpr int each = width<Team::size>;
    constexpr index_t step = Team::size / each;
    int const mine = team.rank() % each;
    index_t const n = team.index() * each + mine;
    double sum[AtOnce] = {};
    if (n < of.count) {
      index_t part = team.rank() / each;
      for (; part + (AtOnce - 1) * step < of.parts; part += AtOnce * step)
        unrolled<AtOnce>(
            [&](auto c) { sum[c] += of.values[(part + c * step) * of.count + n]; });
      for (; part < of.parts; part += step)
        sum[0] += of.values[part * of.count + n];
    }
    for (int half = AtOnce / 2; half > 0; half /= 2)
      for (int c = 0; c < half; ++c)
        sum[c] += sum[c + half];
    double of_team[each];
    for (int m = 0; m < each; ++m)
      of_team[m] = m == mine ? sum[0] : 0;
    team.sum(of_team);
    if (team.rank() < each && n < of.count)
      for (int m = 0; m < each; ++m)
        if (m == mine)
          of.sums[n] = of_team[m];
  }
};

/// The same with a work item for each sum: where there are so many that a GPU is busy.
struct AddPartsOfEach
{
  static constexpr char const* name() { return "strata::mgs::AddParts"; }
  static constexpr index_t fewest = 8192; ///< sums

  AddParts of;

  KOKKOS_FUNCTION void operator()(index_t n) const
  {
    constexpr int at_once = 8;
    if (of.wanted != nullptr && *of.wanted == 0)
      return;
    double sum[at_once] = {};
    index_t part = 0;
    for (; part + at_once <= of.parts; part += at_once)
      unrolled<at_once>([&](auto c) { sum[c] += of.values[(part + c) * of.count + n]; });
    for (; part < of.parts; ++part)
      sum[0] += of.values[part * of.count + n];
    for (int half = at_once / 2; half > 0; half /= 2)
      for (int c = 0; c < half; ++c)
        sum[c] += sum[c + half];
    of.sums[n] = sum[0];
  }
};

/// Sixteen loads at once where each member of a GPU's team has so many.
inline void AddParts::launch(AddParts const& add)
{
  using Many = AddPartsKernel<16>;
  if (!device_is_host && add.count >= AddPartsOfEach::fewest)
    for_each(add.count, AddPartsOfEach{add});
  else if (add.parts >= 16 * (Many::members / Many::width<Many::members>))
    Many{add}.launch();
  else
    AddPartsKernel<4>{add}.launch();
}

} // namespace strata::mgs
