#include "validity.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "measure/rules.hpp"

#include <algorithm>
#include <array>

namespace strata::driver {

namespace {

using measure::Floors;

bool any(std::vector<report::Case> const& cases, report::Status status)
{
  return std::ranges::any_of(cases,
                             [&](report::Case const& one) { return one.status == status; });
}

/// A rule is of the whole run, or of each case and ceiling that was measured.
struct Rule
{
  std::string_view word;
  bool (*broken)(report::Record const&, Conduct const&);
  bool (*broken_by)(report::Case const&, Conduct const&);
  std::string_view remedy;

  [[nodiscard]] std::vector<std::string> cases(report::Record const& record,
                                               Conduct const& conduct) const
  {
    std::vector<std::string> labels;
    for (auto const* all : {&record.cases, &record.ceilings})
      for (auto const& one : *all)
        if (one.status == report::Status::measured && broken_by != nullptr &&
            broken_by(one, conduct))
          labels.push_back(one.label);
    return labels;
  }

  [[nodiscard]] bool is_broken(report::Record const& record, Conduct const& conduct) const
  {
    return broken != nullptr ? broken(record, conduct) : !cases(record, conduct).empty();
  }
};

/// Without these a run is not valid.
constexpr std::array validity_rules{
    Rule{"interrupted",
         [](report::Record const&, Conduct const& run) { return run.interrupted; }, nullptr,
         "the run was ended by a signal; run it again"},
    Rule{"verification",
         [](report::Record const& record, Conduct const&) {
           return any(record.cases, report::Status::failed);
         },
         nullptr, "a case gave a wrong answer; its row says which check found it"},
    Rule{"ceiling",
         [](report::Record const& record, Conduct const&) {
           return any(record.ceilings, report::Status::failed);
         },
         nullptr, "a ceiling gave a wrong answer; the memory or the build is at fault"},
    Rule{"nothing_measured",
         [](report::Record const& record, Conduct const& run) {
           return !run.interrupted && !any(record.cases, report::Status::measured);
         },
         nullptr, "no case can run here; the table says why"},
    Rule{"fault_injected",
         [](report::Record const&, Conduct const& run) { return run.fault_injected; }, nullptr,
         "STRATA_FAULT is set; unset it for a real run"},
};

/// Nor is it official without these.
constexpr std::array official_rules{
    Rule{"tier",
         [](report::Record const& record, Conduct const&) {
           return record.run.tier != "official";
         },
         nullptr, "set run.tier to official"},
    Rule{"size", nullptr, [](report::Case const& one, Conduct const&) { return one.in_cache; },
         "a cache may hold the data; make the deck's problem larger"},
    Rule{"cache_unknown",
         [](report::Record const&, Conduct const& run) { return run.cache_bytes == 0; },
         nullptr, "the size of the last-level cache cannot be read; mount /sys"},
    Rule{"not_converged",
         [](report::Record const&, Conduct const& run) { return !run.converged; }, nullptr,
         "a median's interval is wider than 1 %; raise run.max_time_s"},
    Rule{"rounds", nullptr,
         [](report::Case const& one, Conduct const&) {
           return std::ssize(one.samples_s) < Floors::rounds;
         },
         "fewer than 20 samples; raise run.max_time_s"},
    Rule{"run_time",
         [](report::Record const&, Conduct const& run) {
           return run.measured_s < Floors::measuring_s;
         },
         nullptr, "less than 10 s were measured; raise run.max_time_s"},
    Rule{
        "warm_up", nullptr,
        [](report::Case const& one, Conduct const&) { return one.warmup_s < Floors::warmup_s; },
        "less than 1 s of warm-up; run it again"},
    Rule{"sample_time", nullptr,
         [](report::Case const& one, Conduct const& run) {
           auto const time = one.statistics();
           return time && time->median * one.inner < run.sample_floor_s;
         },
         "samples came out too short; quiet the machine and run it again"},
    Rule{"checks", nullptr,
         [](report::Case const& one, Conduct const&) { return one.checked < 2; },
         "not checked both before and after it was measured; run it again"},
    Rule{"no_ceiling",
         [](report::Record const& record, Conduct const&) {
           return !any(record.ceilings, report::Status::measured);
         },
         nullptr, "the memory's bandwidth was not measured; set run.tier to official"},
    Rule{"placement", [](report::Record const&, Conduct const& run) { return !run.exclusive; },
         nullptr, "ranks share devices or cores; give each its own"},
    Rule{"build_type",
         [](report::Record const& record, Conduct const&) {
           return record.build.type != "Release";
         },
         nullptr, "build with CMAKE_BUILD_TYPE=Release"},
    Rule{"bounds_check",
         [](report::Record const& record, Conduct const&) { return record.build.bounds_check; },
         nullptr, "build with STRATA_BOUNDS_CHECK=OFF"},
    Rule{"dirty_tree",
         [](report::Record const& record, Conduct const&) {
           return record.suite.dirty || record.suite.git == "unknown";
         },
         nullptr, "build from a commit without changes of your own"},
    Rule{"tool", [](report::Record const&, Conduct const& run) { return !run.tool.empty(); },
         nullptr, "a profiling tool is loaded; unset KOKKOS_TOOLS_LIBS"},
};

} // namespace

void mark_in_cache(std::vector<report::Case>& cases, int ranks, index_t least)
{
  constexpr double flops_per_byte = 32;
  constexpr double rounded = 0.95; // sizes are rounded down to whole packs and equal edges
  for (auto& one : cases) {
    auto const moved = static_cast<double>(one.work.bytes());
    auto const data = std::min(moved, static_cast<double>(one.memory_bytes));
    one.in_cache = one.status == report::Status::measured &&
                   data < rounded * static_cast<double>(least) * ranks &&
                   static_cast<double>(one.work.flops) <= flops_per_byte * moved;
  }
}

report::Validity judge(report::Record const& record, Conduct const& conduct)
{
  report::Validity verdict;
  auto const apply = [&](auto const& rules) {
    for (auto const& rule : rules)
      if (rule.is_broken(record, conduct))
        verdict.reasons.emplace_back(rule.word);
    return verdict.reasons.empty();
  };
  verdict.valid = apply(validity_rules);
  verdict.official = apply(official_rules);
  return verdict;
}

std::string explain(std::string const& word, report::Record const& record,
                    Conduct const& conduct)
{
  auto const in = [&](auto const& rules) {
    auto const found = std::ranges::find(rules, word, &Rule::word);
    return found == rules.end() ? nullptr : &*found;
  };
  auto const* const rule =
      in(validity_rules) != nullptr ? in(validity_rules) : in(official_rules);
  STRATA_CHECK(rule != nullptr, "a reason that no rule has");
  auto const labels = rule->cases(record, conduct);
  std::string who = labels.empty() ? "" : labels.front();
  if (labels.size() > 1)
    who += " and " + text::plural(labels.size() - 1, "other");
  return (who.empty() ? "" : who + ": ") + std::string(rule->remedy);
}

} // namespace strata::driver
