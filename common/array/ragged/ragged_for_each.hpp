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

/// Walk over all elements (i,j) of a ragged array, line after line. Each host thread gets an
/// equal number of elements, whatever their lines; each GPU team gets a line.
template <Lines Of>
class Walk<LineAfterLine<Of>, RaggedRowsView>
{
public:
  explicit Walk(RaggedRowsView const& lines)
      : lines_(lines)
  {
  }
  KOKKOS_FUNCTION RaggedRowsView const& lines() const { return lines_; }

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
    index_t number = at < end ? number_of(at) : 0;
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
  /// Number of the line that contains an entry, by binary search.
  [[nodiscard]] index_t number_of(index_t entry) const
  {
    index_t low = 0;
    index_t high = lines_.rows() - 1;
    while (low < high) {
      index_t const middle = low + (high - low) / 2;
      if (lines_.end(middle) <= entry)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  RaggedRowsView lines_;
};

/// Walks the elements (i,j) of a ragged array.
template <class Values, Lines Of>
auto in_order_of(RaggedSpan<Values, RaggedRowsView, Of> const& span)
{
  return Walk<LineAfterLine<Of>, RaggedRowsView>(span.view());
}

namespace detail {

/// Calls f(line, position) for this team member's share of a line: aligned packs of W, and
/// single elements in the head and tail.
template <int W, class Team, class F>
KOKKOS_FUNCTION void visit_line(Team const& team, RaggedRowsView const& lines, F const& f)
{
  auto const line = lines.line(team.index());
  index_t const length = lines.end(line) - line.begin;
  index_t lead = (W - line.begin % W) % W;
  lead = lead < length ? lead : length;
  index_t const packs = (length - lead) / W;
  for (index_t p = team.rank(); p < packs; p += Team::size) {
    if constexpr (W > 1)
      f(line, PackIndex<W>{lead + p * W});
    else
      f(line, p);
  }
  index_t const singles = length - packs * W;
  for (index_t s = team.rank(); s < singles; s += Team::size)
    f(line, s < lead ? s : s + packs * W);
}

template <class Walk, class Kernel, int W>
struct TeamLineFor
{
  static constexpr char const* name() { return Kernel::name(); }
  Walk walk;
  Kernel kernel;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    visit_line<W>(team, walk.lines(),
                  [&](auto const& line, auto position) { walk.call(kernel, line, position); });
  }
};

/// Adds a line's sum to the result, which starts at 0.
template <class Walk, class Kernel, int W, class Sum>
struct TeamLineReduce
{
  static constexpr char const* name() { return Kernel::name(); }
  Walk walk;
  Kernel kernel;
  Sum* result;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    typename PartialSum<Sum, W>::type lanes{};
    Sum single{};
    visit_line<W>(team, walk.lines(), [&](auto const& line, auto position) {
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

/// Threads of a GPU that share a line.
inline constexpr int line_team = 256;

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
    for_each_team<detail::line_team, Execution>(
        walk.lines().rows(), detail::TeamLineFor<Visited, Kernel, W>{walk, kernel});
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
    for_each_team<detail::line_team, Execution>(
        walk.lines().rows(),
        detail::TeamLineReduce<Visited, Kernel, W, Sum>{walk, kernel, result.data_handle()});
  }
}

} // namespace strata
