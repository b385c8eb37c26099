#pragma once

#include "row_kernels.hpp"

#include "array/access/prefetch.hpp"
#include "array/ragged/for_each_row.hpp"

#include <algorithm>

namespace strata::contact {

/// Contacts in a block of rows × capacity with hand-written indices and a count per row: the
/// control of `dyn_ragged`, which has the same layout and should take the same time. Rows grow
/// as there; none spills.
class ContactBlock
{
public:
  struct View
  {
    static constexpr bool contiguous = true; ///< entry(row, k) is entry(row, 0) + k
    static constexpr bool padded = true;     ///< unused entries lie between rows
    index_t count;
    index_t width;        ///< entries that a row has room for
    std::int32_t* demand; ///< entries of a row, those that found no room among them
    double* gaps;
    std::int32_t* neighbours;
    std::int32_t* births;

    [[nodiscard]] KOKKOS_FUNCTION index_t rows() const { return count; }
    [[nodiscard]] KOKKOS_FUNCTION index_t capacity(index_t) const { return width; }
    [[nodiscard]] KOKKOS_FUNCTION index_t length(index_t row) const
    {
      return demand[row] < width ? demand[row] : width;
    }
    [[nodiscard]] KOKKOS_FUNCTION index_t numbered(index_t row) const { return length(row); }
    [[nodiscard]] KOKKOS_FUNCTION index_t entry(index_t row, index_t k) const
    {
      return row * width + k;
    }
    template <class F>
    KOKKOS_FUNCTION void for_each_entry(index_t row, F const& f) const
    {
      index_t const first = row * width;
      index_t const last = first + length(row);
      for (index_t entry = first; entry < last; ++entry)
        f(entry);
    }
    KOKKOS_FUNCTION double& gap(index_t entry) const { return gaps[entry]; }
    KOKKOS_FUNCTION std::int32_t& neighbour(index_t entry) const { return neighbours[entry]; }
    KOKKOS_FUNCTION std::int32_t& born(index_t entry) const { return births[entry]; }

    /// False where there was no room, which is counted.
    KOKKOS_FUNCTION bool add(index_t row, double gap, std::int32_t neighbour,
                             std::int32_t born) const
    {
      index_t const k = demand[row]++;
      if (k >= width)
        return false;
      set(row * width + k, gap, neighbour, born);
      return true;
    }
    KOKKOS_FUNCTION void set(index_t entry, double gap, std::int32_t neighbour,
                             std::int32_t born) const
    {
      gaps[entry] = gap;
      neighbours[entry] = neighbour;
      births[entry] = born;
    }
    /// Of an entry that is to be set.
    KOKKOS_FORCEINLINE_FUNCTION void prefetch(index_t entry) const
    {
      strata::prefetch<true>(gaps + entry);
      strata::prefetch<true>(neighbours + entry);
      strata::prefetch<true>(births + entry);
    }
    /// So many more entries, for which there is room, are the row's.
    KOKKOS_FUNCTION void extend(index_t row, index_t entries) const
    {
      demand[row] += static_cast<std::int32_t>(entries);
    }
    /// The last entry takes the place of a removed one.
    template <class Move>
    KOKKOS_FUNCTION void remove(index_t row, index_t entry, Move const& move) const
    {
      index_t const left = length(row) - 1;
      if (entry != row * width + left)
        move(entry, row * width + left);
      demand[row] = static_cast<std::int32_t>(left);
    }
    template <class Ended, class Move>
    KOKKOS_FUNCTION index_t remove_if(index_t row, Ended const& ended, Move const& move) const
    {
      index_t const first = row * width;
      index_t const before = length(row);
      index_t left = before;
      for (index_t entry = first + before - 1; entry >= first; --entry)
        if (ended(entry)) {
          --left;
          if (entry != first + left)
            move(entry, first + left);
        }
      demand[row] = static_cast<std::int32_t>(left);
      return before - left;
    }
    KOKKOS_FUNCTION void move(index_t to, index_t from) const
    {
      gaps[to] = gaps[from];
      neighbours[to] = neighbours[from];
      births[to] = births[from];
    }
    KOKKOS_FUNCTION void clear(index_t row) const { demand[row] = 0; }
  };

  using execution_space = Device;
  static constexpr bool dynamic = true;

  ContactBlock(index_t rows, RowOptions const& options)
      : options_(options)
      , capacity_(options.capacity)
      , demand_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "strata::contact block's rows"),
                static_cast<std::size_t>(rows))
      , values_(rows * options.capacity)
  {
    spoil(); // which empties them
  }
  [[nodiscard]] index_t rows() const { return static_cast<index_t>(demand_.extent(0)); }
  [[nodiscard]] View view() const
  {
    return {rows(),
            capacity_,
            demand_.data(),
            values_.gaps.data(),
            values_.neighbours.data(),
            values_.births.data()};
  }

  /// Empties all rows and launches `kernel_of(view)` for each, which adds what it has; again
  /// where rows had to grow.
  template <class KernelOf, class Each = EachRow>
  void build(KernelOf const& kernel_of, Each const& each = {})
  {
    do {
      for_each(rows(), ClearRow<View>{view()});
      each(rows(), kernel_of(view()));
    } while (has_grown());
  }
  /// Launches `kernel_of(view)`, which removes and adds entries of every row.
  template <class KernelOf>
  void update(KernelOf const& kernel_of)
  {
    do
      for_each(rows(), kernel_of(view()));
    while (has_grown());
  }
  /// Makes the rows invalid, so that a check fails unless they are written again.
  void spoil() const { verify::for_every(rows(), ClearRow<View>{view()}); }
  [[nodiscard]] index_t capacity() const { return capacity_; }
  [[nodiscard]] index_t regrows() const { return regrows_; }
  /// Of memory, on this rank.
  [[nodiscard]] index_t bytes() const
  {
    constexpr index_t entry = sizeof(double) + 2 * sizeof(std::int32_t);
    return rows() * (static_cast<index_t>(sizeof(std::int32_t)) + capacity_ * entry);
  }

private:
  template <class T>
  using Column = Kokkos::View<T*, DeviceSpace>;

  struct Values
  {
    explicit Values(index_t slots);

    Column<double> gaps;
    Column<std::int32_t> neighbours;
    Column<std::int32_t> births;
  };

  /// Waits for the device. If entries found no room, gives rows more, or throws RowOverflow.
  bool has_grown();

  RowOptions options_;
  index_t capacity_;
  Column<std::int32_t> demand_;
  Values values_;
  index_t regrows_ = 0;
};

} // namespace strata::contact
