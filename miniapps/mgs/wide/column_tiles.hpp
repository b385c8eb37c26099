#pragma once

#include "base/cuda/async_copy.hpp"
#include "base/kokkos.hpp"
#include "tiles/copy_rows.hpp"

#include <cstddef>

namespace strata::mgs {

/// Tiles of rows of all columns, of which a team has some in its scratch memory while the next
/// are on their way. A tile is of slices of Rows rows; column c of a slice lies at c·Pitch.
template <class A, int Rows, int Pitch, int Stages>
class ColumnTiles
{
public:
  static constexpr std::size_t bytes_of(int columns)
  {
    return sizeof(double) * static_cast<std::size_t>(Stages * columns * Pitch);
  }

  /// Of `columns` columns, at least 32, and some that pad them, which are 0.
  KOKKOS_FUNCTION ColumnTiles(A const& a, index_t row_count, int columns, int padded_columns,
                              int slices, double* memory)
      : a_(a)
      , rows_(row_count)
      , columns_(columns)
      , padded_(padded_columns)
      , slices_(slices)
      , end_(count(row_count, slices))
      , column_step_(&a(0, 1) - &a(0, 0))
      , row_step_(&a(1, 0) - &a(0, 0))
      , memory_(memory)
  {
  }

  KOKKOS_FUNCTION static index_t count(index_t row_count, int slices)
  {
    return (row_count + slices * Rows - 1) / (slices * Rows);
  }
  /// First row of a slice of a tile.
  [[nodiscard]] KOKKOS_FUNCTION index_t row(index_t tile, int slice) const
  {
    return (tile * slices_ + slice) * Rows;
  }

  /// Calls f(tile, memory of its first slice) for tiles `first`, `first` + `step` and so on.
  template <class Team, class F>
  KOKKOS_FUNCTION void each(Team const& team, index_t first, index_t step, F const& f) const
  {
    int const size = slices_ * padded_ * Pitch;
    for (int n = team.rank(); n < Stages * size; n += Team::size)
      memory_[n] = 0; // columns that pad are never copied
    team.barrier();
    for (int n = 0; n < Stages - 1; ++n)
      fetch(team, first + n * step, memory_ + n * size);
    int stage = 0;
    for (index_t tile = first; tile < end_; tile += step) {
#if defined(__CUDA_ARCH__)
      nvidia::await_copies<Stages - 2>();
#endif
      team.barrier(); // and all have read the tile before, whose memory is the next one's
      fetch(team, tile + (Stages - 1) * step,
            memory_ + (stage == 0 ? Stages - 1 : stage - 1) * size);
      f(tile, memory_ + stage * size);
      stage = stage == Stages - 1 ? 0 : stage + 1;
    }
  }

private:
  /// Starts copying the team's members' shares of a tile: two rows of some columns each.
  template <class Team>
  KOKKOS_FUNCTION void fetch(Team const& team, index_t tile, double* to) const
  {
    constexpr int pairs = Rows / 2;
    constexpr int abreast = Team::size / pairs; // columns
    // Of elements that follow each other in memory, neighbours take two sectors' worth.
    constexpr int neighbours = rows_are_together<A> ? 1 : 8;
    if (tile < end_)
      for (int slice = 0; slice < slices_; ++slice) {
        int const in_slice = team.rank() / neighbours % pairs * 2;
        int column = team.rank() % neighbours + team.rank() / (neighbours * pairs) * neighbours;
        index_t const first = row(tile, slice) + in_slice;
        double* own = to + (slice * padded_ + column) * Pitch + in_slice;
        if (first + 1 >= rows_) {
          for (; column < columns_; column += abreast, own += abreast * Pitch)
            copy_row_pair(a_, rows_, first, column, own);
          continue;
        }
        double const* from = &a_(first, column);
        for (; column < columns_;
             column += abreast, own += abreast * Pitch, from += abreast * column_step_)
          start_copy<rows_are_together<A>>(from, row_step_, own);
      }
#if defined(__CUDA_ARCH__)
    nvidia::end_copies();
#endif
  }

  A a_;
  index_t rows_;
  int columns_;
  int padded_;
  int slices_;
  index_t end_; ///< number of tiles
  index_t column_step_;
  index_t row_step_; ///< from a row to the next
  double* memory_;
};

} // namespace strata::mgs
