#include "row_sums.hpp"

#include "runtime/share.hpp"

#include <algorithm>

namespace strata::contact {

namespace {

/// A rank's stretch of the rows.
std::vector<RowSum> share_of(std::vector<RowSum> const& rows, runtime::Share const& share)
{
  auto const count = static_cast<index_t>(rows.size());
  return {rows.begin() + share.begin(count), rows.begin() + share.end(count)};
}

} // namespace

std::vector<std::vector<RowSum>> parts_of(std::vector<RowSum> const& mine, int ranks)
{
  std::vector<std::vector<RowSum>> parts;
  for (int r = 0; r < ranks; ++r) {
    auto& part = parts.emplace_back(share_of(mine, {r, ranks}));
    std::erase_if(part, [](RowSum const& sum) { return sum.entries == 0; });
  }
  return parts;
}

std::vector<RowSum> added_up(std::vector<RowSum> const& mine,
                             runtime::Communicator const& world)
{
  auto sums = share_of(mine, {world.rank(), world.ranks()});
  for (auto& sum : sums)
    sum = {sum.gid, 0, 0};
  for (auto const& part : world.all_to_all(parts_of(mine, world.ranks())).values) {
    auto const sum = std::lower_bound(sums.begin(), sums.end(), part.gid,
                                      [](RowSum const& s, index_t gid) { return s.gid < gid; });
    sum->entries += part.entries;
    sum->hash += part.hash;
  }
  return world.all_gather(sums).values;
}

} // namespace strata::contact
