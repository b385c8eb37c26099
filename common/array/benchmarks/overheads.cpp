#include "overheads.hpp"

#include "measure/statistics.hpp"
#include "report/grid.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <map>

namespace strata::bench {

namespace {

constexpr double tolerance = 0.02;
constexpr std::array all_ways{"raw", "span", "View", "mdspan", "any_rank", "from_one"};

std::string format(char const* form, auto... values)
{
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), form, values...);
  return text.data();
}

std::string seconds_text(double seconds)
{
  return seconds < 1e-3 ? format("%.2f us", seconds * 1e6) : format("%.3f ms", seconds * 1e3);
}

using report::Cell;
using report::Grid;
using report::Look;

/// The ratios of one table, and a tally of them by way.
class Ratios
{
public:
  /// "1.003 [0.998, 1.007]", and ≠ where the interval lies outside 2 %.
  Cell cell(std::string const& way, std::string const& name, Timed const* above,
            Timed const* below)
  {
    if (above == nullptr || below == nullptr)
      return {""};
    auto const ratio = measure::paired_ratio(above->seconds, below->seconds);
    if (!ratio.ci95)
      return {format("%.3f", ratio.median)};
    auto const [low, high] = *ratio.ci95;
    bool const slower = low > 1 + tolerance;
    bool const faster = high < 1 - tolerance;
    auto& tally = tallies_[way];
    ++tally.all;
    if (slower)
      tally.slower.push_back(name + format(" %.3f", ratio.median));
    if (faster)
      tally.faster.push_back(name + format(" %.3f", ratio.median));
    return {format("%.3f [%.3f, %.3f]", ratio.median, low, high) +
                (slower || faster ? " ≠" : "  "),
            slower   ? Look::bad
            : faster ? Look::good
                     : Look::plain};
  }

  [[nodiscard]] std::string summary(std::string const& than) const
  {
    std::string text;
    for (auto const& [way, tally] : tallies_) {
      auto const alike = tally.all - tally.slower.size() - tally.faster.size();
      text.append(way).append(": " + std::to_string(alike) + " of ");
      text.append(std::to_string(tally.all) + " within 2 % of ").append(than);
      text.append(" or not told apart from it\n");
      for (auto const& one : tally.slower)
        text.append("  slower ").append(one).append("\n");
      for (auto const& one : tally.faster)
        text.append("  faster ").append(one).append("\n");
    }
    return text;
  }

private:
  struct Tally
  {
    std::size_t all = 0;
    std::vector<std::string> slower = {}, faster = {};
  };
  std::map<std::string, Tally> tallies_;
};

/// The cases of a group, by how the sizes are known and by way.
struct Group
{
  std::string name;
  std::map<std::string, std::map<std::string, Timed const*>> cases = {};

  [[nodiscard]] Timed const* at(std::string const& extents, std::string const& way) const
  {
    auto const of_extents = cases.find(extents);
    if (of_extents == cases.end())
      return nullptr;
    auto const found = of_extents->second.find(way);
    return found == of_extents->second.end() ? nullptr : found->second;
  }
};

std::vector<Group> grouped(std::vector<Timed> const& timed)
{
  std::vector<Group> groups;
  for (auto const& one : timed) {
    auto const name = one.what.group();
    auto found = std::find_if(groups.begin(), groups.end(),
                              [&](Group const& group) { return group.name == name; });
    if (found == groups.end())
      found = groups.insert(groups.end(), {name});
    found->cases[one.what.extents][one.what.way] = &one;
  }
  return groups;
}

/// Those ways that a case of these sizes has.
std::vector<std::string> ways_with(std::vector<Group> const& groups, std::string const& extents)
{
  std::vector<std::string> ways;
  for (auto const* way : all_ways)
    if (std::any_of(groups.begin(), groups.end(),
                    [&](Group const& group) { return group.at(extents, way) != nullptr; }))
      ways.emplace_back(way);
  return ways;
}

Grid grid(std::vector<std::string> const& left, std::vector<std::string> const& right)
{
  Grid made;
  for (auto const& heading : left)
    made.column(heading, Grid::Align::left);
  for (auto const& heading : right)
    made.column(heading, Grid::Align::right);
  return made;
}

std::string over_raw(std::vector<Group> const& groups)
{
  auto ways = ways_with(groups, "dynamic");
  std::erase(ways, "raw");
  std::vector<std::string> headings{"raw"};
  for (auto const& way : ways)
    headings.push_back(way + " / raw");
  auto table = grid({"case", "sizes"}, headings);
  Ratios ratios;
  for (auto const& group : groups)
    for (auto const& [extents, by_way] : group.cases) {
      auto const* const raw = group.at(extents, "raw");
      std::vector<Cell> row{{group.name}, {extents}};
      row.push_back(
          {raw != nullptr ? seconds_text(measure::summarise(raw->seconds).median) : ""});
      for (auto const& way : ways)
        row.push_back(
            ratios.cell(way, group.name + " " + extents, group.at(extents, way), raw));
      table.row(row);
    }
  return table.text(false) + "\n" + ratios.summary("raw");
}

std::string static_over_dynamic(std::vector<Group> const& groups)
{
  auto const ways = ways_with(groups, "static");
  auto table = grid({"static / dynamic sizes"}, ways);
  Ratios ratios;
  for (auto const& group : groups) {
    if (!group.cases.contains("static"))
      continue;
    std::vector<Cell> row{{group.name}};
    for (auto const& way : ways)
      row.push_back(
          ratios.cell(way, group.name, group.at("static", way), group.at("dynamic", way)));
    table.row(row);
  }
  return table.text(false) + "\n" + ratios.summary("dynamic sizes");
}

} // namespace

std::string overheads(std::vector<Timed> const& timed)
{
  auto const groups = grouped(timed);
  return over_raw(groups) + "\n" + static_over_dynamic(groups);
}

} // namespace strata::bench
