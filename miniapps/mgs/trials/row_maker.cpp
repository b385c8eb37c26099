#include "trial.hpp"

#include "driver/axis.hpp"
#include "rows/host_launches.hpp"

namespace strata::mgs {

namespace {

/// `waits`: the host for results.
template <template <class, class> class Launches, class Layout, class T = double>
StepMaker<Layout, T> steps_of(Algorithm const& algorithm, bool waits)
{
  return [by_rows = algorithm.by_rows, waits](Fields<Layout, T> const& fields) -> Step {
    auto const launches = std::make_shared<Launches<Layout, T>>(fields.a, fields.rows,
                                                                fields.factor, fields.ranks);
    std::function<void()> const all = [by_rows, launches, columns = fields.factor.columns()] {
      by_rows(*launches, columns);
    };
    return waits ? all : step_of(fields.factor, fields.ranks, all);
  };
}

} // namespace

driver::Maker row_maker(Choice const& choice, Problem const& problem)
{
  auto const& found = algorithm(choice.algorithm);
  bool const on_host = choice.results == "host";
  // Of the algorithms with many sums per launch, `batched` alone has a form with sums on the
  // host.
  if (found.by_rows == nullptr ||
      (on_host && choice.algorithm != "sequence" && choice.algorithm != "batched"))
    return {};
  if (choice.scalar == "float")
    return on_host || choice.layout != driver::word_of<LayoutBest>()
               ? driver::Maker()
               : maker<LayoutBest, float>(
                     choice, problem, steps_of<RowLaunches, LayoutBest, float>(found, false));
  driver::Maker made;
  SpanLayouts::at(choice.layout, [&]<class Layout>() {
    made = maker<Layout>(choice, problem,
                         on_host ? steps_of<HostLaunches, Layout>(found, true)
                                 : steps_of<RowLaunches, Layout>(found, false));
  });
  return made;
}

} // namespace strata::mgs
