#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace strata {

/// What is asked of an access rule's accessor: the standard's accessor requirements (S2 section
/// III.C, Table II). An access rule is a class with `accessor<T>`, which turns a data handle
/// and an offset into a reference to an element of type T, or into what stands for one. An
/// accessor may have a state: a span stores it. Where launches over packs are to use it, it has
/// static functions besides, and no state:
///   load<W>(handle, offset)          W elements as a Pack
///   store<W>(handle, offset, pack)   of elements that are not const
///   fetches_before_store             a constant: whether a store reads the cache line first
template <class A, class T>
concept ElementAccessor =
    std::is_trivially_copyable_v<A> && std::same_as<typename A::element_type, T> &&
    requires(A const& a, typename A::data_handle_type p,
             typename A::offset_policy const& policy) {
      { a.access(p, std::size_t{}) } -> std::same_as<typename A::reference>;
      a.offset(p, std::size_t{});
    };

} // namespace strata
