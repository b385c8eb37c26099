#pragma once

#include "../../base/error.hpp"
#include "../span/span.hpp"

#include <cstddef>
#include <string>
#include <type_traits>

namespace strata {

/// Uninitialised, labelled bytes of one memory space; shared by copies, freed by the last.
template <class Space = DeviceSpace>
using Memory = Kokkos::View<std::byte*, Space>;

/// Allocates `bytes` of memory. Nothing is written: pages belong to whoever touches them first.
template <class Space = DeviceSpace>
Memory<Space> allocate(std::string const& label, index_t bytes)
{
  return Memory<Space>(Kokkos::view_alloc(Kokkos::WithoutInitializing, label),
                       static_cast<std::size_t>(bytes));
}

namespace detail {

/// Throws where `memory` is smaller than an array's bytes; apart, since text is much to compile
/// in each of the many places that make arrays.
template <class Space>
[[gnu::noinline]] void check_fits(Memory<Space> const& memory, index_t bytes)
{
  STRATA_CHECK(static_cast<index_t>(memory.size()) >= bytes,
               "array '" + memory.label() + "' does not fit the memory given to it");
}

} // namespace detail

/// An owning array: one contiguous, labelled, uninitialised allocation. Copies are shallow
/// and share it; the last one frees it; a default-constructed array is null. Kernels get
/// spans of it. Source: S1 section III (MDArrayView), S3.
template <class T, class E, class Layout = LayoutDefault, class Space = DeviceSpace>
class Array
{
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>);

public:
  using value_type = T;
  using extents_type = E;
  using layout_type = Layout;
  using memory_space = Space;
  using mapping_type = typename Layout::template mapping<E>;

  /// No elements, no memory.
  Array() = default;

  Array(std::string const& label, E const& extents)
      : Array(label, mapping_type(extents))
  {
  }
  Array(std::string const& label, mapping_type const& mapping)
      : Array(allocate<Space>(label, bytes_for(mapping)), mapping)
  {
  }
  /// Elements in memory allocated before, which is kept alive by this array; throws when it
  /// is too small.
  Array(Memory<Space> const& memory, mapping_type const& mapping)
      : memory_(memory)
      , mapping_(mapping)
  {
    detail::check_fits<Space>(memory, bytes_for(mapping));
  }

  [[nodiscard]] bool is_null() const { return memory_.data() == nullptr; }
  [[nodiscard]] std::string label() const { return memory_.label(); }
  [[nodiscard]] int use_count() const { return memory_.use_count(); }
  [[nodiscard]] E const& extents() const { return mapping_.extents(); }
  [[nodiscard]] mapping_type const& mapping() const { return mapping_; }
  /// Number of index tuples.
  [[nodiscard]] index_t size() const { return cardinality(extents()); }
  [[nodiscard]] Memory<Space> const& memory() const { return memory_; }
  [[nodiscard]] T* data() const { return reinterpret_cast<T*>(memory_.data()); }

  /// Bytes an array of this mapping occupies, padding included.
  static index_t bytes_for(mapping_type const& mapping)
  {
    auto const elements = static_cast<index_t>(mapping.required_span_size());
    auto const bytes = detail::product(elements, static_cast<index_t>(sizeof(T)));
    detail::require(bytes < detail::uncountable,
                    "an array of %lld elements of %lld bytes is larger than any memory",
                    static_cast<long long>(elements), static_cast<long long>(sizeof(T)));
    return bytes;
  }

  template <class Access = AccessDefault>
  [[nodiscard]] Span<T, E, Layout, Access> write() const
  {
    return Span<T, E, Layout, Access>(data(), mapping_, label_text());
  }
  template <class Access = AccessReadOnly>
  [[nodiscard]] Span<T const, E, Layout, Access> read() const
  {
    return Span<T const, E, Layout, Access>(data(), mapping_, label_text());
  }

private:
  [[nodiscard]] char const* label_text() const
  {
    if constexpr (bounds_checked)
      return (name_ = memory_.label()).c_str();
    else
      return "";
  }

  Memory<Space> memory_ = null_view<Memory<Space>>();
  mapping_type mapping_ = {};
  mutable std::string name_;
};

/// An array of the same elements, order and size that host code can read; `array` itself
/// where it already can (as Kokkos' create_mirror_view). Contents are not copied.
template <class T, class E, class Layout, class Space>
auto host_mirror(Array<T, E, Layout, Space> const& array)
{
  if constexpr (Kokkos::SpaceAccessibility<HostSpace, Space>::accessible)
    return array;
  else
    return Array<T, E, Layout, HostSpace>(array.label() + " (host)", array.mapping());
}

} // namespace strata
