#pragma once

#include "contiguous.hpp"
#include "stride.hpp"
#include "tiled.hpp"

#include "../../base/kokkos.hpp"

#include <string>
#include <type_traits>
#include <vector>

namespace strata {

/// The device's own order for one work item per first index: neighbouring work items on a
/// GPU read neighbouring addresses, one host thread reads along a row. Source: S1 section III.
using LayoutDefault = std::conditional_t<device_is_host, LayoutRight, LayoutLeft>;

/// Layout types with their deck names: names and cases both come from this list.
template <class... Layout>
struct Layouts
{
  static std::vector<std::string> names() { return {Layout::name()...}; }
  template <class F>
  static void for_each(F&& f)
  {
    (f.template operator()<Layout>(), ...);
  }
};

} // namespace strata
