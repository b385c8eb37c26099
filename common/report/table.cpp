#include "table.hpp"

#include "grid.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>

namespace strata::report {

namespace {

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

/// The case's bytes per second over the ceiling; none without either.
std::optional<double> of_ceiling(Record const& record, Case const& one)
{
  auto const statistics = one.statistics();
  if (!record.ceiling || !statistics || one.work.bytes() == 0)
    return std::nullopt;
  return static_cast<double>(one.work.bytes()) / statistics->median / record.ceiling->best();
}

std::string against_control(Case const& one)
{
  if (one.ratios.empty())
    return "";
  auto const& ratio = one.ratios.front().ratio;
  std::string text = fixed(ratio.median, 3);
  if (ratio.ci95)
    text += " [" + fixed(ratio.ci95->low, 3) + ", " + fixed(ratio.ci95->high, 3) + "]";
  return text;
}

Cell notes(Record const& record, Case const& one)
{
  std::vector<std::string> words;
  if (of_ceiling(record, one).value_or(0) > 1)
    words.emplace_back("cache");
  if (auto const statistics = one.statistics()) {
    if (!measure::converged(*statistics))
      words.emplace_back("not converged");
    if (statistics->drift)
      words.emplace_back("drift");
  }
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
             Rates const& rates)
{
  std::vector<Cell> cells;
  for (auto const& name : axes.shown)
    cells.push_back({value_of(one.axes, name)});
  if (one.status != Status::measured)
    return grid.row(std::move(cells), explanation(one));

  auto const* const fom = one.primary();
  auto const share = of_ceiling(record, one);
  cells.push_back({fom != nullptr ? rates.text(fom->best, *fom) : "-"});
  cells.push_back({fom != nullptr ? rates.text(fom->value, *fom) : "-", Look::strong});
  cells.push_back({spread(one.statistics())});
  cells.push_back({share ? fixed(100 * *share, 1) + " %" : ""});
  cells.push_back({against_control(one)});
  cells.push_back(one.checks.empty() ? Cell{"unchecked", Look::warning}
                                     : Cell{"pass", Look::good});
  cells.push_back(notes(record, one));
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
std::string legend(std::vector<Case> const& cases)
{
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
  return lines;
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
  for (auto const& one : record.cases)
    add_row(grid, record, one, axes, rates);
  return agreed_line(record, axes) + grid.text(colour) +
         painted(legend(record.cases), Look::faint, colour);
}

} // namespace strata::report
