#pragma once

#include "base/types.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

// How long a GPU takes for sums of many rows, by how their terms are divided over blocks of
// threads (teams). A model, by which `auto` and the hand-written kernels choose what they try.

namespace strata::matvec {

inline index_t quotient_up(index_t n, index_t divisor)
{
  return (n + divisor - 1) / divisor;
}

/// Blocks of `threads` threads for so many rows, of which groups of `lanes` threads have
/// `of_group` each, `apart` from each other.
inline index_t blocks_of_groups(index_t rows, int threads, int lanes, int of_group,
                                index_t apart)
{
  return quotient_up(quotient_up(rows, of_group * apart) * apart, threads / lanes);
}

/// The terms of each row are split into `parts`, and so many `blocks` of threads share the rows
/// of each. A block loads `bytes` of a part in `trips`, each of which waits for the one before;
/// the last block of some rows adds their parts in `sum_trips`.
struct Division
{
  index_t blocks;
  index_t parts;
  index_t trips;
  index_t bytes;
  index_t sum_trips;
};

// Microseconds, fitted to 2,500 divisions of 22 shapes on an H200, in the cache and beyond:
// what the model takes for the fastest takes 3 to 5 % longer than the fastest measured, on
// average.
inline constexpr double trip_time = 0.5;
inline constexpr double wave_time = 0.3;
inline constexpr double sum_time = 0.7;
inline constexpr double sum_trip_time = 1.2;
inline constexpr double bytes_per_time = 4.4e6;
/// Of a wave: how much later than on average its last block ends.
inline constexpr double tail = 0.1;
/// Bytes that the memory could have loaded while it opens a contiguous piece.
inline constexpr index_t piece_cost = 16;
/// Bytes in a cache: beyond, less than half of the blocks that a device runs at once do not
/// saturate its memory.
inline constexpr index_t cached_bytes = index_t{48} << 20;

/// In microseconds, of a device that runs `at_once` blocks at once.
inline double time_of(Division const& d, index_t at_once)
{
  index_t const blocks = d.blocks * d.parts;
  // Somewhat more than either the latencies or the bandwidth asks for, where both ask for much.
  auto const wave = [&](double beside) {
    double const waiting = static_cast<double>(d.trips) * trip_time;
    double const loading = beside * static_cast<double>(d.bytes) / bytes_per_time;
    return std::sqrt(std::hypot(waiting * waiting, loading * loading));
  };
  auto const all = static_cast<double>(at_once);
  index_t const whole_waves = blocks / at_once;
  auto const whole = static_cast<double>(whole_waves);
  auto const rest = static_cast<double>(blocks % at_once);
  double time = static_cast<double>(quotient_up(blocks, at_once)) * wave_time;
  if (whole > 0)
    time += (whole + tail) * wave(all);
  if (rest > 0)
    time += wave(whole > 0 || blocks * d.bytes > cached_bytes ? std::max(rest, all / 2) : rest);
  if (d.parts > 1)
    time += sum_time + static_cast<double>(d.sum_trips) * sum_trip_time;
  return time;
}

/// Of the plans offered, the few whose divisions take the least time, the fastest first. The
/// fastest measured of the 22 shapes was among the first six, or one of these within 1 % of it.
template <class Plan>
class Shortlist
{
public:
  static constexpr std::size_t most = 8;

  explicit Shortlist(index_t at_once)
      : at_once_(at_once)
  {
  }
  void offer(Division const& division, Plan const& plan)
  {
    if (std::find(plans_.begin(), plans_.end(), plan) != plans_.end())
      return;
    double const time = time_of(division, at_once_);
    auto const place = std::upper_bound(times_.begin(), times_.end(), time);
    plans_.insert(plans_.begin() + (place - times_.begin()), plan);
    times_.insert(place, time);
    if (plans_.size() > most) {
      plans_.pop_back();
      times_.pop_back();
    }
  }
  [[nodiscard]] std::vector<Plan> const& plans() const { return plans_; }

private:
  index_t at_once_;
  std::vector<double> times_;
  std::vector<Plan> plans_;
};

/// The plans for shapes, each made at the shape's first launch: making one can take longer than
/// the launch.
template <class Plan>
class Plans
{
public:
  template <class Make>
  Plan const& of(index_t rows, index_t cols, Make const& make)
  {
    auto const place = known_.find({rows, cols});
    return place != known_.end() ? place->second
                                 : known_.try_emplace({rows, cols}, make()).first->second;
  }

private:
  std::map<std::pair<index_t, index_t>, Plan> known_;
};

/// Calls f(parts) for numbers of parts, each at most a third more than the one before, of which
/// 1 always is one, and no other that gives more than `most` blocks in all.
template <class F>
void for_parts(index_t blocks, index_t most, F const& f)
{
  for (index_t parts = 1; parts == 1 || parts * std::max<index_t>(blocks, 1) <= most;
       parts += std::max<index_t>(parts / 3, 1))
    f(parts);
}

} // namespace strata::matvec
