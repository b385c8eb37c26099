#include "issue.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <tuple>

namespace strata::deck {

namespace {

/// The deck from top to bottom, then the overrides as they were given.
std::vector<Issue> sorted(std::vector<Issue> issues)
{
  std::ranges::stable_sort(issues, {}, [](Issue const& issue) {
    return std::tuple(issue.line == 0, issue.line, issue.column);
  });
  return issues;
}

std::string report(std::vector<Issue> const& issues)
{
  std::string lines;
  for (auto const& issue : issues)
    lines += to_string(issue) + "\n";
  return lines + text::plural(issues.size(), "problem") + " in the deck; nothing was run";
}

} // namespace

std::string to_string(Issue const& issue)
{
  std::string place = issue.file;
  if (issue.line > 0)
    place += ":" + std::to_string(issue.line) + ":" + std::to_string(issue.column);
  return place + ": " + issue.text;
}

Invalid::Invalid(std::vector<Issue> issues)
    : Error(Exit::deck, report(sorted(issues)))
    , issues_(sorted(std::move(issues)))
{
}

} // namespace strata::deck
