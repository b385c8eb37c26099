#pragma once

#include "values.hpp"

#include "runtime/share.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace strata::matvec {

/// A box of a grid's points, begin[d] … begin[d] + size[d] − 1 along dimension d, numbered with
/// the first dimension fastest.
struct Box
{
  index_t begin[3] = {0, 0, 0};
  index_t size[3] = {1, 1, 1};

  struct Point
  {
    index_t at[3];
  };

  [[nodiscard]] KOKKOS_FUNCTION index_t count() const { return size[0] * size[1] * size[2]; }
  [[nodiscard]] KOKKOS_FUNCTION bool holds(Point const& point) const
  {
    for (int d = 0; d < 3; ++d)
      if (point.at[d] < begin[d] || point.at[d] >= begin[d] + size[d])
        return false;
    return true;
  }
  [[nodiscard]] KOKKOS_FUNCTION index_t number(Point const& point) const
  {
    index_t const i = point.at[0] - begin[0];
    index_t const j = point.at[1] - begin[1];
    index_t const k = point.at[2] - begin[2];
    return (k * size[1] + j) * size[0] + i;
  }
  [[nodiscard]] KOKKOS_FUNCTION Point point(index_t number) const
  {
    index_t const line = number / size[0];
    return {
        {begin[0] + number % size[0], begin[1] + line % size[1], begin[2] + line / size[1]}};
  }
};

/// The points that both hold; of no size where there are none.
Box common(Box const& a, Box const& b);

/// The points of a square or cubic grid and their neighbours, the point itself included: 5 in
/// two dimensions (a cross), 27 in three (a cube), fewer at the border.
struct Stencil
{
  int dims = 3;
  index_t edge = 1;

  static constexpr int most_neighbours(int dims) { return dims == 2 ? 5 : 27; }

  [[nodiscard]] KOKKOS_FUNCTION Box grid() const
  {
    return {{0, 0, 0}, {edge, edge, dims == 3 ? edge : 1}};
  }

  /// Calls f(neighbour) for those within `all`, in the order of their numbers.
  template <class F>
  KOKKOS_FUNCTION void neighbours(Box const& all, Box::Point const& point, F const& f) const
  {
    index_t const* at = point.at;
    int const reach = dims == 3 ? 1 : 0;
    for (int dk = -reach; dk <= reach; ++dk)
      for (int dj = -1; dj <= 1; ++dj)
        for (int di = -1; di <= 1; ++di) {
          Box::Point const beside{{at[0] + di, at[1] + dj, at[2] + dk}};
          if ((dims == 3 || di == 0 || dj == 0) && all.holds(beside))
            f(beside);
        }
  }
};

/// The most even grid of `ranks` ranks, of as many factors as dimensions; the last is the
/// largest.
std::array<int, 3> grid_of_ranks(int ranks, int dims);

/// A rank's part of a stencil's grid, as even in all dimensions as the number of ranks allows,
/// and the points beside it, so that neither memory nor partners of a rank grow with the ranks.
struct GridPart
{
  /// Ranks are numbered with the first dimension fastest.
  GridPart(Stencil const& of, runtime::Share const& share);

  Stencil stencil;
  Box own;     ///< rows
  Box reached; ///< columns: own points and those at most one beside in each dimension

  /// The ranks that own neighbours of this part's points: at most 4 in two dimensions, 26 in
  /// three.
  [[nodiscard]] std::vector<int> neighbours(runtime::Share const& share) const;
  /// Elements of x that the rows read.
  [[nodiscard]] index_t read() const;
};

/// The lines of a rank's part of the stencil's matrix, with elements from Values: its rows
/// (CSR), or the part of every column in these rows (CSC). Places are numbers in the part's
/// boxes.
template <bool Rows>
struct StencilLines
{
  Stencil stencil;
  Box own, reached;
  Values values;

  KOKKOS_FUNCTION index_t count(index_t line) const
  {
    index_t found = 0;
    each(line, [&](Box::Point const&, Box::Point const&) { ++found; });
    return found;
  }
  template <class Place>
  KOKKOS_FUNCTION void fill(index_t line, Place* places, double* elements) const
  {
    auto const grid = stencil.grid();
    index_t entry = 0;
    each(line, [&](Box::Point const& row, Box::Point const& col) {
      places[entry] = static_cast<Place>(Rows ? reached.number(col) : own.number(row));
      elements[entry] = values.matrix(grid.number(row), grid.number(col));
      ++entry;
    });
  }

private:
  template <class F>
  KOKKOS_FUNCTION void each(index_t line, F const& f) const
  {
    auto const at = (Rows ? own : reached).point(line);
    stencil.neighbours(Rows ? reached : own, at, [&](Box::Point const& beside) {
      if constexpr (Rows)
        f(at, beside);
      else
        f(beside, at);
    });
  }
};

} // namespace strata::matvec
