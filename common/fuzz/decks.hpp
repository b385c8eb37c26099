#pragma once

#include "deck/schema.hpp"

#include <optional>
#include <string>
#include <vector>

namespace strata::fuzz {

/// A key of every kind.
struct Config
{
  int rows = 5;
  std::int64_t size = 7;
  std::uint64_t seed = 1;
  double radius = 0.5;
  bool fast = false;
  std::string name = "a";
  std::optional<double> gap;
  std::vector<std::string> layout{"left"};
  std::vector<int> counts{1, 2};
};

inline deck::Schema<Config> const& schema()
{
  static auto const made = [] {
    deck::Schema<Config> keys("fuzz", "A deck.");
    keys.field("problem.rows", &Config::rows, "Rows.");
    keys.field("problem.size", &Config::size, "Size.");
    keys.field("problem.seed", &Config::seed, "Seed.");
    keys.field("problem.radius", &Config::radius, "Radius.");
    keys.field("problem.fast", &Config::fast, "Fast.");
    keys.field("problem.name", &Config::name, "Name.");
    keys.field("problem.gap", &Config::gap, "Gap.");
    keys.field("cases.layout", &Config::layout, "Layouts.");
    keys.field("cases.counts", &Config::counts, "Counts.");
    return keys;
  }();
  return made;
}

/// Reads a deck as an app does: it is read and described, or refused by an Error.
inline void read(std::string const& text, std::vector<std::string> const& overrides = {})
{
  try {
    deck::Document document(text, "deck.yaml");
    for (auto const& assignment : overrides)
      document.set(assignment);
    static_cast<void>(schema().describe(schema().read(document)));
  } catch (Error const&) {
    return;
  }
}

} // namespace strata::fuzz
