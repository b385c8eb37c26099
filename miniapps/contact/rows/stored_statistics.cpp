#include "stored_statistics.hpp"

#include "array/dense/copy.hpp"
#include "verify/fill.hpp"

#include <algorithm>
#include <numeric>

namespace strata::contact {

StoredStatistics::StoredStatistics(index_t rows)
    : rows_(rows)
    , numbers_("strata::contact statistics of rows", Dynamic<1>(4 * rows))
{
}

void StoredStatistics::spoil() const
{
  verify::fill(numbers_.memory(), std::byte{0xA5});
}

index_t StoredStatistics::differing(std::vector<GapStatistics> const& expected) const
{
  Array<double, Dynamic<1>, LayoutRight, HostSpace> const copied(
      "strata::contact copied statistics", Dynamic<1>(4 * rows_));
  copy(copied, numbers_);
  double const* const numbers = copied.data();
  index_t differing = 0;
  for (index_t row = 0; row < rows_; ++row) {
    GapStatistics const found{numbers[row], numbers[rows_ + row], numbers[2 * rows_ + row],
                              numbers[3 * rows_ + row]};
    differing += found == expected[static_cast<std::size_t>(row)] ? 0 : 1;
  }
  return differing;
}

std::vector<GapStatistics> statistics_of(std::vector<std::vector<double>> const& rows)
{
  std::vector<GapStatistics> found;
  for (auto const& gaps : rows) {
    auto& of_row = found.emplace_back();
    if (gaps.empty())
      continue;
    auto const [least, greatest] = std::minmax_element(gaps.begin(), gaps.end());
    double const sum = std::accumulate(gaps.begin(), gaps.end(), 0.0);
    of_row = {*least, *greatest, sum, sum / static_cast<double>(gaps.size())};
  }
  return found;
}

} // namespace strata::contact
