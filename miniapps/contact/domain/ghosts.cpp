#include "ghost_kernels.hpp"
#include "population.hpp"

#include "array/launch/for_each.hpp"
#include "array/launch/reduce.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

// How a population copies what lies near the elements of other ranks.

namespace strata::contact {

namespace {

/// Whether an image of `mine` touches `other`, one of them wider by `margin`. A rounding more
/// than SelectNear's comparison of single objects.
bool touch(Box const& mine, Box const& other, std::array<double, 3> const& shift, double margin)
{
  if (!(mine.low[0] <= mine.high[0]))
    return false; // of no objects
  constexpr double rounded = 1e-12;
  for (int k = 0; k < 3; ++k) {
    auto const at = static_cast<std::size_t>(k);
    double const wide = margin + rounded * (std::abs(mine.low[k]) + std::abs(mine.high[k]) +
                                            std::abs(shift[at]) + margin);
    if (mine.high[k] + shift[at] + wide < other.low[k] ||
        mine.low[k] + shift[at] - wide > other.high[k])
      return false;
  }
  return true;
}

} // namespace

Box Population::box_of(index_t objects) const
{
  return reduced<Box>(in_order_of<LayoutRight>(Dynamic<1>(objects)),
                      AddRow{geometry(), halves_});
}

/// Fills the send list, with one range per rank that needs something. Objects are looked at
/// only where the box of them all is near another rank's, and again only where the list of the
/// exchange before has too little room.
void Population::select(std::vector<Box> const& boxes, Box const& mine, double slack)
{
  auto const margin = std::max(0.0, scene_.gap) + slack;
  using Policy = Kokkos::RangePolicy<Device, Kokkos::IndexType<index_t>>;
  sending_.clear();
  index_t listed = 0;
  for (int r = 0; r < world_.ranks(); ++r) {
    index_t const first = listed;
    for (std::size_t s = 0; s < images_.size(); ++s) {
      auto const& box = boxes[static_cast<std::size_t>(r)];
      if ((r == world_.rank() && s == 0) || !touch(mine, box, images_[s], margin))
        continue;
      SelectNear kernel{geometry(), halves_,
                        box,        {images_[s][0], images_[s][1], images_[s][2]},
                        margin,     static_cast<std::int32_t>(s),
                        0,          nullptr,
                        nullptr};
      index_t found = 0;
      do {
        kernel.source = source_.reserve(listed + found, listed) + listed;
        kernel.images = image_.reserve(listed + found, listed) + listed;
        kernel.room = std::min(source_.room(), image_.room()) - listed;
        Kokkos::parallel_scan(kernel.name(), Policy(0, own_), kernel, found);
      } while (found > kernel.room);
      listed += found;
    }
    if (listed > first)
      sending_.push_back({r, first, listed - first});
  }
}

/// Tells each rank how many objects it gets; ghosts are in the order of their ranks.
void Population::announce()
{
  std::vector<std::vector<index_t>> counts(static_cast<std::size_t>(world_.ranks()));
  for (auto const& route : sending_)
    counts[static_cast<std::size_t>(route.rank)] = {route.count};
  receiving_.clear();
  ghosts_ = 0;
  auto const theirs = world_.all_to_all(counts);
  for (int r = 0; r < world_.ranks(); ++r)
    for (index_t const count : theirs.from(r)) {
      receiving_.push_back({r, own_ + ghosts_, count});
      ghosts_ += count;
    }
}

int Population::words(bool positions_only) const
{
  int const fixed = 1 + halves_ + (scene_.shape == Shape::simplex ? 16 : 0);
  return (bonded_ ? 4 : 3) + (positions_only ? 0 : fixed);
}

void Population::send(bool positions_only)
{
  auto const n = static_cast<index_t>(words(positions_only));
  index_t const sent = sending_.empty() ? 0 : sending_.back().first + sending_.back().count;
  double* const out = outbox_.reserve(sent * n);
  double* const in = inbox_.reserve(ghosts_ * n);
  Words words{{},
              body_.data(),
              gid_.data(),
              {},
              corner_.data(),
              point_.data(),
              halves_,
              bonded_,
              scene_.shape == Shape::simplex,
              positions_only};
  for (std::size_t k = 0; k < 3; ++k) {
    words.at[k] = at_[k].data();
    words.half[k] = half_[k].data();
  }
  constexpr auto word_bytes = static_cast<index_t>(sizeof(double));
  std::vector<runtime::Message> sends;
  std::vector<runtime::Message> receives;
  for (auto const& route : sending_) {
    PackGhosts kernel{words, source_.data() + route.first, image_.data() + route.first,
                      {},    out + route.first * n,        route.count};
    for (std::size_t s = 0; s < images_.size(); ++s)
      std::copy(images_[s].begin(), images_[s].end(), kernel.shifts[s]);
    for_each(route.count, kernel);
    sends.push_back({route.rank, kernel.box, route.count * n * word_bytes});
  }
  for (auto const& route : receiving_)
    receives.push_back(
        {route.rank, in + (route.first - own_) * n, route.count * n * word_bytes});
  Kokkos::fence();
  auto const start = std::chrono::steady_clock::now();
  exchange_.exchange(sends, receives);
  Kokkos::fence();
  communication_s_ +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (auto const& route : receiving_)
    for_each(route.count,
             UnpackGhosts{words, in + (route.first - own_) * n, route.count, route.first});
}

void Population::gather_ghosts(double slack)
{
  if (world_.ranks() == 1 && images_.size() == 1)
    return;
  auto const rows = box_of(rows_);
  auto const own = own_ == rows_ ? rows : box_of(own_);
  select(world_.all_gather(std::vector{rows}).values, own, slack);
  announce();
  for (std::size_t k = 0; k < 3; ++k) {
    at_[k].reserve(all(), own_);
    if (static_cast<int>(k) < halves_)
      half_[k].reserve(all(), own_);
  }
  gid_.reserve(all(), own_);
  body_.reserve(all(), own_);
  if (scene_.shape == Shape::simplex) {
    corner_.reserve(12 * all(), 12 * own_);
    point_.reserve(4 * all(), 4 * own_);
  }
  send(false);
}

GhostGids Population::ghost_gids()
{
  index_t* const kept = old_gid_.reserve(ghosts_);
  for_each(ghosts_, CopyGids{gid_.data() + own_, kept});
  return {kept, own_, ghosts_};
}

void Population::refresh_ghosts()
{
  if (!sending_.empty() || !receiving_.empty())
    send(true);
}

} // namespace strata::contact
