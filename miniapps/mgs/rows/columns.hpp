#pragma once

#include "array/access/pack.hpp"
#include "array/access/prefetch.hpp"
#include "array/launch/sums.hpp"
#include "array/span/span.hpp"
#include "base/kokkos.hpp"
#include "base/types.hpp"

#include <type_traits>

namespace strata::mgs {

// The kernels on one work item: a row, or a pack of rows, of the multivector a(row, column).
// Coefficients are the same for all rows.

/// Columns that one work item handles, whose values and sums stay in registers. On a GPU the
/// values, sums and addresses of 32 columns would spill.
inline constexpr int chunk = device_is_host ? 32 : 16;
/// Columns that a launch sums; on a GPU two work items share a row.
inline constexpr int summed = device_is_host ? chunk : 2 * chunk;

/// The columns of one work item: every Parts-th of a launch's, from `part` on.
template <int Parts = 1>
struct Stripe
{
  int part = 0;

  KOKKOS_FUNCTION int column(int n) const { return n * Parts + part; }
  /// Number of these among the launch's first `count` columns.
  KOKKOS_FUNCTION int of(int count) const { return (count - part + Parts - 1) / Parts; }
};

/// sum += x y, in double; a scalar sum gets the products of all lanes.
template <class S, class V>
KOKKOS_FUNCTION void add_product(S& sum, V const& x, V const& y)
{
  auto const left = convert<double>(x);
  auto const right = convert<double>(y);
  if constexpr (std::is_same_v<S, std::remove_const_t<decltype(left)>>)
    sum += left * right;
  else
    for (int w = 0; w < V::width; ++w)
      sum += left.lane[w] * right.lane[w];
}

/// Coefficients in the device's memory, where a reduction has stored them.
struct OnDevice
{
  double const* value;
  KOKKOS_FUNCTION double operator[](index_t n) const { return value[n]; }
};
/// Coefficients in the kernel's arguments, from the host.
template <int N>
struct InHand
{
  Sums<double, N> value;
  KOKKOS_FUNCTION double operator[](index_t n) const { return value[static_cast<int>(n)]; }
};

/// Calls f(n) for n in [begin, count), count at most N: on a GPU unrolled, so that arrays
/// indexed by n can be registers; on a host as a loop that can be vectorised.
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

/// On a host: prefetches column k, `ahead` rows further on. A launch that reads many columns
/// has more streams than the hardware's prefetcher follows.
template <class A, class I>
KOKKOS_FORCEINLINE_FUNCTION void fetch_ahead([[maybe_unused]] A const& a, [[maybe_unused]] I i,
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

/// Values of columns in a work item's rows where memory has them; what slot they would have
/// elsewhere (StagedValues) is not needed.
template <class A, class I>
struct InMemory
{
  A const& a;
  I i;

  KOKKOS_FUNCTION ValueAt<typename A::value_type, I> operator()(int /*slot*/, index_t k) const
  {
    ValueAt<typename A::value_type, I> const value = a(i, k);
    return value;
  }
};

/// The values of a stripe of columns in a work item's rows: of `count` columns from `first` on,
/// at most N, without those numbered below `begin`. A GPU loads all of them first: the stores
/// between might alias the later loads, so that the compiler would keep one load in flight at a
/// time. A host loads each where it is used.
template <int N, class A, class I, class Columns = Stripe<>>
class ColumnsAhead
{
public:
  using V = ValueAt<typename A::value_type, I>;

  KOKKOS_FUNCTION ColumnsAhead(A const& a, I i, index_t first, int count, Columns columns = {},
                               int begin = 0)
      : ColumnsAhead(a, i, first, count, columns, begin, InMemory<A, I>{a, i})
  {
  }
  /// The values are load(n, column).
  template <class Load>
  KOKKOS_FUNCTION ColumnsAhead(A const& a, I i, index_t first, int count, Columns columns,
                               int begin, Load const& load)
      : a_(a)
      , i_(i)
      , first_(first)
      , begin_(begin)
      , count_(columns.of(count))
      , columns_(columns)
  {
    if constexpr (!device_is_host)
      for_columns<N>(begin_, count_, [&](int n) { y_[n] = load(n, at(n)); });
  }
  /// Calls f(n, value) for the stripe's columns. Without stores, too, nvcc keeps few of the
  /// loads in flight that stand between uses.
  template <class F>
  KOKKOS_FUNCTION void visit(F const& f) const
  {
    for_columns<N>(begin_, count_, [&](int n) {
      if constexpr (device_is_host) {
        fetch_ahead(a_, i_, at(n));
        V const y = a_(i_, at(n));
        f(n, y);
      } else
        f(n, y_[n]);
    });
  }
  /// Sets the stripe's n-th column to update(n, value), stores it if `stores`, and calls
  /// f(n, new value).
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

/// The barrier between loads and stores where no other work item has the same rows: none.
struct Alone
{
  KOKKOS_FUNCTION void operator()() const {}
};

} // namespace strata::mgs
