#pragma once

#include <cstddef>
#include <cstdint>

namespace strata {

/// Counts and offsets that must pass 2^31: elements, bytes, global indices.
using index_t = std::int64_t;

/// An extent known only at run time (the standard's std::dynamic_extent).
inline constexpr std::size_t dyn = static_cast<std::size_t>(-1);

} // namespace strata
