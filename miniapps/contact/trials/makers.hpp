#pragma once

#include "statistics_trial.hpp"
#include "trial.hpp"
#include "update_trial.hpp"

namespace strata::contact {

/// The trial of a kernel over one structure of rows, once the problem is prepared.
template <class Rows>
std::unique_ptr<driver::Trial> trial_of(Choice const& choice, Shared const& problem,
                                        Fill<Rows> const& fill)
{
  if (choice.kernel == "build")
    return std::make_unique<BuildTrial<Rows>>(choice, problem, fill);
  if (choice.kernel == "statistics")
    return std::make_unique<StatisticsTrial<Rows>>(choice, problem, fill);
  return std::make_unique<UpdateTrial<Rows>>(choice, problem, fill);
}

/// Makes trials that search as `fill` does.
template <class Rows>
driver::Maker maker_of(Choice const& choice, Shared const& problem,
                       Fill<Rows> const& fill = fill_inlined<Rows>)
{
  return [choice, problem, fill](driver::Workspace&) {
    problem->prepare();
    return trial_of<Rows>(choice, problem, fill);
  };
}

/// The same where the device is a host. Elsewhere `unavailable` refuses such trials, and none
/// of their kernels is compiled.
template <class Rows>
driver::Maker host_maker_of(Choice const& choice, Shared const& problem)
{
  if constexpr (device_is_host)
    return maker_of<Rows>(choice, problem);
  else
    return {};
}

/// The same, searching by pairs of objects.
template <class Rows>
driver::Maker pairs_maker_of(Choice const& choice, Shared const& problem)
{
  if constexpr (device_is_host)
    return maker_of<Rows>(choice, problem, fill_pairs<Rows>);
  else
    return {};
}

/// Makes trials that search by virtual calls, each with an object of its own.
template <class Rows>
driver::Maker virtual_maker_of(Choice const& choice, Shared const& problem)
{
  return [choice, problem](driver::Workspace&) {
    problem->prepare();
    return trial_of<Rows>(choice, problem, fill_virtual<Rows>(problem->scenery().scene()));
  };
}

} // namespace strata::contact
