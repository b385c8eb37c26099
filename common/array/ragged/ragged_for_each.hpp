#pragma once

#include "ragged_pieces.hpp"

#include "../launch/for_each.hpp"
#include "../launch/reduce.hpp"

#include <algorithm>

namespace strata {

/// Order of a walk over the elements of a ragged array: line after line, as in memory.
template <Lines Of>
struct LineAfterLine
{
};

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
    using For = detail::PieceFor<Visited, Kernel, W>;
    for_each_team<detail::piece_team, Execution>((walk.elements() + For::elements - 1) /
                                                     For::elements,
                                                 For{walk, kernel, detail::operands(kernel)});
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
