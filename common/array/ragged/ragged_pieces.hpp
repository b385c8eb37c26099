#pragma once

#include "ragged.hpp"

#include "../access/prefetch.hpp"
#include "../launch/device_loop.hpp"
#include "../launch/team.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

// Launches on a GPU over a ragged array: each team has a piece of equally many elements,
// whatever their lines. Host loops search lines by these functions, too.

namespace strata::detail {

/// Number of the line that has an entry, one of `low` to `high`, by binary search.
KOKKOS_FUNCTION inline index_t line_with(RaggedRowsView const& lines, index_t entry,
                                         index_t low, index_t high)
{
  while (low < high) {
    index_t const middle = low + (high - low) / 2;
    if (lines.end(middle) <= entry)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// The same of a line after `line`, in time that grows with the logarithm of the distance.
KOKKOS_FUNCTION inline index_t next_line_with(RaggedRowsView const& lines, index_t entry,
                                              index_t line)
{
  index_t const last = lines.rows() - 1;
  index_t low = line + 1;
  index_t high = low;
  for (index_t distance = 1; high < last && lines.end(high) <= entry; distance *= 2) {
    low = high + 1;
    high = high + distance < last ? high + distance : last;
  }
  return line_with(lines, entry, low, high);
}

/// Threads of a GPU that share a piece of a ragged array.
inline constexpr int piece_team = 128;

/// Number of the line that has an entry. A team looks at as many lines at once as it has
/// members so that it waits for few loads one after another; all members call it with the
/// same entry.
template <class Team>
KOKKOS_FUNCTION index_t line_of_team(Team const& team, RaggedRowsView const& lines,
                                     index_t entry)
{
  static_assert(Team::size > 1);
  index_t low = 0;
  index_t high = lines.rows() - 1;
  while (low < high) {
    index_t const apart = (high - low + Team::size - 1) / Team::size;
    index_t const probe = low + (team.rank() + 1) * apart - 1;
    low += team.count(probe < high && lines.end(probe) <= entry) * apart;
    high = low + apart - 1 < high ? low + apart - 1 : high;
  }
  return low;
}

/// The memory of an array that a kernel reads; none unless its entries lie one after another
/// behind a pointer.
struct Operand
{
  std::byte const* data = nullptr;
  index_t element_bytes = 0;
  index_t bytes = 0;

  KOKKOS_FUNCTION void prefetch(index_t entry) const
  {
    if (entry * element_bytes < bytes)
      prefetch_on_gpu(data + entry * element_bytes);
  }
};
template <class Span>
Operand operand(Span const&)
{
  return {};
}
template <class Values, Lines Of>
Operand operand(RaggedSpan<Values, RaggedRowsView, Of> const& span)
{
  using T = typename Values::value_type;
  if constexpr (std::is_convertible_v<typename Values::data_handle_type, T const*>) {
    auto const& values = span.values();
    T const* const data = values.data_handle();
    index_t const bytes = values.extent(0) * static_cast<index_t>(sizeof(T));
    if (values.stride(0) == 1)
      return {reinterpret_cast<std::byte const*>(data), sizeof(T), bytes};
  }
  return {};
}
template <std::size_t N>
struct Operands
{
  Operand of[N > 0 ? N : 1];

  KOKKOS_FUNCTION void prefetch(index_t entry) const
  {
    if constexpr (N > 0)
      for (auto const& one : of)
        one.prefetch(entry);
  }
};
/// The arrays that a kernel says it reads.
template <class Kernel>
auto operands(Kernel const& kernel)
{
  if constexpr (requires { kernel.reads(); })
    return std::apply(
        [](auto const&... span) { return Operands<sizeof...(span)>{{operand(span)...}}; },
        kernel.reads());
  else
    return Operands<0>{};
}

/// Calls f(line, position) for this team member's share of a piece of a ragged array: packs of
/// W that lie aligned in one line, and the elements of those that do not.
template <int W, class Team, class F>
KOKKOS_FUNCTION void visit_piece(Team const& team, RaggedRowsView const& lines, index_t piece,
                                 F const& f)
{
  index_t const total = lines.end(lines.rows() - 1);
  index_t const first = team.index() * piece;
  RaggedLine line = lines.line(line_of_team(team, lines, first));
  if (first >= total)
    return;
  index_t const after = first + piece < total ? first + piece : total;
  index_t end = lines.end(line);
  auto const reach = [&](index_t entry) {
    if (entry < end)
      return;
    line = lines.line(next_line_with(lines, entry, line));
    end = lines.end(line);
  };
#if defined(__CUDA_ARCH__)
#pragma unroll 1 // more threads at once gain more than more loads of each
#endif
  for (index_t at = first + team.rank() * W; at < after; at += Team::size * W) {
    reach(at);
    if constexpr (W > 1)
      if (at + W <= end) {
        f(line, PackIndex<W>{at - line.begin});
        continue;
      }
    for (index_t entry = at; entry < at + W && entry < total; ++entry) {
      reach(entry);
      f(line, entry - line.begin);
    }
  }
}

/// A team visits a piece of `elements`. A member's first elements are on their way to the
/// second-level cache while its team searches their line; those of its other steps as well
/// would be too many for the memory at once. Trials on an H200 chose these numbers and those of
/// PieceReduce (results/h200/limits.md).
template <class Walk, class Kernel, int W>
struct PieceFor
{
  /// As many threads as a multiprocessor holds, since all wait for the search.
  static constexpr unsigned teams_at_once = multiprocessor_items / piece_team;
  static constexpr index_t elements = 3 * piece_team * W;
  static constexpr char const* name() { return Kernel::name(); }
  Walk walk;
  Kernel kernel;
  decltype(operands(std::declval<Kernel const&>())) reads;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    reads.prefetch(team.index() * elements + team.rank() * W);
    visit_piece<W>(team, walk.lines(), elements,
                   [&](auto const& line, auto position) { walk.call(kernel, line, position); });
  }
};

/// Adds a piece's sum to the result, which starts at 0.
template <class Walk, class Kernel, int W, class Sum>
struct PieceReduce
{
  /// Leaves registers for the partial sums of a pack of floats, which are four doubles: with
  /// 16 teams a dot of floats had 0.62 of the rate that it has with 12.
  static constexpr unsigned teams_at_once = 12;
  static constexpr char const* name() { return Kernel::name(); }
  Walk walk;
  Kernel kernel;
  index_t piece;
  Sum* result;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    typename PartialSum<Sum, W>::type lanes{};
    Sum single{};
    visit_piece<W>(team, walk.lines(), piece, [&](auto const& line, auto position) {
      if constexpr (index_width<decltype(position)> == 0)
        walk.call(kernel, line, position, single);
      else
        walk.call(kernel, line, position, lanes);
    });
    if constexpr (W > 1)
      single += lane_sum(lanes);
    Sum const sum = team.sum(single);
    if (team.rank() == 0)
      Kokkos::atomic_add(result, sum);
  }
};

/// Elements of a piece of a sum: of a few pieces for each team that the device runs at once,
/// since each ends with a sum over the team.
template <class Kernel, int W>
index_t sum_piece(index_t elements)
{
  constexpr index_t step = piece_team * W;
  index_t const share = elements / (4 * teams_of_device<Kernel>());
  return step * std::clamp<index_t>(share / step, 4, 64);
}

} // namespace strata::detail
