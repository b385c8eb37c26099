#pragma once

#include "../../base/kokkos.hpp"
#include "../access/on_host.hpp"
#include "../layout/require.hpp"
#include "../span/span.hpp"

#include <cstddef>
#include <string>
#include <type_traits>

namespace strata {

/// Uninitialised, labelled bytes of one memory space; shared by copies, freed by the last.
template <class Space = DeviceSpace>
using Memory = Kokkos::View<std::byte*, Space>;

/// Allocates `bytes` of memory and does not write to it: the first touch places each page.
template <class Space = DeviceSpace>
Memory<Space> allocate(std::string const& label, index_t bytes)
{
  return Memory<Space>(Kokkos::view_alloc(Kokkos::WithoutInitializing, label),
                       static_cast<std::size_t>(bytes));
}

namespace detail {

/// Throws if `memory` is smaller than `bytes`. Not inlined: formatting in each constructor
/// costs compile time.
template <class Space>
[[gnu::noinline]] void check_fits(Memory<Space> const& memory, index_t bytes)
{
  if (static_cast<index_t>(memory.size()) < bytes)
    refuse("array '%s' does not fit the memory given to it: it has %lld bytes, the memory %lld",
           memory.label().c_str(), static_cast<long long>(bytes),
           static_cast<long long>(memory.size()));
}

struct TheirMemorySpacesDifferSoCopy
{
};
struct AKernelThatWritesTakesASpanFromWrite
{
};
template <class From, class To>
constexpr auto array_refusal()
{
  if constexpr (!std::is_same_v<typename From::value_type, typename To::value_type>)
    return TheElementsAreOfAnotherType();
  else if constexpr (!Kokkos::SpaceAccessibility<typename To::memory_space,
                                                 typename From::memory_space>::assignable)
    return TheirMemorySpacesDifferSoCopy();
  else
    return mapping_refusal<From, To>();
}
/// void where an array From may become a To.
template <class From, class To>
using ArrayRefusal = decltype(array_refusal<From, To>());

} // namespace detail

/// An owning array: one contiguous, labelled, uninitialised allocation. Copies are shallow
/// and share it; the last one frees it; a default-constructed array is null. Kernels get
/// spans of it. `Array<double, dextents<2>>` has the device's own layout and memory.
/// Source: S1 section III (MDArrayView), S3.
template <class T, class E, class Layout = LayoutDefault, class Space = DeviceSpace>
class Array
{
  static_assert(!std::is_const_v<T>,
                "an array owns elements that are not const; read() gives spans of const ones");
  static_assert(std::is_trivially_copyable_v<T>,
                "elements of an array are copied as bytes, between memories too");

public:
  using value_type = T;
  using extents_type = E;
  using index_type = typename E::index_type;
  using layout_type = Layout;
  using memory_space = Space;
  using mapping_type = typename Layout::template mapping<E>;

  /// Whether host code can access the elements.
  static constexpr bool on_host = Kokkos::SpaceAccessibility<HostSpace, Space>::accessible;

  /// No elements, no memory.
  Array() = default;

  /// Sizes as arguments, all or the run-time ones alone: Array<...>("a", 20, 40).
  template <class... I>
    requires detail::AreSizesOf<E, I...>
  explicit Array(std::string const& label, I... sizes)
      : Array(label, E(sizes...))
  {
  }
  Array(std::string const& label, E const& extents)
      : Array(label, mapping_type(extents))
  {
  }
  Array(std::string const& label, mapping_type const& mapping)
      : Array(allocate<Space>(label, bytes_for(mapping)), mapping)
  {
  }
  /// Elements in memory that was allocated before and that this array keeps alive. Throws if it
  /// is too small.
  Array(Memory<Space> const& memory, mapping_type const& mapping)
      : memory_(memory)
      , mapping_(mapping)
  {
    detail::check_fits<Space>(memory, bytes_for(mapping));
  }
  /// Shares the elements of an array whose mapping converts (layout/convert.hpp) and whose
  /// memory space is assignable to this one's (Kokkos::SpaceAccessibility).
  template <class F, class OtherLayout, class OtherSpace>
    requires(bool(Kokkos::SpaceAccessibility<Space, OtherSpace>::assignable) &&
             ConvertsTo<typename OtherLayout::template mapping<F>, mapping_type>)
  Array(Array<T, F, OtherLayout, OtherSpace> const& other)
      : memory_(other.memory())
      , mapping_(converted<mapping_type>(other.mapping()))
  {
  }

  template <class U, class F, class OtherLayout, class OtherSpace,
            class Reason = detail::ArrayRefusal<Array<U, F, OtherLayout, OtherSpace>, Array>>
    requires(!std::is_void_v<Reason>)
  Array(Array<U, F, OtherLayout, OtherSpace> const&, Reason = {}) = delete;

  [[nodiscard]] bool is_null() const { return memory_.data() == nullptr; }
  [[nodiscard]] std::string label() const { return memory_.label(); }
  [[nodiscard]] int use_count() const { return memory_.use_count(); }
  [[nodiscard]] E const& extents() const { return mapping_.extents(); }
  [[nodiscard]] mapping_type const& mapping() const { return mapping_; }
  static constexpr std::size_t rank() { return E::rank(); }
  [[nodiscard]] index_type extent(std::size_t r) const { return extents().extent(r); }
  /// Elements in memory from one index to the next; of a strided layout.
  [[nodiscard]] index_type stride(std::size_t r) const
    requires(mapping_type::is_always_strided())
  {
    return mapping_.stride(r);
  }
  /// Number of index tuples.
  [[nodiscard]] index_t size() const { return cardinality(extents()); }
  [[nodiscard]] Memory<Space> const& memory() const { return memory_; }
  [[nodiscard]] T* data() const { return reinterpret_cast<T*>(memory_.data()); }

  /// Bytes an array of this mapping occupies, padding included.
  static index_t bytes_for(mapping_type const& mapping)
  {
    auto const elements = static_cast<index_t>(mapping.required_span_size());
    constexpr index_t size = sizeof(T); // NOLINT(bugprone-sizeof-expression): of a pointer, too
    auto const bytes = detail::product(elements, size);
    detail::require(bytes < detail::uncountable,
                    "an array of %lld elements of %lld bytes is larger than any memory",
                    static_cast<long long>(elements), static_cast<long long>(size));
    return bytes;
  }

  /// What a kernel that writes gets; `accessor` where it has a state.
  template <class Access = AccessDefault>
  [[nodiscard]] Span<T, E, Layout, AccessIn<Access, Space>>
  write(typename Access::template accessor<T> const& accessor = {}) const
  {
    return span<T, Access>(accessor);
  }
  /// What a kernel that reads gets.
  template <class Access = AccessReadOnly>
  [[nodiscard]] Span<T const, E, Layout, AccessIn<Access, Space>>
  read(typename Access::template accessor<T const> const& accessor = {}) const
  {
    return span<T const, Access>(accessor);
  }
  /// Converts implicitly to a span of const elements.
  template <class U, class F, class OtherLayout, class Access>
    requires(std::is_const_v<U> &&
             std::is_convertible_v<Span<T const, E, Layout, AccessIn<AccessDefault, Space>>,
                                   Span<U, F, OtherLayout, Access>>)
  operator Span<U, F, OtherLayout, Access>() const
  {
    return read<AccessDefault>();
  }

  template <class U, class F, class OtherLayout, class Access,
            class Reason = detail::AKernelThatWritesTakesASpanFromWrite>
    requires(!std::is_const_v<U>)
  operator Span<U, F, OtherLayout, Access>() const = delete;

  /// An element, for host code; as all copies of an array, a const one shares its elements.
  template <class... I>
    requires(on_host && sizeof...(I) == E::rank())
  [[nodiscard]] T& operator()(I... i) const
  {
    return write()(i...);
  }

private:
  template <class U, class Access>
  [[nodiscard]] Span<U, E, Layout, AccessIn<Access, Space>>
  span(typename Access::template accessor<U> const& accessor) const
  {
    using Result = Span<U, E, Layout, AccessIn<Access, Space>>;
    if constexpr (bounds_checked)
      return Result(data(), mapping_, accessor, memory_.label().c_str());
    else
      return Result(data(), mapping_, accessor);
  }

  Memory<Space> memory_ = null_view<Memory<Space>>();
  mapping_type mapping_ = {};
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

/// Parts are of spans: subspan(a.write(), ...) or subspan(a.read(), ...).
template <class T, class E, class Layout, class Space, class... Slice>
void subspan(Array<T, E, Layout, Space> const&, Slice...)
{
  static_assert(sizeof(T) == 0,
                "a subspan is part of a span: write subspan(a.write(), ...), or "
                "subspan(a.read(), ...) of const elements");
}

} // namespace strata
