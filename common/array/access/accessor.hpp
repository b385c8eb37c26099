#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace strata {

/// Requirements on an access rule's accessor: the standard's accessor requirements (S2 section
/// III.C, Table II). An access rule is a class with `accessor<T>`, which turns a data handle
/// and an offset into a reference (or a proxy) to an element of type T. An accessor may have
/// state, which the span stores. For launches over packs it must be stateless and have static
/// members:
///   load<W>(handle, offset)          returns W elements as a Pack
///   store<W>(handle, offset, pack)   stores a pack; elements that are not const
///   fetches_before_store             constant: whether a store write-allocates its cache line
template <class A, class T>
concept ElementAccessor =
    std::is_trivially_copyable_v<A> && std::same_as<typename A::element_type, T> &&
    requires(A const& a, typename A::data_handle_type p,
             typename A::offset_policy const& policy) {
      { a.access(p, std::size_t{}) } -> std::same_as<typename A::reference>;
      a.offset(p, std::size_t{});
    };

} // namespace strata
