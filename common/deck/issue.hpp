#pragma once

#include "base/error.hpp"

#include <string>
#include <vector>

namespace strata::deck {

/// Where something in a deck was written; both counts start at 1. A line of 0 means that
/// `file` is the whole place, as for a command line override.
struct Place
{
  std::string file;
  int line = 0;
  int column = 0;
};

/// One problem of a deck: what is wrong and what would be right.
struct Issue : Place
{
  std::string text;
};

/// "decks/bad.yaml:3:9: problem.rows is -5; ..."
std::string to_string(Issue const& issue);

/// A deck that cannot be run. `what()` has one line per issue, in the deck's order, and a
/// last line with their number.
class Invalid : public Error
{
public:
  explicit Invalid(std::vector<Issue> issues);

  [[nodiscard]] std::vector<Issue> const& issues() const noexcept { return issues_; }

private:
  std::vector<Issue> issues_;
};

} // namespace strata::deck
