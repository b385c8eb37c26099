#pragma once

#include "statistics.hpp"
#include "trial.hpp"
#include "update_trial.hpp"

namespace strata::contact {

/// The trial of a kernel over one structure of rows.
template <class Rows>
driver::Maker maker_of(Choice const& choice, Shared const& problem,
                       Fill<Rows> fill = fill_inlined<Rows>)
{
  return [choice, problem, fill](driver::Workspace&) -> std::unique_ptr<driver::Trial> {
    problem->prepare();
    if (choice.kernel == "build")
      return std::make_unique<BuildTrial<Rows>>(choice, problem, fill);
    if (choice.kernel == "statistics")
      return std::make_unique<StatisticsTrial<Rows>>(choice, problem, fill);
    return std::make_unique<UpdateTrial<Rows>>(choice, problem, fill);
  };
}

} // namespace strata::contact
