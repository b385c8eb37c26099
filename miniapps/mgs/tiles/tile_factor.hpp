#pragma once

#include "growth.hpp"
#include "small_cholesky.hpp"
#include "tile_memory.hpp"
#include "tiles.hpp"

#include "array/access/pack.hpp"
#include "array/launch/team.hpp"
#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"

#include <cstddef>
#include <limits>

namespace strata::mgs {

/// The small matrices after a pass with products, by one team: U with UᵀU = left × left, C =
/// U⁻ᵀ·(left × rest), and their part of R. Where a pivot suffers cancellation, the diagonal is
/// shifted by 11 (N M + M (M + 1)) u ‖A‖_F², with M the columns of the panel, N the rows over
/// all ranks and u the unit roundoff, which bounds the condition of panel·U⁻¹. Source: Fukaya,
/// Kannan, Nakatsukasa, Yamamoto and Yanagisawa 2020, section 3.
struct TileFactorKernel
{
  static constexpr char const* name() { return "strata::mgs::TileFactor"; }
  static constexpr int most = static_cast<int>(most_tile_columns);

  TileFactor factor;
  TileMemory memory;
  double* r; ///< null where another team stores R
  index_t r_pitch;
  double rows;            ///< over all ranks
  double most_growth = 0; ///< a first factor that grows more is to be repeated; 0: none is

private:
  using Pair = Pack<double, 2>;
  static constexpr int square = most * most;

public:
  /// Stride of U's rows in scratch memory. Beside U is a diagonal matrix, the inverse of U's
  /// diagonal: loops of a fixed length that begin at a row's diagonal reach into it.
  static constexpr int pitch = 2 * most;
  /// Of U and the inverse beside it, and of R's block.
  static constexpr std::size_t scratch_bytes = sizeof(double) * (most * pitch + square);

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    if (factor.repeats && *memory.repeats == 0)
      return;
    run(team, static_cast<double*>(team.scratch()));
  }
  /// Whether or not the pass repeats; U is left in the scratch memory g.
  template <class Team>
  KOKKOS_FUNCTION void run(Team const& team, double* g) const
  {
    double* const work = g + most * pitch;

    bool shifts = false;
    while (!cholesky(team, g, shifts))
      shifts = true;
    if (factor.first) {
      bool const repeats = shifts || grows(team, g);
      if (team.rank() == 0)
        *memory.repeats = repeats ? 1 : 0;
    }
    leave_u(team, g);
    leave_c(team, g);
    leave_r(team, g, work);
  }

  static KOKKOS_FUNCTION double inverse_of(double const* g, int j)
  {
    return g[j * pitch + most + j];
  }

private:
  /// Least relative pivot: below it, cancellation has left too few digits.
  static constexpr double least_pivot = 1e-13;
  static constexpr double roundoff = std::numeric_limits<double>::epsilon() / 2;

  /// Calls f(n) for n below `count`, distributed over the team.
  template <class Team, class F>
  static KOKKOS_FUNCTION void each(Team const& team, int count, F const& f)
  {
    for (int n = team.rank(); n < count; n += Team::size)
      f(n);
  }
  /// Calls f(j, k) for the elements of the panel's square.
  template <class Team, class F>
  KOKKOS_FUNCTION void each_element(Team const& team, F const& f) const
  {
    int const size = static_cast<int>(factor.panel.count);
    each(team, size * most, [&](int item) {
      if (item % most < size)
        f(item / most, item % most);
    });
  }
  /// Stride of the rows of products.
  [[nodiscard]] KOKKOS_FUNCTION index_t product_pitch() const
  {
    return factor.pitch > 0 ? factor.pitch : factor.panel.count + factor.rest.count;
  }
  [[nodiscard]] KOKKOS_FUNCTION double product(int j, index_t k) const
  {
    return memory.products[j * product_pitch() + k];
  }

  [[nodiscard]] KOKKOS_FUNCTION double shift() const
  {
    int const size = static_cast<int>(factor.panel.count);
    double trace = 0;
    for (int j = 0; j < size; ++j)
      trace += product(j, j);
    return 11 * (rows * size + size * (size + 1)) * roundoff * trace;
  }
  template <class Team>
  KOKKOS_FUNCTION bool grows(Team const& team, double const* g) const
  {
    return most_growth > 0 && grows_more_than<most>(most_growth, team, g, pitch,
                                                    static_cast<int>(factor.panel.count),
                                                    [&](int j) { return product(j, j); });
  }

  /// Stores the upper Cholesky factor of the products, or of the shifted ones, in the rows of
  /// g, with zeros below the diagonal, and the inverse of its diagonal; false where a pivot of
  /// what is not shifted is too small. On a GPU by one warp, whose members have a column each:
  /// barriers of the team would take as long as the arithmetic.
  template <class Team>
  KOKKOS_FUNCTION bool cholesky(Team const& team, double* g, bool shifts) const
  {
    bool sound = true;
    if constexpr (Team::size == 1)
      sound = small_cholesky(g, pitch, most, static_cast<int>(factor.panel.count),
                             shifts ? shift() : 0, least_pivot,
                             [&](int j, int k) { return product(j, k); });
    else if (team.rank() < most)
      sound = eliminate<most>(team, g, shifts ? shift() : 0);
    return !team.any(!sound) || shifts;
  }

  /// x = column k of the products above the diagonal, 0 elsewhere. Every load is of a product,
  /// so that none waits for a branch.
  KOKKOS_FUNCTION void take_column(int k, double (&x)[most]) const
  {
    int const size = static_cast<int>(factor.panel.count);
    int const stride = static_cast<int>(product_pitch());
    unrolled<most>([&](auto i) {
      bool const above = i < k && k < size;
      double const value = memory.products[above ? i * stride + k : 0];
      x[i] = above ? value : 0;
    });
  }

  /// Members hold what is left of their columns from row j on, and of their diagonal elements,
  /// which need no other column: from one row's pivot to the next are a root and a shuffle.
  template <int Lanes, class Team>
  KOKKOS_FUNCTION bool eliminate(Team const& team, double* g, double diagonal_shift) const
  {
    constexpr int each = most / Lanes; // columns of a member
    int const size = static_cast<int>(factor.panel.count);
    double x[each][most];
    double left[each];
    double least[each];
    for (int c = 0; c < each; ++c) {
      int const k = team.rank() + c * Lanes;
      take_column(k, x[c]);
      double const diagonal = k < size ? product(k, k) : 1;
      least[c] = least_pivot * diagonal;
      left[c] = diagonal + diagonal_shift;
    }
    auto const root_of = [&](int row) {
      return team.template value_of<Lanes>(inverse_root(left[row / Lanes]), row % Lanes);
    };
    double root = root_of(0);
    bool sound = true;
    for (int j = 0; j < size; j += 2) {
      unrolled<2>([&](auto next) {
        int const row = j + next;
        double* const of_row = g + row * pitch;
        double u[each];
        for (int c = 0; c < each; ++c) {
          int const k = team.rank() + c * Lanes;
          u[c] = k < row ? 0 : (k == row ? left[c] : x[c][next]) * root;
          sound = sound && (k != row || left[c] > least[c]);
          left[c] -= k == row ? 0 : u[c] * u[c];
          of_row[k] = u[c];
          of_row[most + k] = k == row ? root : 0;
        }
        team.template barrier_of<Lanes>();
        unrolled<most / 2>([&](auto p) {
          Pair const two = reinterpret_cast<Pair const*>(of_row + j)[p];
          for (int c = 0; c < each; ++c) {
            x[c][2 * p] -= two.lane[0] * u[c];
            x[c][2 * p + 1] -= two.lane[1] * u[c];
          }
        });
        root = root_of((row + 1) % most);
      });
      for (int c = 0; c < each; ++c)
        unrolled<most - 2>([&](auto i) { x[c][i] = x[c][i + 2]; });
    }
    return sound;
  }

  template <class Team>
  KOKKOS_FUNCTION void leave_u(Team const& team, double const* g) const
  {
    each_element(team, [&](int j, int k) {
      memory.factor(factor.place, j)[k] = g[j * pitch + k];
      if (j == k)
        memory.inverse(factor.place)[j] = inverse_of(g, j);
    });
  }

  /// Forward substitution, one column per work item.
  template <class Team>
  KOKKOS_FUNCTION void leave_c(Team const& team, double const* g) const
  {
    int const size = static_cast<int>(factor.panel.count);
    int const rest = static_cast<int>(factor.rest.count);
    each(team, rest, [&](int n) {
      for (int j = 0; j < size; ++j) {
        double value = product(j, size + n);
        for (int b = 0; b < j; ++b)
          value -= g[b * pitch + j] * memory.factor(factor.place, b)[size + n];
        value *= inverse_of(g, j);
        memory.factor(factor.place, j)[size + n] = value;
        if (r != nullptr)
          r[(factor.panel.first + j) * r_pitch + factor.rest.first + n] = value;
      }
    });
  }

  /// Multiplies R from the left by the factor, the first time the identity.
  template <class Team>
  KOKKOS_FUNCTION void leave_r(Team const& team, double const* g, double* work) const
  {
    if (r == nullptr)
      return;
    auto const at = [&](int j, int k) -> double& {
      return r[(factor.panel.first + j) * r_pitch + factor.panel.first + k];
    };
    if (factor.first) {
      each_element(team, [&](int j, int k) {
        if (j <= k)
          at(j, k) = g[j * pitch + k];
      });
      return;
    }
    each_element(team, [&](int j, int k) { work[j * most + k] = j <= k ? at(j, k) : 0; });
    team.barrier();
    int const size = static_cast<int>(factor.panel.count);
    if (size > static_cast<int>(panel_columns)) // narrow panels lose 1 % by it
      multiply(team, g, work, [&](int j, int k, double sum) {
        if (j <= k)
          at(j, k) = sum;
      });
    else
      each_element(team, [&](int j, int k) {
        if (j > k)
          return;
        double sum = 0;
        for (int b = j; b <= k; ++b)
          sum += g[j * pitch + b] * work[b * most + k];
        at(j, k) = sum;
      });
  }
  /// Calls f(j, k, (g·work)(j, k)), of many columns. Both are upper triangular with zeros
  /// below: a member has some rows of a column at once, so that their loads and sums overlap.
  template <class Team, class F>
  KOKKOS_FUNCTION void multiply(Team const& team, double const* g, double const* work,
                                F const& f) const
  {
    constexpr int lanes = Team::size < most ? Team::size : most;
    constexpr int abreast = Team::size / lanes;          // rows of the team
    constexpr int each = (most + abreast - 1) / abreast; // of a member
    int const size = static_cast<int>(factor.panel.count);
    int const first = team.rank() / lanes;
    for (int k = team.rank() % lanes; k < size; k += lanes) {
      double sum[each] = {};
      for (int b = 0; b < size; ++b)
        for (int n = 0; n < each; ++n) {
          int const j = first + n * abreast;
          sum[n] += g[(j < size ? j : 0) * pitch + b] * work[b * most + k];
        }
      for (int n = 0; n < each; ++n)
        if (int const j = first + n * abreast; j < size)
          f(j, k, sum[n]);
    }
  }
};

} // namespace strata::mgs
