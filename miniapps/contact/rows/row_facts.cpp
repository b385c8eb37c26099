#include "row_facts.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace strata::contact {

namespace {

/// "0", "1", "2-3", ..., "1024+".
std::string lengths_of(int number)
{
  if (number < 2)
    return std::to_string(number);
  index_t const first = index_t{1} << (number - 1);
  return number + 1 == RowCensus::classes
             ? std::to_string(first) + "+"
             : std::to_string(first) + "-" + std::to_string(2 * first - 1);
}

} // namespace

RowFacts over_all(RowFacts mine, index_t rows, index_t bytes,
                  runtime::Communicator const& world)
{
  for (index_t& count : mine.census.rows)
    count = world.sum(count);
  mine.census.spilled = world.sum(mine.census.spilled);
  mine.capacity = world.max(mine.capacity);
  mine.regrows = world.sum(mine.regrows);
  mine.bytes_per_element = static_cast<double>(world.sum(bytes)) /
                           static_cast<double>(std::max<index_t>(world.sum(rows), 1));
  return mine;
}

report::Facts facts_of(RowFacts const& facts)
{
  std::vector<std::string> lengths;
  for (int c = 0; c < RowCensus::classes; ++c)
    if (facts.census.rows[c] > 0)
      lengths.push_back(lengths_of(c) + ": " + std::to_string(facts.census.rows[c]));
  report::Facts told{{"row_lengths", text::join(lengths, ", ")}};
  if (facts.capacity > 0)
    told.push_back({"capacity", std::to_string(facts.capacity)});
  told.push_back({"regrows", std::to_string(facts.regrows)});
  if (facts.can_spill)
    told.push_back({"spilled", std::to_string(facts.census.spilled)});
  told.push_back({"bytes_per_element", text::rounded(facts.bytes_per_element, 4)});
  return told;
}

} // namespace strata::contact
