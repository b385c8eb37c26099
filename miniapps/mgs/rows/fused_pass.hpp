#pragma once

#include "kernels.hpp"

#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <cmath>

namespace strata::mgs {

// Passes of `fused`, one for each step of MGS. The arithmetic is that of passes which store all
// columns, but a GPU's stores wait: a pass finds columns as they were before the first of a few
// steps and makes all of these again. That costs operations that a GPU has time for, and of
// 8,704 bytes a row (32 columns) leaves 6,000. A host has not: with four steps, how many of
// them only known as it runs, two Xeon cores took 1.5 times as long (300,000 rows).

/// Steps of which the last one's pass stores what all have made.
inline constexpr int deferred_steps = device_is_host ? 1 : 4;
/// The first of the steps that the pass of step j makes.
constexpr index_t first_deferred(index_t j, int deferred = deferred_steps)
{
  return j / deferred * deferred;
}
constexpr bool stores_step(index_t j, index_t columns, int deferred = deferred_steps)
{
  return (j + 1) % deferred == 0 || j + 2 == columns;
}

/// Steps [begin, j], at most Steps, before which memory has all columns. products[s pitch + k]
/// is a_{begin+s}·a_k with a_{begin+s} not normalised yet, so that its norm is that of k =
/// begin + s under a root. sums[n] becomes the product of columns j+1 and first+n, for n <
/// count. Where it `stores`, columns [first, first + count) are changed, and by the launch of
/// first = j+1, which has to be a pass's last one, columns [begin, j] as well.
template <class A, int Steps = deferred_steps>
struct FusedPass
{
  static constexpr char const* name() { return "strata::mgs::FusedPass"; }
  A a;
  index_t begin, j, first;
  int count;
  bool stores;
  double const* products;
  index_t pitch;

  template <class S, class I>
  KOKKOS_FUNCTION void operator()(S& sums, I i) const
  {
    add<chunk>(sums, i, Stripe<>{}, once(), true, Alone{});
  }

  /// What is the same for all rows.
  struct Once
  {
    double inverse[Steps]; ///< of the norm of column begin + s
    double const* own;     ///< [s pitch + n]: of columns begin + s and begin + n
    double const* others;  ///< the same with column first + n
    index_t pitch;
  };
  KOKKOS_FUNCTION Once once() const
  {
    Once same{{}, products + begin, products + first, pitch};
    each_step(
        [&](auto s) { same.inverse[s] = 1 / std::sqrt(products[s * pitch + begin + s]); });
    return same;
  }

  static constexpr int own_size = Steps + 1; ///< the steps' columns and column j+1

  /// Doubles of fast memory that a team needs for launches of up to Width columns.
  template <int Width>
  static constexpr int fast_size = Steps * (own_size + Width);
  /// The same with the products in fast memory, to which each of `members` brings a part. A
  /// GPU's work item goes on from rows to rows, and the compiler cannot know that no store
  /// changes the products: their loads would stand in every step.
  template <int Width>
  KOKKOS_FUNCTION Once once(double* fast, int member, int members) const
  {
    Once same = once();
    constexpr int row = own_size + Width;
    for (int at = member; at < Steps * row; at += members) {
      int const s = at / row;
      int const n = at % row;
      if (s < steps() && n < own_size)
        fast[at] = same.own[s * pitch + n];
      else if (s < steps() && n - own_size < count)
        fast[at] = same.others[s * pitch + n - own_size];
    }
    same.own = fast;
    same.others = fast + own_size;
    same.pitch = row;
    return same;
  }

  /// A stripe of the columns. `wait` comes after the loads and before the stores: where several
  /// work items share rows, the first of them stores what all load. Rows that are not `real`
  /// are loaded, but neither stored nor summed.
  template <int N, class S, class I, class Columns, class Wait>
  KOKKOS_FUNCTION void add(S& sums, I i, Columns columns, Once const& same, bool real,
                           Wait const& wait) const
  {
    using T = typename A::value_type;
    using V = ValueAt<T, I>;
    bool const leads = first == j + 1 && columns.part == 0;
    V q[Steps];
    each_step([&](auto s) {
      fetch_ahead(a, i, begin + s);
      q[s] = a(i, begin + s);
    });
    V next = a(i, j + 1);
    ColumnsAhead<N, A, I, Columns> others(a, i, first, count, columns, leads ? 1 : 0);
    if (changes())
      wait();

    bool const keeps = changes() && real;
    V step[Steps] = {}; // times products of column begin + s: R times q
    each_step([&](auto s) {
      V const inverse(T(same.inverse[s]));
      q[s] = q[s] * inverse;
      step[s] = q[s] * inverse;
      if (leads && keeps)
        a(i, begin + s) = q[s];
      unrolled<Steps>([&](auto later) {
        if (later > s && later < steps())
          q[later] = q[later] - V(T(same.own[s * same.pitch + later])) * step[s];
      });
      next = next - V(T(same.own[s * same.pitch + steps()])) * step[s];
    });
    if (leads && keeps)
      a(i, j + 1) = next;
    if (!real)
      next = V(T{});
    if (leads)
      add_product(sums[0], next, next);
    others.change(
        [&](int n, V y) {
          each_step([&](auto s) {
            y = y - V(T(same.others[s * same.pitch + columns.column(n)])) * step[s];
          });
          return y;
        },
        keeps, [&](int n, V const& y) { add_product(sums[n], next, y); });
  }

private:
  // Both are known where nothing is deferred.
  [[nodiscard]] KOKKOS_FUNCTION int steps() const
  {
    return Steps == 1 ? 1 : static_cast<int>(j - begin) + 1;
  }
  [[nodiscard]] KOKKOS_FUNCTION bool changes() const { return Steps == 1 || stores; }
  /// f(s) for the steps that are made, each a number that the compiler knows.
  template <class F>
  KOKKOS_FUNCTION void each_step(F const& f) const
  {
    unrolled<Steps>([&](auto s) {
      if (s < steps())
        f(s);
    });
  }
};

} // namespace strata::mgs
