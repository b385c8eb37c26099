#pragma once

#include "output.hpp"

#include "array/layout/extents.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace strata::verify {

namespace detail {

/// Adds the offsets of all indices of the extents that begin with `at`.
template <class Mapping, class E, class... I>
void add_offsets(std::vector<index_t>& offsets, Mapping const& mapping, E const& extents,
                 I... at)
{
  if constexpr (sizeof...(I) == E::rank())
    offsets.push_back(static_cast<index_t>(mapping(at...)));
  else
    for (index_t i = 0; i < static_cast<index_t>(extents.extent(sizeof...(I))); ++i)
      add_offsets(offsets, mapping, extents, at..., i);
}

} // namespace detail

/// The elements that a mapping finds at all indices of the extents, in the order of memory and
/// without its padding; the extents may be smaller than the mapping's own.
template <class T, class Mapping, class E>
Output elements_of(T* data, Mapping const& mapping, E const& extents, bool on_device = true)
{
  std::vector<index_t> offsets;
  detail::add_offsets(offsets, mapping, extents);
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  Output output;
  output.on_device = on_device;
  for (index_t const offset : offsets)
    output.add(data + offset, 1);
  return output;
}

} // namespace strata::verify
