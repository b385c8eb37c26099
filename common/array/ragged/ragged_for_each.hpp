#pragma once

#include "ragged.hpp"

#include "../launch/for_each.hpp"
#include "../launch/reduce.hpp"
#include "../launch/team.hpp"

#include <algorithm>

namespace strata {

/// Order of a walk over the elements of a ragged array: line after line, as in memory.
template <Lines Of>
struct LineAfterLine
{
};

namespace detail {

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

} // namespace detail

/// Walk over all elements (i,j) of a ragged array, line after line. Each host thread gets an
/// equal number of elements, whatever their lines, and so does each GPU team.
template <Lines Of>
class Walk<LineAfterLine<Of>, RaggedRowsView>
{
public:
  /// Lines of so many elements together, or fewer.
  Walk(RaggedRowsView const& lines, index_t elements)
      : lines_(lines)
      , elements_(lines.rows() == 0 ? 0 : elements)
  {
  }
  KOKKOS_FUNCTION RaggedRowsView const& lines() const { return lines_; }
  /// Elements to deal out: at least as many as there are.
  [[nodiscard]] index_t elements() const { return elements_; }

  template <class Kernel, class Position, class... Sum>
  KOKKOS_FUNCTION void call(Kernel const& kernel, RaggedLine const& line, Position position,
                            Sum&... sum) const
  {
    if constexpr (Of == Lines::rows)
      kernel(sum..., line, position);
    else
      kernel(sum..., position, line);
  }

  /// Host: calls f(RaggedLine, begin, end) for the pieces of lines in part `part`. Parts begin
  /// on multiples of Step elements; a piece that holds whole packs of W begins on a multiple of
  /// W.
  template <index_t Step, int W, class F>
  [[gnu::always_inline]] void pieces(index_t part, index_t parts, F const& f) const
  {
    index_t const total = lines_.rows() == 0 ? 0 : lines_.end(lines_.rows() - 1);
    index_t const steps = (total + Step - 1) / Step;
    index_t at = first_of_part(steps, part, parts) * Step;
    index_t const end = std::min(total, first_of_part(steps, part + 1, parts) * Step);
    index_t number = at < end ? detail::line_with(lines_, at, 0, lines_.rows() - 1) : 0;
    while (at < end) {
      while (lines_.end(number) == at)
        ++number;
      auto const line = lines_.line(number);
      index_t last = std::min(lines_.end(number), end);
      if (W > 1 && at % W != 0)
        last = std::min(last, (at / W + 1) * W);
      f(line, at - line.begin, last - line.begin); // the one place, so that it is inlined
      at = last;
    }
  }

private:
  RaggedRowsView lines_;
  index_t elements_;
};

/// Walks the elements (i,j) of a ragged array.
template <class Values, Lines Of>
auto in_order_of(RaggedSpan<Values, RaggedRowsView, Of> const& span)
{
  return Walk<LineAfterLine<Of>, RaggedRowsView>(span.view(), span.values().extent(0));
}

namespace detail {

/// Threads of a GPU that share a piece of a ragged array, and such teams on a multiprocessor:
/// as many threads as it holds, since a member waits for the search of its first line.
inline constexpr int piece_team = 128;
inline constexpr unsigned piece_teams_at_once = 16;

/// Elements of a piece in which each member visits so many packs of W.
template <int W>
constexpr index_t piece_of_steps(index_t steps)
{
  return steps * piece_team * W;
}

/// Number of the line that has an entry. The members of a warp look at 32 lines at once, so
/// that they wait for a fifth of the loads of a binary search; all members call it with one
/// entry.
template <class Team>
KOKKOS_FUNCTION index_t line_of_team(Team const& team, RaggedRowsView const& lines,
                                     index_t entry)
{
  index_t low = 0;
  index_t high = lines.rows() - 1;
  if constexpr (team_has_groups) {
    constexpr int group = 32;
    while (low < high) {
      index_t const apart = (high - low + group - 1) / group;
      index_t const probe = low + (team.rank() % group + 1) * apart - 1;
      int const is_before = probe < high && lines.end(probe) <= entry ? 1 : 0;
      low += team.template sum_of<group>(is_before) * apart;
      high = low + apart - 1 < high ? low + apart - 1 : high;
    }
  }
  return line_with(lines, entry, low, high);
}

/// Calls f(line, position) for this team member's share of a piece of a ragged array: packs of
/// W that lie aligned in one line, and the elements of those that do not.
template <int W, class Team, class F>
KOKKOS_FUNCTION void visit_piece(Team const& team, RaggedRowsView const& lines, index_t piece,
                                 F const& f)
{
  index_t const total = lines.end(lines.rows() - 1);
  index_t const first = team.index() * piece;
  if (first >= total)
    return;
  index_t const after = first + piece < total ? first + piece : total;
  RaggedLine line = lines.line(line_of_team(team, lines, first));
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

template <class Walk, class Kernel, int W>
struct PieceFor
{
  static constexpr unsigned teams_at_once = piece_teams_at_once;
  static constexpr char const* name() { return Kernel::name(); }
  Walk walk;
  Kernel kernel;
  index_t piece;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    visit_piece<W>(team, walk.lines(), piece,
                   [&](auto const& line, auto position) { walk.call(kernel, line, position); });
  }
};

/// Adds a piece's sum to the result, which starts at 0.
template <class Walk, class Kernel, int W, class Sum>
struct PieceReduce
{
  static constexpr char const* name() { return Kernel::name(); }
  static constexpr unsigned teams_at_once = piece_teams_at_once;
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
  index_t const share = elements / (4 * teams_of_device<Kernel>());
  return piece_of_steps<W>(std::clamp<index_t>(share / piece_of_steps<W>(1), 4, 64));
}

} // namespace detail

/// Launches `kernel` for every element of a ragged array; returns before it has finished.
template <class Execution = Device, int W = 1, Lines Of, class Kernel>
void for_each(Walk<LineAfterLine<Of>, RaggedRowsView> const& walk, Kernel const& kernel,
              Packs<W> = {})
{
  using Visited = Walk<LineAfterLine<Of>, RaggedRowsView>;
  if constexpr (detail::runs_on_host<Execution>) {
    using Policy = Kokkos::RangePolicy<Execution, Kokkos::IndexType<index_t>>;
    detail::HostFor<Visited, Kernel, W> const loop(walk, kernel, Execution().concurrency());
    Kokkos::parallel_for(Kernel::name(), Policy(0, loop.parts()), loop.call());
  } else {
    constexpr index_t piece = detail::piece_of_steps<W>(4);
    for_each_team<detail::piece_team, Execution>(
        (walk.elements() + piece - 1) / piece,
        detail::PieceFor<Visited, Kernel, W>{walk, kernel, piece});
  }
}

/// Sums what `kernel` adds over a ragged array into `result`, which lies in the device's memory
/// and stays there; returns before it has finished.
template <class Execution = Device, int W = 1, Lines Of, class Kernel, class Sum>
void reduce(Walk<LineAfterLine<Of>, RaggedRowsView> const& walk, Kernel const& kernel,
            Span<Sum, Extents<index_t>, LayoutRight> const& result, Packs<W> = {})
{
  using Visited = Walk<LineAfterLine<Of>, RaggedRowsView>;
  if constexpr (detail::runs_on_host<Execution>) {
    Kokkos::View<Sum, typename Execution::memory_space, Kokkos::MemoryUnmanaged> const into(
        result.data_handle());
    detail::reduce_on_host<Execution, W, Sum>(walk, kernel, into);
  } else {
    Span<Sum, Dynamic<1>, LayoutRight> const one(result.data_handle(), Dynamic<1>(1));
    for_each<Execution>(1, Set<decltype(one)>{one, Sum{}});
    using Reduce = detail::PieceReduce<Visited, Kernel, W, Sum>;
    index_t const piece = detail::sum_piece<Reduce, W>(walk.elements());
    for_each_team<detail::piece_team, Execution>(
        (walk.elements() + piece - 1) / piece,
        Reduce{walk, kernel, piece, result.data_handle()});
  }
}

} // namespace strata
