#pragma once

#include "../../base/kokkos.hpp"
#include "../../base/types.hpp"

#include <cstddef>
#include <cstdint>

namespace strata::detail {

/// Divides by a number that is fixed before the launch: below 2^31 by a product and a shift,
/// which on a GPU take far less time than a division. Source: Granlund and Montgomery 1994,
/// figure 4.1.
class Divisor
{
public:
  Divisor() = default;
  explicit Divisor(index_t divisor)
      : divisor_(divisor)
      , reciprocal_(1.0 / static_cast<double>(divisor))
  {
    if (divisor < 1 || divisor >> 31 != 0)
      return;
    auto const d = static_cast<std::uint64_t>(divisor);
    while ((std::uint64_t{1} << shift_) < d)
      ++shift_;
    factor_ = static_cast<std::uint32_t>((((std::uint64_t{1} << shift_) - d) << 32) / d + 1);
  }
  KOKKOS_FUNCTION index_t value() const { return divisor_; }

  struct Result
  {
    index_t quotient;
    index_t remainder;
  };
  /// Quotient and remainder of n, which is in [0, 2^53]. Small promises that n and the divisor
  /// are below 2^31.
  template <bool Small = false>
  KOKKOS_FUNCTION Result divide(index_t n) const
  {
    if (Small || ((n | divisor_) >> 31) == 0) {
      auto const m = static_cast<std::uint32_t>(n);
      auto const high = static_cast<std::uint32_t>((std::uint64_t{m} * factor_) >> 32);
      std::uint32_t const quotient = (high + m) >> shift_;
      return {quotient, m - quotient * static_cast<std::uint32_t>(divisor_)};
    }
    // The floating-point product is off by at most one.
    auto quotient = static_cast<index_t>(static_cast<double>(n) * reciprocal_);
    index_t remainder = n - quotient * divisor_;
    if (remainder < 0) {
      --quotient;
      remainder += divisor_;
    } else if (remainder >= divisor_) {
      ++quotient;
      remainder -= divisor_;
    }
    return {quotient, remainder};
  }

private:
  index_t divisor_ = 1;
  double reciprocal_ = 1;
  std::uint32_t factor_ = 1;
  std::uint32_t shift_ = 0;
};

/// The multi-index of the linear index `i` in a space of `sizes`, last index fastest.
template <bool Small = false, std::size_t N>
KOKKOS_FUNCTION Kokkos::Array<index_t, N> unravel(index_t i,
                                                  Kokkos::Array<Divisor, N> const& sizes)
{
  Kokkos::Array<index_t, N> index{};
  if constexpr (N > 0) {
    for (std::size_t r = N - 1; r > 0; --r) {
      auto const [quotient, remainder] = sizes[r].template divide<Small>(i);
      index[r] = remainder;
      i = quotient;
    }
    index[0] = i;
  }
  return index;
}

/// Moves to the next multi-index in a space of `sizes`, last index fastest; behind the last one
/// to the first.
template <std::size_t N>
void to_next(Kokkos::Array<index_t, N>& index, Kokkos::Array<Divisor, N> const& sizes)
{
  if constexpr (N > 0)
    for (std::size_t r = N; r-- > 0;) {
      if (++index[r] < sizes[r].value())
        return;
      index[r] = 0;
    }
}

} // namespace strata::detail
