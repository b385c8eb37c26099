#pragma once

#include "array/ragged/ragged.hpp"

#include <concepts>

// What a search asks of the view of the rows that it writes.

namespace strata::contact {

/// Views that only count.
template <class View>
concept OnlyCounts = requires(View const& view) { view.count(index_t{}, index_t{}); };

/// Views of rows that one launch counts and a second one fills.
template <class View>
concept InTwoPasses =
    std::derived_from<View, RaggedCountView> || std::derived_from<View, RaggedFillView>;

/// Views of rows whose entries have numbers, by which any work item may set them. Where lengths
/// are not known from a first pass, the row's own says by `extend(row, k)` that it has k more.
template <class View>
concept SetsByNumber = requires(View const& view, index_t row, index_t k) {
  { View::contiguous } -> std::convertible_to<bool>;
  { view.entry(row, k) } -> std::convertible_to<index_t>;
  { view.capacity(row) } -> std::convertible_to<index_t>;
};

template <class View>
concept Extends = requires(View const& view, index_t row, index_t k) { view.extend(row, k); };

} // namespace strata::contact
