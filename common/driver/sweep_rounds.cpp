#include "sweep.hpp"

#include "base/kokkos.hpp"
#include "measure/sampler.hpp"
#include "measure/stopwatch.hpp"

// The rounds of a sweep: warm-up, samples, and when they end or begin again.

namespace strata::driver {

namespace {

/// What Kokkos' tools see as a region of that name while it lives.
class Region
{
public:
  explicit Region(std::string const& name) { Kokkos::Profiling::pushRegion(name); }
  Region(Region const&) = delete;
  Region& operator=(Region const&) = delete;
  ~Region() { Kokkos::Profiling::popRegion(); }
};

} // namespace

double Sweep::agreed_since(double start) const
{
  return world_.broadcast(measure::now() - start);
}

void Sweep::measure_rounds()
{
  auto const living = alive();
  findings_.energy_reason = "nothing was measured";
  if (meeting_) { // even where there is nothing to measure: the other run goes on alone then
    progress_("waiting for the other run");
    turns_ = std::make_unique<measure::Turns>(*meeting_);
  }
  if (living.empty())
    return turns_.reset();
  measure::EnergyMeter meter(world_);
  meter.start();
  take_rounds(living, meter);
  turns_.reset();
  findings_.energy = meter.stop();
  findings_.energy_reason = meter.reason();
  if (meeting_) {
    findings_.energy.reset();
    findings_.energy_reason = "another run shared the device";
  }
}

void Sweep::take_rounds(std::vector<Entry*> const& living, measure::EnergyMeter& meter)
{
  measure::StoppingRule rule(rules_);
  double start = measure::now();
  auto const idle_s = [this] { return warmed_s_ + (turns_ ? turns_->waited_s() : 0); };
  double idle_before_s = idle_s();
  auto next = measure::Next::another_round; // the first answer of the rule that ends the rounds
  while (true) {
    if (!take_round(living))
      return;
    meter.keep_up();
    bool const longer = lengthen(living);
    findings_.measured_s = agreed_since(start) - (idle_s() - idle_before_s);
    if (!longer && next == measure::Next::another_round) {
      measure::Series samples;
      for (auto const* entry : living)
        samples.emplace_back(entry->result.samples_s);
      next = rule.after_round(samples, findings_.measured_s);
    }
    measure::Turns::Wish wish{longer, next != measure::Next::another_round};
    if (turns_)
      wish = turns_->agree(wish);
    if (wish.again) {
      drop_samples(living);
      rule = measure::StoppingRule(rules_);
      next = measure::Next::another_round;
      start = measure::now();
      idle_before_s = idle_s();
    } else if (wish.stop)
      break;
  }
  findings_.converged = next != measure::Next::time_is_up;
}

/// False where the run is interrupted.
bool Sweep::take_round(std::vector<Entry*> const& living)
{
  for (auto const index : measure::round_order(rules_.seed, rounds_begun_++, living.size())) {
    auto& entry = *living[index];
    in_turn([&] {
      if (!entry.warm)
        warm_up(entry);
      if (stop_asked())
        return;
      progress_("round " + std::to_string(findings_.rounds + 1) + "  " +
                entry.description.label);
      sample(entry, true);
    });
    if (stop_asked())
      return false;
  }
  ++findings_.rounds;
  return true;
}

/// While the other run, if there is one, waits.
void Sweep::in_turn(std::function<void()> const& work)
{
  if (turns_)
    turns_->begin();
  work();
  if (turns_)
    turns_->end();
}

/// After the third round: gives cases whose samples are too short more steps a sample; whether
/// there were any.
bool Sweep::lengthen(std::vector<Entry*> const& living)
{
  constexpr int look_after = 3;
  constexpr int most_retakes = 3;
  if (rules_.smoke() || findings_.rounds != look_after || retakes_ == most_retakes)
    return false;
  bool any = false;
  in_turn([&] {
    for (auto* entry : living)
      if (measure::too_short(entry->result.samples_s, entry->result.inner, sample_target_s_)) {
        reset(*entry); // others have had its memory
        calibrate(*entry);
        any = true;
      }
  });
  return any;
}

/// Those of all cases, which are paired by round: the rounds begin again.
void Sweep::drop_samples(std::vector<Entry*> const& living)
{
  ++retakes_;
  findings_.rounds = 0;
  for (auto* entry : living) {
    auto& result = entry->result;
    result.samples_s.clear();
    result.rank_min_s.clear();
    result.rank_mean_s.clear();
    result.slowest_rank.clear();
    entry->phases.clear();
  }
}

void Sweep::warm_up(Entry& entry)
{
  progress_("warming up " + entry.description.label);
  double const start = measure::now();
  reset(entry);
  double const stepping = measure::now();
  int steps = 0;
  auto& warm_s = entry.result.warmup_s;
  while (!measure::warmed_up(steps, warm_s, rules_)) {
    if (stop_asked())
      return;
    measure::take(world_, 1, [&] { spend_step(entry); });
    ++steps;
    warm_s = agreed_since(stepping);
  }
  calibrate(entry);
  entry.warm = true;
  warmed_s_ += agreed_since(start);
}

/// Finds the steps of a sample that is long enough; in a smoke run, whose times nobody reads,
/// it has one.
void Sweep::calibrate(Entry& entry)
{
  if (!rules_.smoke())
    entry.result.inner = measure::calibrate(
        [&](int inner) {
          return measure::take(world_, inner, [&] { spend_step(entry); }).max_s;
        },
        sample_target_s_);
}

void Sweep::sample(Entry& entry, bool keep)
{
  auto& result = entry.result;
  reset(entry);
  Region const region(entry.description.label);
  auto const taken = measure::take(world_, result.inner, [&] { spend_step(entry); });
  if (!keep)
    return;
  result.samples_s.push_back(taken.max_s);
  result.rank_min_s.push_back(taken.min_s);
  result.rank_mean_s.push_back(taken.mean_s);
  if (world_.ranks() > 1)
    result.slowest_rank.push_back(taken.slowest_rank);
  for (auto const& phase : entry.trial->phases())
    entry.phases[phase.name].push_back(world_.max(phase.seconds));
}

} // namespace strata::driver
