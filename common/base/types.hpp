#pragma once

#include <cstddef>
#include <cstdint>

namespace strata {

/// Counts and offsets that must pass 2^31: elements, bytes, global indices.
using index_t = std::int64_t;

/// A 64-bit count that many work items add to. Kokkos (4.6) adds to this type by one
/// instruction on an NVIDIA GPU, to `unsigned long long` by a loop of exchanges: a microsecond
/// for each of 10^5 additions to one count on an H200, which was all of the time of an update.
using tally_t = std::uint64_t;

/// An extent known only at run time (the standard's std::dynamic_extent).
inline constexpr std::size_t dyn = static_cast<std::size_t>(-1);

} // namespace strata
