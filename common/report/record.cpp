#include "record.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace strata::report {

Fom rate(std::string metric, std::string unit, Scope scope, double amount,
         measure::Statistics const& time)
{
  Fom fom{.metric = std::move(metric),
          .unit = std::move(unit),
          .scope = scope,
          .value = amount / time.median,
          .n = time.n,
          .best = amount / time.best};
  if (time.ci95)
    fom.ci95 = measure::Interval{amount / time.ci95->high, amount / time.ci95->low};
  return fom;
}

std::optional<measure::Statistics> Case::statistics() const
{
  if (samples_s.empty())
    return std::nullopt;
  return measure::summarise(samples_s);
}

std::string Case::why() const
{
  auto const check = std::find_if(checks.begin(), checks.end(),
                                  [](verify::Verdict const& one) { return !one.passed; });
  if (!reason.empty() || check == checks.end())
    return reason;
  return check->metric + " is " + text::rounded(check->error, 3) + ", at most " +
         text::rounded(check->allowed, 3) + " is allowed";
}

std::span<Fom const> Case::figures() const
{
  if (status != Status::measured)
    return {};
  return foms;
}

Fom const* Case::primary() const
{
  auto const all = figures();
  auto const fom = std::find_if(all.begin(), all.end(),
                                [](Fom const& one) { return one.scope == Scope::job; });
  return fom == all.end() ? nullptr : &*fom;
}

std::string_view word(Status status)
{
  switch (status) {
  case Status::measured:
    return "measured";
  case Status::failed:
    return "failed";
  case Status::unavailable:
    return "unavailable";
  case Status::incomplete:
    break;
  }
  return "incomplete";
}

std::string_view word(Better better)
{
  return better == Better::higher ? "higher" : "lower";
}

std::string_view word(Scope scope)
{
  return scope == Scope::job ? "job" : "device";
}

} // namespace strata::report
