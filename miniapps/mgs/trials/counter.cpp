#include "counter.hpp"

#include "problem.hpp"

#include "rows/columns.hpp"

namespace strata::mgs {

namespace {

/// Number of launches for so many columns, `each` at a time. Each launch reads the common
/// columns again.
index_t launches(index_t columns, index_t each)
{
  return (columns + each - 1) / each;
}

} // namespace

void Counter::add(index_t read, index_t written, index_t flops)
{
  constexpr index_t bytes = sizeof(double);
  work_ = work_ + measure::Work{rows_ * read * bytes, rows_ * written * bytes, rows_ * flops};
}

void Counter::dots(index_t j)
{
  index_t const others = columns_ - 1 - j;
  sum();
  add(launches(others, summed) + others, 0, 2 * others);
}

void Counter::updates(index_t j)
{
  index_t const others = columns_ - 1 - j;
  add(launches(others, chunk) + others, others, 2 * others);
}

void Counter::first_row()
{
  sum();
  add(columns_ + launches(columns_, summed) - 1, 0, 2 * columns_);
}

void Counter::fused(index_t j)
{
  index_t const others = columns_ - 1 - j;
  index_t const steps = j + 1 - first_deferred(j, deferred_);
  index_t const made = launches(others, summed);
  sum();
  // Each launch reads the steps' columns and column j+1, and updates these.
  add(made * (steps + 1) - 1 + others, stores_step(j, columns_, deferred_) ? steps + others : 0,
      made * steps * (steps + 1) + 2 * (made - 1) * steps + others * (2 * steps + 2));
}

void Counter::project(index_t j, bool)
{
  sum();
  add(launches(j, summed) + j, 0, 2 * j);
}

void Counter::subtract(index_t j, bool, bool last)
{
  if (last)
    sum();
  index_t const made = launches(j, chunk);
  add(made + j, made, 2 * j + 2 * made);
}

void Counter::householder()
{
  add(2 * columns_, 2 * columns_, 4 * columns_ * columns_);
}

void Counter::pass(TilePass const& pass)
{
  if (pass.repeats) // made only where the first factor asks for it; not counted
    return;
  index_t const panel = pass.panel.count;
  index_t const rest = pass.rest.count;
  index_t const left = pass.left.count;
  index_t const right = pass.right.count;
  index_t flops = pass.divisors.usual * panel * panel;
  if (pass.updates)
    flops += 2 * panel * rest;
  flops += 2 * (left * right - left * (left - 1) / 2); // symmetric: left is right's first part
  if (left > 0)
    sum();
  add(pass.columns(), pass.stored(), flops);
}

void Counter::multiply(PanelStep const& step)
{
  index_t const panel = step.panel.count;
  sum();
  add(panel + step.rest.count, 0, panel * (panel + 1) + 2 * panel * step.rest.count);
}

void Counter::refine(PanelStep const& step)
{
  pass({.panel = step.panel,
        .rest = {step.rest.first, 0},
        .divisors = {1},
        .stores = true,
        .left = step.panel,
        .right = step.panel});
}

void Counter::update(PanelStep const& step, ColumnRange const& next)
{
  index_t const panel = step.panel.count;
  index_t const rest = step.rest.count;
  auto const before = work_;
  pass({.panel = step.panel, .rest = {step.rest.first, 0}, .divisors = {1}, .stores = true});
  if (rest == 0)
    return;
  add(panel + rest, rest, 2 * panel * rest);
  multiply({next, {next.first + next.count, rest - next.count}});
  if (rest > most_in_one_pass_)
    return;
  auto const flops = work_.flops;
  work_ = before;
  add(panel + rest, panel + rest, 0); // of all three at once
  work_.flops = flops;
}

namespace {

void count(Counter& counter, Algorithm const& algorithm, index_t columns)
{
  if (algorithm.by_rows != nullptr)
    algorithm.by_rows(counter, columns);
  else if (algorithm.by_panels != nullptr && columns > most_tile_columns)
    algorithm.by_panels(counter, columns);
  else if (algorithm.by_tiles != nullptr)
    algorithm.by_tiles(counter, columns);
  else
    counter.householder();
}

} // namespace

measure::Work work_of(Algorithm const& algorithm, index_t rows, index_t columns,
                      index_t bytes_of_element, bool by_inverses)
{
  Counter counter(rows, columns, deferred_steps, most_in_one_pass(), by_inverses);
  count(counter, algorithm, columns);
  constexpr index_t word = sizeof(double);
  auto work = counter.work();
  work.bytes_read = work.bytes_read / word * bytes_of_element;
  work.bytes_written = work.bytes_written / word * bytes_of_element;
  return work;
}

index_t allreduces_of(Algorithm const& algorithm, index_t columns, bool by_inverses)
{
  Counter counter(0, columns, deferred_steps, 0, by_inverses);
  count(counter, algorithm, columns);
  return counter.allreduces();
}

} // namespace strata::mgs
