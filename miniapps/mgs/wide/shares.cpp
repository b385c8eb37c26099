#include "shares.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <vector>

namespace strata::mgs {

namespace {

/// Units that follow each other in a strip.
struct Piece
{
  int strip;
  int unit;
  int count;
};

Share share_of(Piece const& one, Piece const& other)
{
  return {{one.strip, other.strip}, {one.unit, other.unit}, one.count, one.count + other.count};
}

/// Shares of at most `most` blocks: strips are cut into pieces of so many, and the longest rest
/// of one has the shortest of another beside it where both fit.
std::vector<Share> cut(Triangle const& triangle, int most)
{
  std::vector<Share> shares;
  std::vector<Piece> rests;
  for (int strip = 0; strip < triangle.strips; ++strip) {
    int const end = 2 * triangle.strips;
    int unit = 2 * strip;
    for (; end - unit >= most; unit += most)
      shares.push_back(share_of({strip, unit, most}, {strip, unit, 0}));
    if (unit < end)
      rests.push_back({strip, unit, end - unit});
  }
  std::sort(rests.begin(), rests.end(),
            [](Piece const& a, Piece const& b) { return a.count > b.count; });
  while (!rests.empty()) {
    Piece const longest = rests.front();
    rests.erase(rests.begin());
    Piece other{longest.strip, longest.unit, 0};
    if (!rests.empty() && longest.count + rests.back().count <= most) {
      other = rests.back();
      rests.pop_back();
    }
    shares.push_back(share_of(longest, other));
  }
  return shares;
}

} // namespace

Shares Shares::make(Triangle const& triangle)
{
  for (int slices = 4; slices > 0; slices /= 2)
    for (int most = 1; most <= most_blocks; ++most) {
      auto const all = cut(triangle, most);
      int const count = static_cast<int>(all.size());
      if (count > warps / slices)
        continue;
      Shares shares{slices, count, {}};
      std::copy(all.begin(), all.end(), shares.of);
      return shares;
    }
  STRATA_CHECK(false, "more columns than are multiplied at once");
  return {};
}

} // namespace strata::mgs
