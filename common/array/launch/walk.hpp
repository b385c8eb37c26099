#pragma once

#include "divisor.hpp"

#include "../access/pack.hpp"
#include "../layout/layout.hpp"

#include <cstddef>
#include <utility>

namespace strata {

namespace detail {

KOKKOS_FUNCTION inline index_t shifted(index_t position, index_t by)
{
  return position + by;
}
template <int W>
KOKKOS_FUNCTION PackIndex<W> shifted(PackIndex<W> position, index_t by)
{
  return {position.first + by};
}
template <int W>
KOKKOS_FUNCTION LeadingIndex<W> shifted(LeadingIndex<W> position, index_t by)
{
  return {{position.first + by}};
}

} // namespace detail

/// The order in which a launch visits a multi-index space: that of Layout's offsets. Matching
/// and crossed loops (S5 Listing 4) differ in this type alone. The space is divided into runs
/// along the index that is contiguous in Layout.
///   runs(), run_length()                   number of runs, and length of a full one
///   length_of(outer), full_runs()          length of one run; whether all are equally long
///   one_run                                static: there is a single run
///   outer<Small>(run)                      the run's other indices; Small: all below 2^31
///   to_next(outer)                         moves to the next run's
///   call(kernel, outer, position, sum...)  calls kernel(sum..., indices...) once;
///                                          position is an index or a PackIndex
template <class Layout, class E>
class Walk;

/// The Walk over `extents` in the order of Layout.
template <class Layout, class E>
Walk<Layout, E> in_order_of(E const& extents)
{
  return Walk<Layout, E>(extents);
}

template <class E>
class Walk<LayoutRight, E>
{
public:
  static constexpr bool one_run = E::rank() == 1;
  using Outer = Kokkos::Array<index_t, E::rank() - 1>;

  explicit Walk(E const& extents)
  {
    for (std::size_t r = 0; r + 1 < E::rank(); ++r) {
      sizes_[r] = detail::Divisor(extents.extent(r));
      runs_ *= extents.extent(r);
    }
    run_length_ = extents.extent(E::rank() - 1);
  }
  KOKKOS_FUNCTION index_t runs() const { return runs_; }
  KOKKOS_FUNCTION index_t run_length() const { return run_length_; }
  [[nodiscard]] bool full_runs() const { return true; }
  KOKKOS_FUNCTION index_t length_of(Outer const&) const { return run_length_; }
  template <bool Small = false>
  KOKKOS_FUNCTION Outer outer(index_t run) const
  {
    return detail::unravel<Small>(run, sizes_);
  }
  void to_next(Outer& outer) const { detail::to_next(outer, sizes_); }

  template <class Kernel, class Position, class... Sum>
  KOKKOS_FUNCTION void call(Kernel const& kernel, Outer const& outer, Position position,
                            Sum&... sum) const
  {
    [&]<std::size_t... R>(std::index_sequence<R...>) {
      kernel(sum..., outer[R]..., position);
    }(std::make_index_sequence<E::rank() - 1>{});
  }

private:
  Kokkos::Array<detail::Divisor, E::rank() - 1> sizes_{};
  index_t runs_ = 1;
  index_t run_length_ = 0;
};

template <class E>
class Walk<LayoutLeft, E>
{
public:
  static constexpr bool one_run = E::rank() == 1;
  using Outer = Kokkos::Array<index_t, E::rank() - 1>;

  explicit Walk(E const& extents)
  {
    for (std::size_t r = 1; r < E::rank(); ++r) {
      sizes_[E::rank() - 1 - r] = detail::Divisor(extents.extent(r)); // fastest last
      runs_ *= extents.extent(r);
    }
    run_length_ = extents.extent(0);
  }
  KOKKOS_FUNCTION index_t runs() const { return runs_; }
  KOKKOS_FUNCTION index_t run_length() const { return run_length_; }
  [[nodiscard]] bool full_runs() const { return true; }
  KOKKOS_FUNCTION index_t length_of(Outer const&) const { return run_length_; }
  template <bool Small = false>
  KOKKOS_FUNCTION Outer outer(index_t run) const
  {
    return detail::unravel<Small>(run, sizes_);
  }
  void to_next(Outer& outer) const { detail::to_next(outer, sizes_); }

  template <class Kernel, class Position, class... Sum>
  KOKKOS_FUNCTION void call(Kernel const& kernel, Outer const& outer, Position position,
                            Sum&... sum) const
  {
    [&]<std::size_t... R>(std::index_sequence<R...>) {
      kernel(sum..., position, outer[E::rank() - 2 - R]...);
    }(std::make_index_sequence<E::rank() - 1>{});
  }

private:
  Kokkos::Array<detail::Divisor, E::rank() - 1> sizes_{};
  index_t runs_ = 1;
  index_t run_length_ = 0;
};

template <std::size_t W, class E>
class Walk<LayoutTiled<W>, E>
{
public:
  static constexpr bool one_run = false;
  using Outer = Kokkos::Array<index_t, E::rank()>; // tile, then all indices but the first

  explicit Walk(E const& extents)
      : first_extent_(extents.extent(0))
  {
    index_t const tiles =
        (first_extent_ + static_cast<index_t>(W) - 1) / static_cast<index_t>(W);
    sizes_[0] = detail::Divisor(tiles);
    for (std::size_t r = 1; r < E::rank(); ++r)
      sizes_[r] = detail::Divisor(extents.extent(r));
    for (std::size_t r = 0; r < E::rank(); ++r)
      runs_ *= sizes_[r].value();
  }
  KOKKOS_FUNCTION index_t runs() const { return runs_; }
  KOKKOS_FUNCTION index_t run_length() const { return static_cast<index_t>(W); }
  [[nodiscard]] bool full_runs() const { return first_extent_ % static_cast<index_t>(W) == 0; }
  KOKKOS_FUNCTION index_t length_of(Outer const& outer) const
  {
    index_t const left = first_extent_ - outer[0] * static_cast<index_t>(W);
    return left < static_cast<index_t>(W) ? left : static_cast<index_t>(W);
  }
  template <bool Small = false>
  KOKKOS_FUNCTION Outer outer(index_t run) const
  {
    return detail::unravel<Small>(run, sizes_);
  }
  void to_next(Outer& outer) const { detail::to_next(outer, sizes_); }

  template <class Kernel, class Position, class... Sum>
  KOKKOS_FUNCTION void call(Kernel const& kernel, Outer const& outer, Position position,
                            Sum&... sum) const
  {
    [&]<std::size_t... R>(std::index_sequence<R...>) {
      kernel(sum..., detail::shifted(position, outer[0] * static_cast<index_t>(W)),
             outer[R + 1]...);
    }(std::make_index_sequence<E::rank() - 1>{});
  }

private:
  Kokkos::Array<detail::Divisor, E::rank()> sizes_{};
  index_t first_extent_ = 0;
  index_t runs_ = 1;
};

} // namespace strata
