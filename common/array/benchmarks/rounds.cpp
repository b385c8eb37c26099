#include "rounds.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <random>

namespace strata::bench {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(Running const& running, int passes)
{
  auto const begin = Clock::now();
  for (int pass = 0; pass < passes; ++pass)
    running.pass();
  running.wait();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string wrong(Running const& running)
{
  running.clear();
  running.pass();
  running.wait();
  return running.wrong();
}

std::vector<Running> prepared(Cases const& cases, std::string const& spoiled)
{
  std::vector<Running> all;
  std::string failures;
  for (auto const& one : cases) {
    all.push_back(one.prepare());
    bool const spoil = one.name() == spoiled;
    if (spoil)
      all.back().spoil(1);
    if (auto const why = wrong(all.back()); !why.empty())
      failures += "\n  " + one.name() + ": " + why;
    if (spoil)
      all.back().spoil(-1);
  }
  if (!failures.empty())
    throw Error(Exit::verification, "these cases give wrong results:" + failures);
  return all;
}

/// Passes a sample, the same for all cases of a group.
std::vector<int> passes_of(Cases const& cases, std::vector<Running> const& running,
                           double sample_s)
{
  std::map<std::string, int> known;
  std::vector<int> passes;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    auto const [at, is_new] = known.emplace(cases[c].group(), 0);
    if (is_new) {
      seconds_of(running[c], 1);
      double const pass = seconds_of(running[c], 2) / 2;
      at->second = static_cast<int>(std::clamp(std::ceil(sample_s / pass), 1.0, 1e6));
    }
    passes.push_back(at->second);
  }
  return passes;
}

} // namespace

std::vector<Timed> measured(Cases const& cases, Plan const& plan)
{
  auto const running = prepared(cases, plan.spoiled);
  auto const passes = passes_of(cases, running, plan.sample_s);
  std::map<std::string, std::vector<std::size_t>> by_group;
  for (std::size_t c = 0; c < cases.size(); ++c)
    by_group[cases[c].group()].push_back(c);
  std::vector<std::vector<std::size_t>> groups;
  for (auto const& [name, members] : by_group)
    groups.push_back(members);

  std::vector<Timed> timed;
  for (auto const& one : cases)
    timed.push_back({one});
  std::mt19937_64 draw(plan.seed);
  for (int round = 0; round < plan.rounds; ++round) {
    std::shuffle(groups.begin(), groups.end(), draw);
    for (auto& group : groups) {
      std::shuffle(group.begin(), group.end(), draw);
      for (auto const c : group) {
        seconds_of(running[c], 1);
        timed[c].seconds.push_back(seconds_of(running[c], passes[c]) / passes[c]);
      }
    }
  }
  return timed;
}

} // namespace strata::bench
