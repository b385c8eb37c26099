#pragma once

#include "columns.hpp"
#include "step.hpp"

namespace strata::mgs {

// The kernels of a step on many columns at once.

/// sums[n] = Σ a_j·a_{first+n}, n numbering the columns of the stripe.
template <class A>
struct RowDots
{
  static constexpr char const* name() { return "strata::mgs::RowDots"; }
  A a;
  index_t j, first;
  int count;

  template <class S, class I>
  KOKKOS_FUNCTION void operator()(S& sums, I i) const
  {
    add<chunk>(sums, i, Stripe<>{}, once(), true, Alone{}, InMemory<A, I>{a, i});
  }
  struct Once
  {
  };
  KOKKOS_FUNCTION Once once() const { return {}; }
  template <int>
  static constexpr int fast_size = 0; ///< needs no scratch memory, unlike FusedPass
  template <int N, class S, class I, class Columns, class Wait, class Load>
  KOKKOS_FUNCTION void add(S& sums, I i, Columns columns, Once, bool real, Wait const&,
                           Load const&) const
  {
    using T = computed_t<typename A::value_type>;
    using V = ValueAt<T, I>;
    V x = a(i, j);
    if (!real)
      x = V(T{});
    ColumnsAhead<N, A, I, Columns>(a, i, first, count, columns).visit([&](int n, V const& y) {
      add_product(sums[n], x, y);
    });
  }
};

/// a_{first+n} -= r[n] a_j
template <class A, class R>
struct RowUpdate
{
  static constexpr char const* name() { return "strata::mgs::RowUpdate"; }
  A a;
  index_t j, first;
  int count;
  R r;

  template <class I>
  KOKKOS_FUNCTION void operator()(I i) const
  {
    using T = computed_t<typename A::value_type>;
    using V = ValueAt<T, I>;
    V const x = a(i, j);
    ColumnsAhead<chunk, A, I>(a, i, first, count)
        .change([&](int n, V const& y) { return y - V(T(r[n])) * x; }, true,
                [](int, V const&) {});
  }
};

/// a_j -= Σ r[n] a_{first+n}, and the sum of the squares of the new a_j.
template <class A>
struct Subtract
{
  static constexpr char const* name() { return "strata::mgs::Subtract"; }
  A a;
  index_t j, first;
  int count;
  OnDevice r;

  template <class S, class I>
  KOKKOS_FUNCTION void operator()(S& sum, I i) const
  {
    using T = computed_t<typename A::value_type>;
    using V = ValueAt<T, I>;
    V x = a(i, j);
    for_columns<chunk>(0, count, [&](int n) {
      fetch_ahead(a, i, first + n);
      V const q = a(i, first + n);
      x = x - V(T(r[n])) * q;
    });
    a(i, j) = x;
    add_product(sum, x, x);
  }
};

} // namespace strata::mgs
