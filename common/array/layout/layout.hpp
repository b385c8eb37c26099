#pragma once

#include "contiguous.hpp"
#include "stride.hpp"
#include "tiled.hpp"

#include "../../base/kokkos.hpp"

#include <type_traits>

namespace strata {

/// The device's own order for one work item per first index: neighbouring work items on a
/// GPU read neighbouring addresses, one host thread reads along a row. Source: S1 section III.
using LayoutDefault = std::conditional_t<device_is_host, LayoutRight, LayoutLeft>;

} // namespace strata
