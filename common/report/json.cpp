#include "json.hpp"

#include "ceiling.hpp"

#include "base/json.hpp"
#include "base/text.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>

namespace strata::report {

namespace {

using json::Writer;

void number(Writer& out, std::string const& name, double value)
{
  out.member(name, value);
  if (!std::isfinite(value))
    out.member(name + "_reason", text::number(value));
}

/// A number where the text is exactly how that number is written, else the text.
void write_value(Writer& out, std::string const& text)
{
  auto const* const end = text.data() + text.size();
  std::int64_t whole = 0;
  if (std::from_chars(text.data(), end, whole).ptr == end && std::to_string(whole) == text)
    out.value(whole);
  else if (auto const real = text::real(text);
           real && std::isfinite(*real) && text::number(*real) == text)
    out.value(*real);
  else
    out.value(text);
}

/// [low, high], or null; none is explained by the number of samples beside it.
void interval(Writer& out, std::optional<measure::Interval> const& range)
{
  if (range && std::isfinite(range->low) && std::isfinite(range->high))
    out.key("ci95").value(std::vector{range->low, range->high});
  else
    out.key("ci95").null();
}

/// An array of objects; `members` writes those of one item.
template <class Items, class Members>
void objects(Writer& out, char const* name, Items const& items, Members members)
{
  out.key(name).array();
  for (auto const& item : items) {
    out.object();
    members(out, item);
    out.end();
  }
  out.end();
}

void write(Writer& out, runtime::SuiteFacts const& suite)
{
  out.key("suite").object();
  out.member("name", "strata").member("version", suite.version);
  out.member("git", suite.git).member("dirty", suite.dirty).end();
}

void write(Writer& out, runtime::BuildFacts const& build)
{
  out.key("build").object();
  out.member("type", build.type).member("compiler", build.compiler);
  out.member("flags", build.flags).member("cxx", build.cxx).member("kokkos", build.kokkos);
  out.member("backends", build.backends).member("arch", build.arch);
  out.member("bounds_check", build.bounds_check).member("mpi", build.mpi).end();
}

void write(Writer& out, Run const& run)
{
  out.key("run").object();
  out.member("id", run.id).member("start_utc", run.start_utc).member("cmdline", run.cmdline);
  out.member("user_label", run.user_label).member("system", run.system);
  out.member("scheduler", run.job.scheduler).member("job_id", run.job.id);
  out.member("array_index", run.job.array_index).member("tier", run.tier).end();
}

void write(Writer& out, Deck const& deck)
{
  out.key("deck").object();
  out.member("path", deck.path).member("sha256", deck.sha256);
  out.member("effective", deck.effective).member("defaults", deck.defaults);
  out.member("overrides", deck.overrides).end();
}

/// What is as on the rank before is left out: jobs of many ranks differ in few facts.
void write_place(Writer& out, runtime::Place const& place, runtime::Place const* before)
{
  using runtime::Place;
  auto const tell = [&](char const* name, auto Place::* fact) {
    if (before == nullptr || place.*fact != before->*fact)
      out.member(name, place.*fact);
  };
  tell("host", &Place::host);
  out.member("rank", place.rank);
  tell("local_rank", &Place::local_rank);
  tell("cpuset", &Place::cpuset);
  tell("numa", &Place::numa);
  tell("threads", &Place::threads);
  tell("binding", &Place::binding);
  tell("device_id", &Place::device_id);
  tell("device", &Place::device);
  tell("pci_id", &Place::pci_id);
  tell("uuid", &Place::uuid);
  tell("driver", &Place::driver);
  tell("memory_bytes", &Place::memory_bytes);
}

void write(Writer& out, Mpi const& mpi)
{
  out.key("mpi").object().member("ranks", mpi.ranks).member("nodes", mpi.nodes);
  out.key("gpu_aware").object().member("requested", mpi.gpu_aware.requested);
  out.member("used", mpi.gpu_aware.used).member("how", mpi.gpu_aware.how).end().end();
}

void write_fom(Writer& out, Fom const& fom)
{
  out.member("metric", fom.metric);
  number(out, "value", fom.value);
  out.member("unit", fom.unit).member("better", word(fom.better)).member("stat", "median");
  out.member("n", fom.n);
  interval(out, fom.ci95);
  number(out, "best", fom.best);
  out.member("scope", word(fom.scope));
}

void write_check(Writer& out, verify::Verdict const& check)
{
  out.member("check", check.metric);
  number(out, "value", check.error);
  number(out, "allowed", check.allowed);
  out.member("status", check.passed ? "PASS" : "FAIL");
}

void write_phase(Writer& out, Phase const& phase)
{
  out.member("name", phase.name);
  number(out, "seconds", phase.seconds);
}

void write_ratio(Writer& out, TimeRatio const& paired)
{
  out.member("against", paired.against);
  number(out, "median", paired.ratio.median);
  out.member("lag1", paired.ratio.lag1);
  interval(out, paired.ratio.ci95);
  out.member("n", paired.ratio.n);
}

void write_statistics(Writer& out, std::optional<measure::Statistics> const& statistics)
{
  if (!statistics) {
    out.key("statistics").null();
  } else {
    out.key("statistics").object().member("n", statistics->n);
    number(out, "median_s", statistics->median);
    number(out, "best_s", statistics->best);
    number(out, "mean_s", statistics->mean);
    number(out, "p5_s", statistics->p5);
    number(out, "p95_s", statistics->p95);
    number(out, "cv", statistics->cv);
    out.member("lag1", statistics->lag1);
    interval(out, statistics->ci95);
    out.member("outliers", statistics->outliers).end();
  }
  out.member("drift", statistics && statistics->drift);
}

void write_what(Writer& out, Case const& one)
{
  out.member("label", one.label).member("status", word(one.status));
  out.member("reason", one.why());
  out.key("axes").object();
  for (auto const& [name, value] : one.axes)
    out.member(name, value);
  out.end().key("problem").object();
  for (auto const& [name, value] : one.problem)
    write_value(out.key(name), value);
  out.end();
  if (!one.outcome.empty()) {
    out.key("outcome").object();
    for (auto const& [name, value] : one.outcome)
      write_value(out.key(name), value);
    out.end();
  }
  out.key("work").object().member("bytes_read", one.work.bytes_read);
  out.member("bytes_written", one.work.bytes_written).member("flops", one.work.flops).end();
  out.member("memory_bytes", one.memory_bytes);
}

void write_case(Writer& out, Case const& one)
{
  write_what(out, one);
  out.member("samples_s", one.samples_s).member("inner", one.inner);
  out.member("rank_min_s", one.rank_min_s).member("rank_mean_s", one.rank_mean_s);
  out.member("slowest_rank", one.slowest_rank);
  out.member("warmup_s", one.warmup_s).member("checked", one.checked);
  write_statistics(out, one.statistics());
  out.member("converged", one.converged).member("in_cache", one.in_cache);
  objects(out, "foms", one.figures(), write_fom);
  objects(out, "checks", one.checks, write_check);
  objects(out, "phases", one.phases, write_phase);
  objects(out, "ratios", one.ratios, write_ratio);
}

void write_ceiling(Writer& out, Record const& record)
{
  if (auto const ceiling = ceiling_of(record.ceilings)) {
    out.key("ceiling").object();
    number(out, "read", ceiling->read);
    number(out, "write", ceiling->write);
    number(out, "copy", ceiling->copy);
    number(out, "triad", ceiling->triad);
    out.end();
  } else {
    out.key("ceiling").null().member("ceiling_reason", why_no_ceiling(record));
  }
  objects(out, "ceiling_cases", record.ceilings, write_case);
}

void write(Writer& out, Validity const& validity)
{
  out.key("validity").object().member("valid", validity.valid);
  out.member("official", validity.official).member("reasons", validity.reasons).end();
}

void write_energy(Writer& out, Record const& record)
{
  if (!record.energy) {
    out.key("energy").null().member("energy_reason", record.energy_reason);
    return;
  }
  auto const& energy = *record.energy;
  out.key("energy").object().member("source", energy.source).member("scope", energy.scope);
  out.member("joules", energy.joules).member("seconds", energy.seconds).end();
}

} // namespace

std::string to_json(Record const& record)
{
  Writer out;
  out.object().member("schema", Record::schema);
  write(out, record.suite);
  out.member("app", record.app).member("fom_version", Record::fom_version);
  write(out, record.build);
  write(out, record.run);
  write(out, record.deck);
  runtime::Place const* before = nullptr;
  objects(out, "placement", record.placement, [&](Writer& to, runtime::Place const& place) {
    write_place(to, place, std::exchange(before, &place));
  });
  write(out, record.mpi);
  write_ceiling(out, record);
  objects(out, "cases", record.cases, write_case);
  write_energy(out, record);
  write(out, record.validity);
  out.key("environment").object();
  for (auto const& [name, value] : record.environment)
    out.member(name, value);
  out.end().end();
  return out.text();
}

} // namespace strata::report
