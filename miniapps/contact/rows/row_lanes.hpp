#pragma once

#include "base/lanes.hpp"
#include "base/types.hpp"

#include <algorithm>
#include <cstring>

// Rows in the lanes of a host's vector registers: the k-th values of neighbouring rows side by
// side, so that no branch depends on one row's length.

namespace strata::contact {

#if defined(STRATA_LANES) && defined(__AVX2__) && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define STRATA_ROW_LANES
#endif
#endif

#if defined(STRATA_ROW_LANES)

/// Rows taken together.
inline constexpr int row_lanes = register_lanes;

namespace detail {

/// Loads four values of each row from its k-th on and transposes them: value[n] has the (k +
/// n)-th value of all rows.
inline void load_across(double const* const (&row)[row_lanes], index_t k, Lanes (&value)[4])
{
  Lanes some[4]; // of row u and, of eight, of row u + 4
#if defined(__AVX512F__)
  typedef double Half __attribute__((vector_size(32))); // NOLINT(modernize-use-using)
  for (int u = 0; u < 4; ++u) {
    Half low, high;
    std::memcpy(&low, row[u] + k, sizeof(Half));
    std::memcpy(&high, row[u + 4] + k, sizeof(Half));
    some[u] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
  }
  auto const even = [](Lanes a, Lanes b) {
    return __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
  };
  auto const odd = [](Lanes a, Lanes b) {
    return __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  };
  auto const first = [](Lanes a, Lanes b) {
    return __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
  };
  auto const second = [](Lanes a, Lanes b) {
    return __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
  };
#else
  for (int u = 0; u < 4; ++u)
    std::memcpy(&some[u], row[u] + k, sizeof(Lanes));
  auto const even = [](Lanes a, Lanes b) { return __builtin_shufflevector(a, b, 0, 4, 2, 6); };
  auto const odd = [](Lanes a, Lanes b) { return __builtin_shufflevector(a, b, 1, 5, 3, 7); };
  auto const first = [](Lanes a, Lanes b) { return __builtin_shufflevector(a, b, 0, 1, 4, 5); };
  auto const second = [](Lanes a, Lanes b) {
    return __builtin_shufflevector(a, b, 2, 3, 6, 7);
  };
#endif
  value[0] = first(even(some[0], some[1]), even(some[2], some[3]));
  value[1] = first(odd(some[0], some[1]), odd(some[2], some[3]));
  value[2] = second(even(some[0], some[1]), even(some[2], some[3]));
  value[3] = second(odd(some[0], some[1]), odd(some[2], some[3]));
}

} // namespace detail

/// Adds the values of rows [first, first + row_lanes) to a fold's Lanes by `lanes.add(values,
/// there)`, with a mask of the rows that have a k-th value, and calls finish(first, lanes).
/// Loads up to three places past the end of the longest row. Returns false without any effect
/// if memory might end before that, if entries lie elsewhere too, or if a row is so long that
/// the other lanes would idle.
template <class FoldLanes, class View, class Address, class Finish>
bool fold_in_lanes(View const& view, index_t first, Address const& address,
                   Finish const& finish)
{
  constexpr index_t longest_in_lanes = 32;
  LaneMasks length;
  index_t longest = 0;
  for (int u = 0; u < row_lanes; ++u) {
    index_t const numbered = view.numbered(first + u);
    if constexpr (requires { view.has_others(); })
      if (view.has_others() && numbered != view.length(first + u))
        return false;
    length[u] = numbered;
    longest = std::max(longest, numbered);
  }
  index_t const reads = (longest + 3) / 4 * 4;
  if (longest > longest_in_lanes ||
      view.entry(first + row_lanes - 1, 0) + reads > view.entry(view.rows() - 1, 0))
    return false;
  double const* row[row_lanes];
  for (int u = 0; u < row_lanes; ++u)
    row[u] = address(view.entry(first + u, 0));
  FoldLanes fold;
  for (index_t k = 0; k < longest; k += 4) {
    Lanes value[4];
    detail::load_across(row, k, value);
    for (int n = 0; n < 4; ++n)
      fold.add(value[n], length > k + n);
  }
  finish(first, fold);
  return true;
}

#endif

} // namespace strata::contact
