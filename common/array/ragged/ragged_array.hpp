#pragma once

#include "rows.hpp"

#if defined(STRATA_BOUNDS_CHECK)
#include <cstdio>
#endif

namespace strata {

/// What lies together in a ragged array.
enum class Lines
{
  rows,   ///< element (i,j) is entry j of row i: S5's ...Right
  columns ///< element (i,j) is entry i of column j: S5's ...Down
};

/// What a kernel sees of a ragged array: lines of different lengths with elements (i,j).
template <class Values, class View, Lines Of>
class RaggedSpan
{
public:
  using value_type = typename Values::value_type;

  KOKKOS_DEFAULTED_FUNCTION RaggedSpan() = default;
  KOKKOS_FUNCTION RaggedSpan(Values const& values, View const& view)
      : values_(values)
      , view_(view)
  {
  }
  /// Rows, or columns where those lie together.
  KOKKOS_FUNCTION index_t lines() const { return view_.rows(); }
  KOKKOS_FUNCTION index_t length(index_t line) const { return view_.length(line); }
  KOKKOS_FUNCTION View const& view() const { return view_; }
  KOKKOS_FUNCTION Values const& values() const { return values_; }

  /// Element (i,j); with a PackIndex along a line as many of it, where they are contiguous.
  template <class I, class J>
  KOKKOS_FUNCTION decltype(auto) operator()(I i, J j) const
  {
    if constexpr (Of == Lines::rows)
      return at(i, j);
    else
      return at(j, i);
  }
  /// Appends a value to a line, by its owner; false where it found no room.
  KOKKOS_FUNCTION bool append(index_t line, value_type value) const
  {
    index_t const entry = view_.append(line);
    if (entry >= 0)
      values_(entry) = value;
    return entry >= 0;
  }

private:
  /// The line is a number, or one that knows its place.
  template <class Line, class K>
  KOKKOS_FUNCTION decltype(auto) at(Line const& line, K k) const
  {
    index_t const first = detail::first_index(k);
    check(static_cast<index_t>(line), first);
    if constexpr (detail::index_width<K> == 0) {
      return values_(view_.entry(line, first));
    } else {
      static_assert(View::contiguous, "a pack is of neighbours in memory");
      return values_(K{view_.entry(line, first)});
    }
  }

#if defined(STRATA_BOUNDS_CHECK)
  /// Elements that indices reach: not those that rows have spilled.
  KOKKOS_FUNCTION index_t numbered(index_t line) const
  {
    if constexpr (requires { view_.numbered(line); })
      return view_.numbered(line);
    else
      return length(line);
  }
  KOKKOS_FUNCTION void check(index_t line, index_t k) const
  {
    if (line >= 0 && line < lines() && k >= 0 && k < numbered(line))
      return;
    printf("ragged array '%s': entry %lld of line %lld is outside its length or there is no "
           "such line\n",
           values_.label(), static_cast<long long>(k), static_cast<long long>(line));
    Kokkos::abort("index out of bounds");
  }
#else
  KOKKOS_FUNCTION void check(index_t, index_t) const {}
#endif

  Values values_;
  View view_;
};

/// A structure of rows with one array of values, which it keeps the right size. Copies are
/// shallow.
template <class T, class Rows, Lines Of>
class RaggedArray
{
public:
  using value_type = T;
  using memory_space = typename Rows::memory_space;

  RaggedArray() = default;
  /// Values over a structure made before, which other arrays may share unless it grows.
  RaggedArray(std::string const& label, Rows rows)
      : rows_(std::move(rows))
      , values_(label, Dynamic<1>(rows_.slots()))
  {
  }
  /// The structure is made of what follows its label.
  template <class... How>
    requires(sizeof...(How) > 0 && !(sizeof...(How) == 1 && (std::is_same_v<How, Rows> && ...)))
  explicit RaggedArray(std::string const& label, How const&... how)
      : RaggedArray(label, Rows(label + " rows", how...))
  {
  }

  [[nodiscard]] index_t lines() const { return rows_.rows(); }
  [[nodiscard]] Rows const& rows() const { return rows_; }
  [[nodiscard]] EntryValues<T, memory_space> const& values() const { return values_; }

  template <class Access = AccessDefault>
  [[nodiscard]] auto write() const
  {
    return span(values_.template write<Access>());
  }
  template <class Access = AccessReadOnly>
  [[nodiscard]] auto read() const
  {
    return span(values_.template read<Access>());
  }
  /// See rows.hpp.
  OverflowedRows<memory_space> resolve_overflow() { return rows_.resolve_overflow(values_); }

  /// Bytes of structure and values.
  [[nodiscard]] index_t memory_bytes() const
  {
    return rows_.memory_bytes() + values_.bytes_for(values_.mapping());
  }

private:
  template <class Values>
  [[nodiscard]] auto span(Values const& values) const
  {
    return RaggedSpan<Values, typename Rows::view_type, Of>(values, rows_.view());
  }

  Rows rows_;
  EntryValues<T, memory_space> values_;
};

} // namespace strata
