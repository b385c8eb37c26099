#pragma once

#include "ragged_rows.hpp"

#include <gtest/gtest.h>

namespace strata::test {

/// Rows of a kind, made in a way that they have to find room.
template <class R, Overflow Policy, index_t Capacity = 2>
struct Structure
{
  using Rows = R;
  static constexpr RowOptions options{.capacity = Capacity, .overflow = Policy, .pool = 20};
};

using Structures = ::testing::Types<
    Structure<DynamicRaggedRows<LayoutRight>, Overflow::grow>,
    Structure<DynamicRaggedRows<LayoutLeft>, Overflow::grow>,
    Structure<DynamicRaggedRows<LayoutTiled<32>>, Overflow::grow>,
    Structure<DynamicRaggedRows<LayoutRight>, Overflow::spill>,
    Structure<DynamicRaggedRows<LayoutRight>, Overflow::spill, 3>,
    Structure<DynamicRaggedRows<LayoutLeft>, Overflow::spill>,
    Structure<SlackRows<>, Overflow::grow>, Structure<SlackRows<>, Overflow::spill>,
    Structure<PagedRows<>, Overflow::grow>, Structure<LinkedRows<>, Overflow::grow>>;

} // namespace strata::test
