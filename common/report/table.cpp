#include "table.hpp"

#include "ceiling.hpp"
#include "grid.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>

namespace strata::report {

namespace {

constexpr auto above_ceiling = "above the ceiling";

/// `value` with that many decimals, C locale.
std::string fixed(double value, int decimals)
{
  std::array<char, 400> buffer{};
  auto const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::fixed, decimals);
  return {buffer.data(), end.ptr};
}

std::string percent(double fraction)
{
  double const value = 100 * fraction;
  return fixed(value, value < 9.95 ? 2 : 1) + " %";
}

std::string value_of(Facts const& facts, std::string const& name)
{
  auto const fact = std::find_if(facts.begin(), facts.end(),
                                 [&](auto const& one) { return one.first == name; });
  return fact == facts.end() ? "-" : fact->second;
}

/// The axes of all cases in order of appearance: those whose values differ, and those with one
/// value in all cases.
struct Axes
{
  explicit Axes(std::vector<Case> const& cases)
  {
    for (auto const& one : cases)
      for (auto const& [name, value] : one.axes)
        if (!has(shown, name) && !has(agreed, name))
          (varies(cases, name) ? shown : agreed).push_back(name);
    if (shown.empty() && !agreed.empty()) { // a table of one case is about its first axis
      shown.push_back(agreed.front());
      agreed.erase(agreed.begin());
    }
  }

  std::vector<std::string> shown, agreed;

private:
  static bool has(std::vector<std::string> const& names, std::string const& name)
  {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  static bool varies(std::vector<Case> const& cases, std::string const& name)
  {
    return std::any_of(cases.begin(), cases.end(), [&](Case const& one) {
      return value_of(one.axes, name) != value_of(cases.front().axes, name);
    });
  }
};

/// How rates are written: with one SI prefix for the column, given in its heading, or each with
/// its own where cases count different things.
class Rates
{
public:
  explicit Rates(std::vector<Case> const& cases)
  {
    for (auto const& one : cases)
      if (auto const* fom = one.primary()) {
        one_unit_ = one_unit_ && (unit_.empty() || unit_ == fom->unit);
        unit_ = fom->unit;
        largest_ = std::max(largest_, fom->value);
      }
    while (largest_ >= 1000 && prefix_ + 1 < prefixes.size()) {
      largest_ /= 1000;
      scale_ *= 1000;
      ++prefix_;
    }
  }

  [[nodiscard]] std::string heading(std::string const& what) const
  {
    return one_unit_ && !unit_.empty() ? what + " " + prefixes[prefix_] + unit_ : what;
  }

  [[nodiscard]] std::string text(double value, Fom const& fom) const
  {
    if (!one_unit_)
      return text::si(value, fom.unit);
    // As many decimals for all, but three digits at least of each.
    int const decimals = largest_ >= 100 ? 1 : largest_ >= 10 ? 2 : 3;
    double const scaled = value / scale_;
    if (!(std::abs(scaled) >= 0.001) || scaled > 1e6)
      return text::rounded(scaled, 3);
    int const for_three_digits = 2 - static_cast<int>(std::floor(std::log10(std::abs(scaled))));
    return fixed(scaled, std::max(decimals, for_three_digits));
  }

private:
  static constexpr std::array prefixes{"", "k", "M", "G", "T", "P", "E"};

  bool one_unit_ = true;
  std::string unit_;
  double largest_ = 0, scale_ = 1;
  std::size_t prefix_ = 0;
};

std::string spread(std::optional<measure::Statistics> const& statistics)
{
  if (!statistics || statistics->n < 2)
    return "-";
  auto const half_width = measure::relative_half_width(*statistics);
  return half_width ? percent(*half_width) : "cv " + percent(statistics->cv);
}

/// "1.012 [1.009, 1.015]"; of the core's cases beside some that have a control, that this has
/// none.
std::string against_control(std::vector<Case> const& cases, Case const& one)
{
  auto const has_control = [](Case const& other) { return !other.ratios.empty(); };
  if (!has_control(one))
    return value_of(one.axes, "variant") == "span" && std::ranges::any_of(cases, has_control)
               ? "no control"
               : "";
  auto const& ratio = one.ratios.front().ratio;
  std::string text = fixed(ratio.median, 3);
  if (ratio.ci95)
    text += " [" + fixed(ratio.ci95->low, 3) + ", " + fixed(ratio.ci95->high, 3) + "]";
  return text;
}

/// "96.0 % of copy"
std::string shown(std::optional<Share> const& share)
{
  return share ? fixed(100 * share->of_bound, 1) + " % of " + share->bound : "";
}

Cell notes(Case const& one, std::optional<Share> const& share)
{
  std::vector<std::string> words;
  if (share && share->of_bound > 1)
    words.emplace_back(one.in_cache ? "cache" : above_ceiling);
  if (!one.converged)
    words.emplace_back("not converged");
  if (auto const statistics = one.statistics(); statistics && statistics->drift)
    words.emplace_back("drift");
  for (auto const& [name, value] : one.outcome)
    if (name == "warning")
      words.push_back(value);
  return {text::join(words), Look::warning};
}

/// The text in place of rates.
Cell explanation(Case const& one)
{
  auto const text = std::string(word(one.status)) + ": " + one.why();
  switch (one.status) {
  case Status::failed:
    return {"FAILED: " + one.why(), Look::bad};
  case Status::unavailable:
    return {text, Look::faint};
  default:
    return {text, Look::warning};
  }
}

void add_row(Grid& grid, Record const& record, Case const& one, Axes const& axes,
             Rates const& rates, std::optional<Ceiling> const& ceiling)
{
  std::vector<Cell> cells;
  for (auto const& name : axes.shown)
    cells.push_back({value_of(one.axes, name)});
  if (one.status != Status::measured)
    return grid.row(std::move(cells), explanation(one));

  auto const* const fom = one.primary();
  auto const share = share_of(ceiling, one);
  cells.push_back({fom != nullptr ? rates.text(fom->best, *fom) : "-"});
  cells.push_back({fom != nullptr ? rates.text(fom->value, *fom) : "-", Look::strong});
  cells.push_back({spread(one.statistics())});
  cells.push_back({shown(share)});
  cells.push_back({against_control(record.cases, one)});
  cells.push_back(one.checks.empty() ? Cell{"unchecked", Look::warning}
                                     : Cell{"pass", Look::good});
  cells.push_back(notes(one, share));
  grid.row(std::move(cells));
}

std::string agreed_line(Record const& record, Axes const& axes)
{
  std::vector<std::string> words;
  for (auto const& name : axes.agreed)
    words.push_back(name + " " + value_of(record.cases.front().axes, name));
  return words.empty() ? "" : "In all cases: " + text::join(words) + "\n";
}

template <class Property>
bool any(std::vector<Case> const& cases, Property property)
{
  return std::any_of(cases.begin(), cases.end(), [&](Case const& one) {
    return one.status == Status::measured && property(one);
  });
}

/// The meaning of the columns shown.
std::string legend(std::vector<Case> const& cases, std::optional<Ceiling> const& ceiling)
{
  auto const above = [&](Case const& one) {
    auto const share = share_of(ceiling, one);
    return share && share->of_bound > 1 && !one.in_cache;
  };
  auto const interval = [](Case const& one) {
    auto const statistics = one.statistics();
    return statistics && statistics->ci95;
  };
  std::string lines;
  if (any(cases, interval))
    lines += "spread: half the median's 95 % interval\n";
  if (any(cases, std::not_fn(interval)))
    lines += "cv: coefficient of variation; an interval takes 6 samples\n";
  if (any(cases, [](Case const& one) { return !one.ratios.empty(); }))
    lines += "time/control: time over the control's, median of the rounds and 95 % interval\n";
  if (any(cases, above))
    lines += std::string(above_ceiling) +
             ": no cache holds its data; the ceiling's kernel is slower than this one\n";
  return lines;
}

/// The rank that is the slowest in most samples, where one of three or more is: it may sit on a
/// bad node. "rank 3 on n013 is the slowest of 4 in 178 of 200 samples, there 4.0 % over the
/// ranks' mean".
std::string slowest_line(Record const& record)
{
  std::map<int, std::vector<double>> over_mean; // of the samples of each slowest rank
  std::size_t samples = 0;
  for (auto const& one : record.cases)
    for (std::size_t i = 0; i < one.slowest_rank.size(); ++i, ++samples)
      over_mean[one.slowest_rank[i]].push_back(one.samples_s[i] / one.rank_mean_s[i]);
  auto const most =
      std::max_element(over_mean.begin(), over_mean.end(), [](auto const& a, auto const& b) {
        return a.second.size() < b.second.size();
      });
  if (record.mpi.ranks < 3 || most == over_mean.end() || 2 * most->second.size() <= samples)
    return "";
  auto const rank = static_cast<std::size_t>(most->first);
  auto const where =
      rank < record.placement.size() ? " on " + record.placement[rank].host : std::string();
  return "rank " + std::to_string(rank) + where + " is the slowest of " +
         std::to_string(record.mpi.ranks) + " in " + std::to_string(most->second.size()) +
         " of " + std::to_string(samples) + " samples, there " +
         percent(measure::summarise(most->second).median - 1) + " over the ranks' mean\n";
}

} // namespace

std::string table(Record const& record, bool colour)
{
  if (record.cases.empty())
    return "";
  Axes const axes(record.cases);
  Rates const rates(record.cases);
  Grid grid;
  for (auto const& name : axes.shown)
    grid.column(name, Grid::Align::left);
  grid.column(rates.heading("best"), Grid::Align::right);
  grid.column(rates.heading("median"), Grid::Align::right);
  grid.column("spread", Grid::Align::right);
  grid.column("of ceiling", Grid::Align::right);
  grid.column("time/control", Grid::Align::left);
  grid.column("verdict", Grid::Align::left);
  grid.column("notes", Grid::Align::left);
  auto const ceiling = ceiling_of(record.ceilings);
  for (auto const& one : record.cases)
    add_row(grid, record, one, axes, rates, ceiling);
  return agreed_line(record, axes) + grid.text(colour) +
         painted(legend(record.cases, ceiling), Look::faint, colour) +
         painted(slowest_line(record), Look::warning, colour);
}

} // namespace strata::report
