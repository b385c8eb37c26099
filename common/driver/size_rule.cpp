#include "size_rule.hpp"

#include <algorithm>

namespace strata::driver {

namespace {

constexpr double flops_per_byte = 32;
constexpr double rounded = 0.95; // sizes are rounded down to whole packs and equal edges

} // namespace

std::vector<std::string> cases_in_cache(std::vector<report::Case> const& cases, int ranks,
                                        index_t least)
{
  std::vector<std::string> labels;
  for (auto const& one : cases) {
    auto const moved = static_cast<double>(one.work.bytes_read + one.work.bytes_written);
    auto const data = std::min(moved, static_cast<double>(one.memory_bytes));
    if (one.status == report::Status::measured &&
        data < rounded * static_cast<double>(least) * ranks &&
        static_cast<double>(one.work.flops) <= flops_per_byte * moved)
      labels.push_back(one.label);
  }
  return labels;
}

} // namespace strata::driver
