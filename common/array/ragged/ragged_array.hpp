#pragma once

#include "rows.hpp"

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

  /// Puts a value before entry k of a line, or at its end where k is its length, by its owner;
  /// the entries from k on move by one. Returns false where there is no room. Entries that were
  /// spilled to a pool are in no order.
  KOKKOS_FUNCTION bool insert(index_t line, index_t k, value_type value) const
    requires NumberedRowsView<View> && ChangingRowsView<View>
  {
    index_t const count = view_.numbered(line);
    if (k != count)
      check(line, k);
    index_t to = view_.append(line);
    if (to < 0)
      return false;
    for (index_t at = count - 1; at >= k; --at) {
      index_t const from = view_.entry(line, at);
      values_(to) = values_(from);
      to = from;
    }
    values_(to) = value;
    return true;
  }
  /// Removes entry k of a line, by its owner; the entries after it move by one.
  KOKKOS_FUNCTION void remove(index_t line, index_t k) const
    requires NumberedRowsView<View> && ChangingRowsView<View>
  {
    check(line, k);
    index_t const last = view_.numbered(line) - 1;
    for (index_t at = k; at < last; ++at)
      values_(view_.entry(line, at)) = values_(view_.entry(line, at + 1));
    view_.remove(line, view_.entry(line, last),
                 [this](index_t to, index_t from) { values_(to) = values_(from); });
  }
  /// Removes all entries of a line, by its owner.
  KOKKOS_FUNCTION void clear(index_t line) const
    requires ChangingRowsView<View>
  {
    view_.clear(line);
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
    bool const there = line >= 0 && line < lines();
    detail::stop("ragged array '%s': entry %lld of line %lld, where %lld lines are and the "
                 "line has %lld entries",
                 values_.label(), static_cast<long long>(k), static_cast<long long>(line),
                 static_cast<long long>(lines()),
                 static_cast<long long>(there ? numbered(line) : 0));
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
  /// Makes room where entries found none (rows.hpp).
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

/// A ragged array of the same structure, with room for the same entries, that host code can
/// read; `array` itself where it already can. Contents and lengths are not copied.
template <class T, class Rows, Lines Of>
auto host_mirror(RaggedArray<T, Rows, Of> const& array)
{
  if constexpr (Kokkos::SpaceAccessibility<HostSpace, typename Rows::memory_space>::accessible)
    return array;
  else {
    auto const rows = array.rows().template mirror<HostSpace>();
    return RaggedArray<T, std::remove_const_t<decltype(rows)>, Of>(
        array.values().label() + " (host)", rows);
  }
}

/// Copies lengths and values; both arrays have the same lines and room for the same entries,
/// else throws. Rows that lack room are to be resolved before.
template <class T, class To, class From, Lines Of>
void copy(RaggedArray<T, To, Of> const& to, RaggedArray<T, From, Of> const& from)
{
  to.rows().copy_from(from.rows());
  copy(to.values(), from.values());
}

} // namespace strata
