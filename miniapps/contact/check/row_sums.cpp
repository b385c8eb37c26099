#include "row_sums.hpp"

namespace strata::contact {

std::vector<RowSum> added_up(std::vector<RowSum> const& mine,
                             runtime::Communicator const& world)
{
  std::vector<std::uint64_t> numbers;
  for (auto const& row : mine) {
    numbers.push_back(static_cast<std::uint64_t>(row.entries));
    numbers.push_back(row.hash);
  }
  numbers = world.sum(numbers);
  auto sums = mine;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i].entries = static_cast<std::int64_t>(numbers[2 * i]);
    sums[i].hash = numbers[2 * i + 1];
  }
  return sums;
}

} // namespace strata::contact
