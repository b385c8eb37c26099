#pragma once

#include <cstddef>
#include <cstdint>

namespace strata {

/// Counts and offsets that must pass 2^31: elements, bytes, global indices.
using index_t = std::int64_t;

/// A 64-bit count to which many work items add. On an NVIDIA GPU, Kokkos (4.6) adds to this
/// type by one atomic instruction, but to `unsigned long long` by a compare-and-exchange loop,
/// which serialises on a contended count.
using tally_t = std::uint64_t;

/// An extent known only at run time (the standard's std::dynamic_extent).
inline constexpr std::size_t dyn = static_cast<std::size_t>(-1);

} // namespace strata
