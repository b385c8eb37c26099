#include "sweep.hpp"

#include "base/error.hpp"
#include "measure/sampler.hpp"
#include "measure/statistics.hpp"
#include "measure/stopwatch.hpp"
#include "runtime/node/interrupt.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace strata::driver {

namespace {

/// Marks a case that an interrupted run has not finished.
void leave(report::Case& result)
{
  result.status = report::Status::incomplete;
  result.reason = "interrupted";
}

/// Makes a case that some rank cannot run unavailable on all ranks, which would wait for that
/// rank; the reason is the one of the lowest such rank.
void agree_on_what_runs(runtime::Communicator const& world, std::vector<Case>& cases)
{
  auto const count = static_cast<std::int64_t>(cases.size());
  if (auto const least = world.min(count), most = world.max(count); least != most)
    throw Error(Exit::placement, "ranks find " + std::to_string(least) + " and " +
                                     std::to_string(most) +
                                     " cases in one deck; give all nodes the same libraries");
  std::vector<double> speaker; // of each case: the lowest rank that cannot run it
  for (auto const& one : cases)
    speaker.push_back(one.unavailable.empty() ? world.ranks() : world.rank());
  speaker = world.min(speaker);
  std::set<double> speakers(speaker.begin(), speaker.end());
  speakers.erase(world.ranks());
  for (double const rank : speakers) {
    std::string mine;
    for (std::size_t c = 0; c < cases.size(); ++c)
      if (speaker[c] == rank)
        mine += cases[c].unavailable + '\n';
    std::istringstream lines(world.broadcast(mine, static_cast<int>(rank)));
    for (std::size_t c = 0; c < cases.size(); ++c)
      if (speaker[c] == rank)
        std::getline(lines, cases[c].unavailable);
  }
}

} // namespace

Sweep::Sweep(runtime::Communicator const& world, measure::Rules const& rules,
             std::function<void(std::string const&)> progress, Placement placement)
    : world_(world)
    , rules_(rules)
    , progress_(std::move(progress))
    , workspace_(placement)
    , sample_target_s_(
          measure::sample_target(measure::sample_floor_s(rules, !device_is_host),
                                 world_.max(rules.smoke() ? 0 : measure::clock_resolution())))
{
}

void Sweep::add(std::vector<Case> cases, bool ceiling)
{
  agree_on_what_runs(world_, cases);
  for (auto& description : cases) {
    if (description.unavailable.empty())
      workspace_.reserve(description.slots);
    Entry entry;
    entry.description = std::move(description);
    entry.ceiling = ceiling;
    entries_.push_back(std::move(entry));
  }
}

index_t Sweep::bytes() const
{
  index_t total = workspace_.bytes();
  index_t shared = 0;
  for (auto const& entry : entries_)
    if (entry.description.unavailable.empty()) {
      total += entry.description.private_bytes;
      shared = std::max(shared, entry.description.shared_bytes);
    }
  return total + shared;
}

Findings Sweep::run(std::optional<verify::Fault> const& fault)
{
  fault_ = fault;
  // A ceiling is at fault only where that is asked for.
  bool const of_cases = std::ranges::any_of(entries_, [&](Entry const& entry) {
    return fault && !entry.ceiling && fault->hits(entry.description.label);
  });
  for (auto& entry : entries_) {
    describe(entry);
    entry.faulty = fault && fault->hits(entry.description.label) && entry.ceiling != of_cases;
    if (!entry.description.unavailable.empty())
      continue;
    if (stop_asked()) {
      leave(entry.result);
      continue;
    }
    prepare(entry);
    if (!stop_asked())
      try_one_step(entry);
  }
  if (!stop_asked())
    measure_rounds();
  for (auto& entry : entries_)
    if (entry.trial)
      close(entry);
  assemble();
  return std::move(findings_);
}

std::vector<Sweep::Entry*> Sweep::alive()
{
  std::vector<Entry*> living;
  for (auto& entry : entries_)
    if (entry.trial)
      living.push_back(&entry);
  return living;
}

bool Sweep::stop_asked()
{
  if (!findings_.interrupted)
    findings_.interrupted = world_.any(runtime::interrupted());
  return findings_.interrupted;
}

void Sweep::describe(Entry& entry)
{
  auto const& description = entry.description;
  auto& result = entry.result;
  result.label = description.label;
  result.axes = description.axes;
  result.problem = description.problem;
  if (!description.unavailable.empty()) {
    result.status = report::Status::unavailable;
    result.reason = description.unavailable;
  }
}

void Sweep::prepare(Entry& entry)
{
  auto const& description = entry.description;
  auto& result = entry.result;
  progress_("preparing " + description.label);
  double const start = measure::now();
  world_.together([&] { entry.trial = description.make(workspace_); });
  auto const work = entry.trial->work();
  result.work = {world_.sum(work.bytes_read), world_.sum(work.bytes_written),
                 world_.sum(work.flops)};
  index_t bytes = description.private_bytes + description.shared_bytes;
  for (auto const& slot : description.slots)
    bytes += slot.bytes;
  result.memory_bytes = world_.sum(bytes);
  result.phases.push_back({"setup", world_.max(measure::now() - start)});
}

void Sweep::reset(Entry& entry)
{
  world_.together([&] {
    workspace_.hand_to(&entry, entry.description.slots);
    entry.trial->reset();
  });
}

void Sweep::spend_step(Entry& entry)
{
  auto const in_case = [&](std::string const& text) {
    return "case " + entry.description.label + ": " + text;
  };
  try {
    if (entry.faulty)
      fault_->step([&] { entry.trial->step(); }, measure::now);
    else
      entry.trial->step();
  } catch (runtime::AgreedError const& error) {
    throw runtime::AgreedError(error.exit(), in_case(error.what()));
  } catch (std::exception const& error) {
    Failure const failure(error);
    throw Error(failure.exit, in_case(failure.text));
  }
}

/// Before anything is measured.
void Sweep::try_one_step(Entry& entry)
{
  progress_("trying " + entry.description.label);
  reset(entry);
  measure::take(world_, 1, [&] { spend_step(entry); });
  check(entry, 1);
}

void Sweep::close(Entry& entry)
{
  progress_("checking " + entry.description.label);
  if (!stop_asked()) {
    sample(entry, false); // so that the check sees the result of a sample like the timed ones
    check(entry, entry.result.inner);
  }
  if (entry.trial)
    finish(entry);
}

void Sweep::check(Entry& entry, int steps)
{
  double const start = measure::now();
  auto& result = entry.result;
  std::vector<verify::Verdict> verdicts;
  bool passed = true;
  try {
    world_.together([&] {
      // The list of all elements that `corrupt` wants takes long to make.
      if (entry.faulty &&
          (fault_->is_of_step() || fault_->corrupt(entry.trial->output(), world_.rank())))
        entry.spoilt = true;
      verdicts = entry.trial->verify(steps);
    });
  } catch (Error const& error) {
    if (error.exit() != Exit::verification)
      throw;
    result.reason = error.what();
    passed = false;
  }
  for (auto& verdict : verdicts) {
    verdict.error = world_.max(verdict.error);
    verdict.allowed = world_.max(verdict.allowed);
    verdict.passed = world_.all(verdict.passed);
    passed = passed && verdict.passed;
  }
  result.checks = std::move(verdicts);
  result.phases.push_back({"check", world_.max(measure::now() - start)});
  result.checked += passed ? 1 : 0;
  if (passed)
    return;
  result.status = report::Status::failed;
  entry.trial.reset();
}

void Sweep::finish(Entry& entry)
{
  auto& result = entry.result;
  if (findings_.interrupted)
    leave(result);
  for (auto const& fact : entry.trial->findings())
    result.problem.push_back(fact);
  result.outcome = entry.trial->outcome();
  if (entry.faulty && !world_.any(entry.spoilt))
    result.outcome.push_back({"fault", "altered nothing"});
  for (auto const& [name, seconds] : entry.phases)
    result.phases.push_back({name, measure::summarise(seconds).median});
  auto const time = result.statistics();
  if (!time)
    return;
  // A sample is the time of the slowest rank: the slowest device's rate has the same time.
  for (auto const& metric : entry.trial->metrics()) {
    result.foms.push_back(report::rate(metric.name, metric.unit, report::Scope::job,
                                       world_.sum(metric.amount), *time));
    if (world_.ranks() > 1)
      result.foms.push_back(report::rate(metric.name, metric.unit, report::Scope::device,
                                         world_.min(metric.amount), *time));
  }
}

/// Collects the results: cases in the deck's order, each with the ratio to its control.
void Sweep::assemble()
{
  std::map<std::string, report::Case const*> measured;
  for (auto const& entry : entries_)
    if (entry.result.status == report::Status::measured)
      measured[entry.result.label] = &entry.result;

  for (auto& entry : entries_) {
    auto& result = entry.result;
    auto const control = measured.find(entry.description.control);
    if (control != measured.end() && measured.contains(result.label) &&
        control->second != &result && !result.samples_s.empty())
      result.ratios.push_back(
          {control->first,
           measure::paired_ratio(result.samples_s, control->second->samples_s)});
    if (auto const time = result.statistics()) {
      result.converged = time->n >= rules_.rounds && measure::converged(*time);
      findings_.converged = findings_.converged && result.converged;
    }
  }
  for (auto& entry : entries_)
    (entry.ceiling ? findings_.ceilings : findings_.cases).push_back(std::move(entry.result));
}

} // namespace strata::driver
