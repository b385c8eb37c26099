#include "lines.hpp"

#include "base/text.hpp"

#include <cctype>
#include <cmath>
#include <string_view>

namespace strata::report {

namespace {

/// `text` as a value that ends at the next space.
std::string one_word(std::string_view text)
{
  static constexpr std::string_view hex = "0123456789ABCDEF";
  if (text.empty())
    return "none";
  std::string word;
  for (char const letter : text) {
    auto const byte = static_cast<unsigned char>(letter);
    if (std::isspace(byte) != 0 || std::iscntrl(byte) != 0 || letter == '%')
      word += {'%', hex[byte >> 4], hex[byte & 15]};
    else
      word += letter;
  }
  return word;
}

/// Enough digits for any measurement; the record holds all of them.
std::string digits(double value)
{
  return text::rounded(value, 7);
}

/// A line that grows by " key=value".
class Line
{
public:
  explicit Line(std::string_view kind, std::string_view app)
      : text_(kind)
  {
    add("v", std::to_string(Record::fom_version)).add("app", app);
  }

  Line& add(std::string_view key, std::string_view value)
  {
    text_.append(" ").append(key).append("=").append(one_word(value));
    return *this;
  }

  Line& add(std::string_view key, double value) { return add(key, digits(value)); }
  Line& add(std::string_view key, int value) { return add(key, std::to_string(value)); }

  [[nodiscard]] std::string text() const { return text_ + "\n"; }

private:
  std::string text_;
};

std::string range(std::optional<measure::Interval> const& ci95)
{
  return ci95 ? digits(ci95->low) + ":" + digits(ci95->high) : "none";
}

std::string fom_line(Record const& record, Case const& one, Fom const& fom)
{
  return Line("FOM", record.app)
      .add("case", one.label)
      .add("metric", fom.metric)
      .add("value", fom.value)
      .add("unit", fom.unit)
      .add("better", word(fom.better))
      .add("stat", "median")
      .add("n", fom.n)
      .add("ci95", range(fom.ci95))
      .add("best", fom.best)
      .add("scope", word(fom.scope))
      .add("ranks", record.mpi.ranks)
      .text();
}

std::string check_line(Record const& record, Case const& one, verify::Verdict const& check)
{
  return Line("CHECK", record.app)
      .add("case", one.label)
      .add("check", check.metric)
      .add("value", check.error)
      .add("allowed", check.allowed)
      .add("status", check.passed ? "PASS" : "FAIL")
      .text();
}

std::string_view status_of(Exit exit)
{
  switch (exit) {
  case Exit::ok:
    return "PASS";
  case Exit::verification:
  case Exit::run_rule:
    return "FAIL";
  case Exit::interrupted:
    return "INCOMPLETE";
  case Exit::skipped:
    return "SKIP";
  default:
    return "ERROR";
  }
}

std::string_view yes_or_no(bool truth)
{
  return truth ? "yes" : "no";
}

} // namespace

std::string fact_lines(Record const& record)
{
  std::string lines;
  for (auto const& one : record.cases) {
    for (auto const& fom : one.figures())
      if (std::isfinite(fom.value))
        lines += fom_line(record, one, fom);
    for (auto const& check : one.checks)
      lines += check_line(record, one, check);
  }
  return lines;
}

std::string result_line(std::string const& app, Outcome const& outcome)
{
  return Line("RESULT", app)
      .add("status", status_of(outcome.exit))
      .add("valid", yes_or_no(outcome.validity.valid))
      .add("official", yes_or_no(outcome.validity.official))
      .add("reasons", text::join(outcome.validity.reasons, ","))
      .add("exit", static_cast<int>(outcome.exit))
      .add("file", outcome.file)
      .text();
}

} // namespace strata::report
