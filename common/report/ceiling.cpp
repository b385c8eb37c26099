#include "ceiling.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace strata::report {

namespace {

Case const* find(std::vector<Case> const& ceilings, std::string const& name)
{
  auto const found = std::find_if(ceilings.begin(), ceilings.end(), [&](Case const& one) {
    return one.label == "ceiling/" + name;
  });
  return found == ceilings.end() ? nullptr : &*found;
}

} // namespace

std::optional<Ceiling> ceiling_of(std::vector<Case> const& ceilings)
{
  Ceiling ceiling;
  for (auto const& [name, rate] :
       {std::pair{"read", &ceiling.read}, std::pair{"write", &ceiling.write},
        std::pair{"copy", &ceiling.copy}, std::pair{"triad", &ceiling.triad}}) {
    auto const* const one = find(ceilings, name);
    auto const* const fom = one == nullptr ? nullptr : one->primary();
    if (fom == nullptr)
      return std::nullopt;
    *rate = fom->value;
  }
  return ceiling;
}

std::string why_no_ceiling(Record const& record)
{
  for (auto const& one : record.ceilings)
    if (one.status != Status::measured)
      return one.label + " " + std::string(word(one.status)) + ": " + one.why();
  return "tier " + record.run.tier;
}

Bound bound_of(Ceiling const& ceiling, measure::Work const& work)
{
  struct Point
  {
    char const* name;
    double reads, rate;
  };
  std::array const points{
      Point{"write", 0, ceiling.write}, Point{"copy", 1.0 / 2, ceiling.copy},
      Point{"triad", 2.0 / 3, ceiling.triad}, Point{"read", 1, ceiling.read}};
  constexpr double same = 0.01; // of all bytes: a vector beside a matrix, say
  double const reads = static_cast<double>(work.bytes_read) / static_cast<double>(work.bytes());
  for (auto const& point : points)
    if (std::abs(reads - point.reads) <= same)
      return {point.rate, point.name};
  auto const* const above = std::find_if(
      points.begin(), points.end(), [&](Point const& point) { return point.reads > reads; });
  auto const* const below = above - 1;
  double const way = (reads - below->reads) / (above->reads - below->reads);
  return {1 / std::lerp(1 / below->rate, 1 / above->rate, way),
          std::string(below->name) + "-" + above->name};
}

std::optional<Share> share_of(std::optional<Ceiling> const& ceiling, Case const& one)
{
  auto const statistics = one.statistics();
  if (!ceiling || !statistics || one.work.bytes() == 0)
    return std::nullopt;
  auto const bound = bound_of(*ceiling, one.work);
  return Share{static_cast<double>(one.work.bytes()) / statistics->median / bound.rate,
               bound.name};
}

} // namespace strata::report
