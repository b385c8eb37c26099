#pragma once

#include "columns.hpp"

#include "array/launch/unroll.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <cmath>

namespace strata::mgs {

// Passes of `fused`, one for each step of MGS: a pass updates the columns after a_j and
// multiplies the updated a_{j+1} by all of them. FusedStep stores all columns in each pass.
// FusedPass, for GPUs, defers the stores by a few steps: a pass loads the columns as they were
// before the first of these and repeats the updates of all of them. This trades flops, of which
// a GPU has plenty, for traffic: 6,000 instead of 8,704 bytes per row of 32 columns. On a host
// flops are the bound.

/// The plain pass of step j, where products[k] = a_j·a_k, with a_j not normalised:
///
///   q_j = a_j / ‖a_j‖,  a_k = a_k - (q_j·a_k) q_j  for k > j,  sums[n] = a_{j+1}·a_{first+n}
///
/// A launch has the columns [first, first + count). The launch with first = j+1, which must be
/// the last of a pass, also stores column j.
template <class A>
struct FusedStep
{
  static constexpr char const* name() { return "strata::mgs::FusedStep"; }
  A a;
  index_t j, first;
  int count;
  double const* products;

  template <class S, class I>
  KOKKOS_FUNCTION void operator()(S& sums, I i) const
  {
    using T = computed_t<typename A::value_type>;
    using V = ValueAt<T, I>;
    V const inverse(T(1 / std::sqrt(products[j])));
    fetch_ahead(a, i, j);
    V q = a(i, j);
    q = q * inverse;
    V const step = q * inverse; // times a_j·a_k: r_jk q_j
    V next = a(i, j + 1);
    next = next - V(T(products[j + 1])) * step;
    bool const leads = first == j + 1;
    if (leads) {
      a(i, j) = q;
      a(i, j + 1) = next;
      add_product(sums[0], next, next);
    }
    ColumnsAhead<chunk, A, I>(a, i, first, count, {}, leads ? 1 : 0)
        .change([&](int n, V const& y) { return y - V(T(products[first + n])) * step; }, true,
                [&](int n, V const& y) { add_product(sums[n], next, y); });
  }
};

/// Number of steps after which a pass stores the columns.
inline constexpr int deferred_steps = device_is_host ? 1 : 4;
/// The first of the steps whose updates the pass of step j makes.
constexpr index_t first_deferred(index_t j, int deferred = deferred_steps)
{
  return j / deferred * deferred;
}
constexpr bool stores_step(index_t j, index_t columns, int deferred = deferred_steps)
{
  return (j + 1) % deferred == 0 || j + 2 == columns;
}

/// Applies the updates of steps [begin, j], at most Steps of them, to columns that memory holds
/// as they were before step `begin`. products[s·pitch + k] = a_{begin+s}·a_k, with a_{begin+s}
/// not normalised: its norm is the root of the product with itself (k = begin + s). sums[n] =
/// a_{j+1}·a_{first+n} for n < count, after the updates. If `stores`, the launch stores columns
/// [first, first + count); the launch with first = j+1, which must be the last of a pass, also
/// stores columns [begin, j].
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
    add<chunk>(sums, i, Stripe<>{}, once(), true, Alone{}, InMemory<A, I>{a, i});
  }

  /// The coefficients, equal for all rows.
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
  /// The same with the products in scratch memory, into which each of `members` copies a part.
  /// A GPU's work item loops over rows, and its stores might alias the products in memory: the
  /// compiler would load these again for every row.
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

  /// Slots of the values that a work item with N columns of its own needs.
  static constexpr int slots(int n) { return n + own_size; }
  /// Calls f(slot, column) for each of them.
  template <int N, class Columns, class F>
  KOKKOS_FUNCTION void for_slots(Columns columns, F const& f) const
  {
    for_columns<N>(leads(columns) ? 1 : 0, columns.of(count),
                   [&](int n) { f(n, first + columns.column(n)); });
    each_step([&](auto s) { f(N + s, begin + s); });
    f(N + Steps, j + 1);
  }

  /// The pass on a stripe of the columns, whose values are load(slot, column). `wait` is a
  /// barrier after the loads: of several work items that share rows, the first one stores
  /// columns that all of them load. Rows that are not `real` are loaded, but neither stored nor
  /// summed.
  template <int N, class S, class I, class Columns, class Wait, class Load>
  KOKKOS_FUNCTION void add(S& sums, I i, Columns columns, Once const& same, bool real,
                           Wait const& wait, Load const& load) const
  {
    using T = computed_t<typename A::value_type>;
    using V = ValueAt<T, I>;
    bool const leads = this->leads(columns);
    V q[Steps];
    each_step([&](auto s) {
      fetch_ahead(a, i, begin + s);
      q[s] = load(N + s, begin + s);
    });
    V next = load(N + Steps, j + 1);
    ColumnsAhead<N, A, I, Columns> others(a, i, first, count, columns, leads ? 1 : 0, load);
    if (stores)
      wait();

    bool const keeps = stores && real;
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
  /// Whether a work item's first column is j + 1.
  template <class Columns>
  KOKKOS_FUNCTION bool leads(Columns columns) const
  {
    return first == j + 1 && columns.part == 0;
  }
  [[nodiscard]] KOKKOS_FUNCTION int steps() const { return static_cast<int>(j - begin) + 1; }
  /// Calls f(s) for the steps of this pass, unrolled.
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
