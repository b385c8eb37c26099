#pragma once

#include "array/access/pack.hpp"
#include "array/access/prefetch.hpp"
#include "array/launch/sums.hpp"
#include "array/span/span.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <cmath>
#include <type_traits>

namespace strata::mgs {

// What one work item, a row or a pack of rows of the multivector a(row, column), does in each
// launch. Rows lie along packs; coefficients are the same for all rows.

/// Columns that one work item handles. Their values and sums stay in its registers; a GPU's
/// work items have none for those of 32 and for where 32 columns lie (H200: `fused` in columns
/// that lie apart 5.98 ns a row, of which half was spilling).
inline constexpr int chunk = device_is_host ? 32 : 16;
/// Columns that a launch sums: on a GPU two work items share a row.
inline constexpr int summed = device_is_host ? chunk : 2 * chunk;

/// Every Parts-th of a launch's columns from `part` on: those of one work item.
template <int Parts = 1>
struct Stripe
{
  int part = 0;

  KOKKOS_FUNCTION int column(int n) const { return n * Parts + part; }
  /// How many of the first `count` columns.
  KOKKOS_FUNCTION int of(int count) const { return (count - part + Parts - 1) / Parts; }
};

/// sum += x y, of all lanes where the sum has none.
template <class S, class V>
KOKKOS_FUNCTION void add_product(S& sum, V const& x, V const& y)
{
  if constexpr (std::is_same_v<S, V>)
    sum += x * y;
  else
    for (int w = 0; w < V::width; ++w)
      sum += x.lane[w] * y.lane[w];
}

/// Coefficients that lie in the device's memory, where a reduction has left them.
struct OnDevice
{
  double const* value;
  KOKKOS_FUNCTION double operator[](index_t n) const { return value[n]; }
};
/// Coefficients that travel with the launch: the host has seen them.
template <int N>
struct InHand
{
  Sums<double, N> value;
  KOKKOS_FUNCTION double operator[](index_t n) const { return value[static_cast<int>(n)]; }
};

/// f(n) for n from `begin` to `count`, at most N: on a GPU with n known to the compiler, so
/// that what it indexes can be a register; on a host as a loop that can be vectorised.
template <int N, class F>
KOKKOS_FUNCTION void for_columns(int begin, int count, F const& f)
{
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#pragma unroll
  for (int n = 0; n < N; ++n)
    if (n >= begin && n < count)
      f(n);
#else
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
  for (int n = begin; n < count; ++n)
    f(n);
#endif
}

/// On a host: asks for what comes `ahead` rows later in column k. A launch that reads many
/// columns goes from one to the next before the hardware sees a pattern (10⁶ rows, one core of
/// an EPYC: `fused` 3.7 Gflop/s without, 12.0 with).
template <class A, class I>
KOKKOS_FUNCTION void fetch_ahead([[maybe_unused]] A const& a, [[maybe_unused]] I i,
                                 [[maybe_unused]] index_t k)
{
  if constexpr (device_is_host && !std::is_integral_v<I>) {
    constexpr index_t ahead = 64;
    constexpr int line = 8;
    auto const* const at =
        a.data_handle() + a.mapping()(i.first, k) + a.mapping()(ahead, index_t{0});
    for (int w = 0; w < ValueAt<double, I>::width; w += line)
      prefetch(at + w);
  }
}

/// The columns of a stripe of `count` from `first` on, at most N, in a work item's rows; those
/// numbered below `begin` are left out. On a GPU they are read at once: a compiler cannot know
/// that no store changes what is loaded after it, and would have one load in flight at a time.
/// A host reads them where they are used.
template <int N, class A, class I, class Columns = Stripe<>>
class ColumnsAhead
{
public:
  using T = typename A::value_type;
  using V = ValueAt<T, I>;

  KOKKOS_FUNCTION ColumnsAhead(A const& a, I i, index_t first, int count, Columns columns = {},
                               int begin = 0)
      : a_(a)
      , i_(i)
      , first_(first)
      , begin_(begin)
      , count_(columns.of(count))
      , columns_(columns)
  {
    if constexpr (!device_is_host)
      for_columns<N>(begin_, count_, [&](int n) { y_[n] = a_(i_, at(n)); });
  }
  /// The stripe's n-th column = update(n, its value); f(n, its new value). Stored where it
  /// `stores`.
  template <class Update, class F>
  KOKKOS_FUNCTION void change(Update const& update, bool stores, F const& f)
  {
    if constexpr (!device_is_host)
      for_columns<N>(begin_, count_, [&](int n) { y_[n] = update(n, y_[n]); });
    for_columns<N>(begin_, count_, [&](int n) {
      V y;
      if constexpr (device_is_host) {
        fetch_ahead(a_, i_, at(n));
        y = a_(i_, at(n));
        y = update(n, y);
      } else
        y = y_[n];
      if (stores)
        a_(i_, at(n)) = y;
      f(n, y);
    });
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION index_t at(int n) const { return first_ + columns_.column(n); }

  A const& a_;
  I i_;
  index_t first_;
  int begin_, count_;
  Columns columns_;
  V y_[device_is_host ? 1 : N];
};

/// What a host's work item does between its loads and its stores, having its rows to itself.
struct Alone
{
  KOKKOS_FUNCTION void operator()() const {}
};

/// Σ a_j², the square of column j's norm.
template <class A>
struct ColumnNorm
{
  static constexpr char const* name() { return "strata::mgs::ColumnNorm"; }
  A a;
  index_t j;

  template <class S, class I>
  KOKKOS_FUNCTION void operator()(S& sum, I i) const
  {
    ValueAt<typename A::value_type, I> const x = a(i, j);
    sum += x * x;
  }
};

/// Σ a_j·a_k
template <class A>
struct ColumnDot
{
  static constexpr char const* name() { return "strata::mgs::ColumnDot"; }
  A a;
  index_t j, k;

  template <class S, class I>
  KOKKOS_FUNCTION void operator()(S& sum, I i) const
  {
    using V = ValueAt<typename A::value_type, I>;
    V const x = a(i, j);
    V const y = a(i, k);
    sum += x * y;
  }
};

/// a_j /= √square; the first row's work item leaves the root in *norm, where there is one.
template <class A, class Square>
struct ColumnScale
{
  static constexpr char const* name() { return "strata::mgs::ColumnScale"; }
  A a;
  index_t j;
  Square square;
  double* norm;

  template <class I>
  KOKKOS_FUNCTION void operator()(I i) const
  {
    using T = typename A::value_type;
    using V = ValueAt<T, I>;
    double const length = std::sqrt(square[0]);
    V const x = a(i, j);
    a(i, j) = x * V(T(1 / length));
    if (norm != nullptr && detail::first_index(i) == 0)
      *norm = length;
  }
};

/// a_k -= r a_j
template <class A, class R>
struct ColumnUpdate
{
  static constexpr char const* name() { return "strata::mgs::ColumnUpdate"; }
  A a;
  index_t j, k;
  R r;

  template <class I>
  KOKKOS_FUNCTION void operator()(I i) const
  {
    using T = typename A::value_type;
    using V = ValueAt<T, I>;
    V const x = a(i, j);
    V y = a(i, k);
    y = y - V(T(r[0])) * x;
    a(i, k) = y;
  }
};

/// sums[n] = Σ a_j·a_{first+n}; in a stripe of columns, of its n-th.
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
    add<chunk>(sums, i, Stripe<>{}, once(), true, Alone{});
  }
  struct Once
  {
  };
  KOKKOS_FUNCTION Once once() const { return {}; }
  template <int>
  static constexpr int fast_size = 0; ///< what FusedPass keeps there
  template <int N, class S, class I, class Columns, class Wait>
  KOKKOS_FUNCTION void add(S& sums, I i, Columns columns, Once, bool real, Wait const&) const
  {
    using T = typename A::value_type;
    using V = ValueAt<T, I>;
    V x = a(i, j);
    if (!real)
      x = V(T{});
    for_columns<N>(0, columns.of(count), [&](int n) {
      index_t const k = first + columns.column(n);
      fetch_ahead(a, i, k);
      V const y = a(i, k);
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
    using T = typename A::value_type;
    using V = ValueAt<T, I>;
    V const x = a(i, j);
    ColumnsAhead<chunk, A, I>(a, i, first, count)
        .change([&](int n, V const& y) { return y - V(T(r[n])) * x; }, true,
                [](int, V const&) {});
  }
};

/// a_j -= Σ r[n] a_{first+n}, and the square of the norm it then has.
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
    using T = typename A::value_type;
    using V = ValueAt<T, I>;
    V x = a(i, j);
    for_columns<chunk>(0, count, [&](int n) {
      fetch_ahead(a, i, first + n);
      V const q = a(i, first + n);
      x = x - V(T(r[n])) * q;
    });
    a(i, j) = x;
    sum += x * x;
  }
};

} // namespace strata::mgs
