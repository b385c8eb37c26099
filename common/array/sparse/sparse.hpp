#pragma once

#include "../dense/array.hpp"
#include "../launch/for_each.hpp"
#include "../launch/scan.hpp"

#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>

namespace strata {

/// Which lines of a sparse matrix are stored one after another.
enum class Compressed
{
  rows,   ///< CSR
  columns ///< CSC
};

/// What a kernel sees of a sparse matrix: for each line the places across it of its entries,
/// ascending, and their values. Entries of line i are [begin(i), end(i)). Debug builds check
/// lines and entries, and the places of a line in which an element is looked up.
template <class T, class Place, Compressed Along>
class SparseSpan : public detail::Labelled
{
public:
  using value_type = std::remove_const_t<T>;

  KOKKOS_DEFAULTED_FUNCTION SparseSpan() = default;
  KOKKOS_FUNCTION SparseSpan(index_t lines, index_t across, index_t const* offsets,
                             Place const* places, T* values, char const* label = "")
      : Labelled(label)
      , lines_(lines)
      , across_(across)
      , offsets_(offsets)
      , places_(places)
      , values_(values)
  {
  }

  KOKKOS_FUNCTION index_t rows() const { return Along == Compressed::rows ? lines_ : across_; }
  KOKKOS_FUNCTION index_t columns() const
  {
    return Along == Compressed::rows ? across_ : lines_;
  }
  KOKKOS_FUNCTION index_t lines() const { return lines_; }
  KOKKOS_FUNCTION index_t begin(index_t line) const
  {
    check("line", line, lines_);
    return offsets_[line];
  }
  KOKKOS_FUNCTION index_t end(index_t line) const
  {
    check("line", line, lines_);
    return offsets_[line + 1];
  }
  /// Column (CSR) or row (CSC) of an entry.
  KOKKOS_FUNCTION Place place(index_t entry) const
  {
    check_entry(entry);
    return places_[entry];
  }
  KOKKOS_FUNCTION T& value(index_t entry) const
  {
    check_entry(entry);
    return values_[entry];
  }

  /// For code without spans: lines() + 1 begins and, entry by entry, what those give.
  [[nodiscard]] KOKKOS_FUNCTION index_t const* offsets() const { return offsets_; }
  [[nodiscard]] KOKKOS_FUNCTION Place const* places() const { return places_; }
  [[nodiscard]] KOKKOS_FUNCTION T* values() const { return values_; }

  /// Element (i,j), zero where none is stored; by bisection.
  KOKKOS_FUNCTION value_type operator()(index_t i, index_t j) const
  {
    index_t const line = Along == Compressed::rows ? i : j;
    index_t const sought = Along == Compressed::rows ? j : i;
    check("place", sought, across_);
    check_line(line);
    index_t low = begin(line);
    index_t high = end(line);
    while (low < high) {
      index_t const middle = low + (high - low) / 2;
      if (places_[middle] < sought)
        low = middle + 1;
      else
        high = middle;
    }
    return low < end(line) && places_[low] == sought ? values_[low] : value_type{};
  }

  /// In debug builds, stops where the places of a line do not ascend within the matrix.
  KOKKOS_FUNCTION void check_line([[maybe_unused]] index_t line) const
  {
    if constexpr (bounds_checked) {
      index_t least = 0;
      for (index_t entry = begin(line); entry < end(line); ++entry) {
        auto const found = static_cast<index_t>(place(entry));
        if (found < least || found >= across_) {
          printf("sparse matrix '%s': entry %lld of line %lld has place %lld, where places "
                 "ascend within [%lld, %lld)\n",
                 label(), static_cast<long long>(entry - begin(line)),
                 static_cast<long long>(line), static_cast<long long>(found),
                 static_cast<long long>(least), static_cast<long long>(across_));
          Kokkos::abort("places of a sparse matrix out of order");
        }
        least = found + 1;
      }
    }
  }

private:
  KOKKOS_FUNCTION void check_entry([[maybe_unused]] index_t entry) const
  {
    if constexpr (bounds_checked)
      check("entry", entry, offsets_[lines_]);
  }
  KOKKOS_FUNCTION void check([[maybe_unused]] char const* what, [[maybe_unused]] index_t i,
                             [[maybe_unused]] index_t count) const
  {
    if constexpr (bounds_checked) {
      if (i >= 0 && i < count)
        return;
      printf("sparse matrix '%s': %s %lld is outside [0, %lld)\n", label(), what,
             static_cast<long long>(i), static_cast<long long>(count));
      Kokkos::abort("index out of bounds");
    }
  }

  index_t lines_ = 0;
  index_t across_ = 0;
  index_t const* offsets_ = nullptr;
  Place const* places_ = nullptr;
  T* values_ = nullptr;
};

namespace detail {

template <class Pattern>
struct CountEntries
{
  static constexpr char const* name() { return "strata::Sparse count"; }
  Pattern pattern;
  index_t* counts;

  KOKKOS_FUNCTION void operator()(index_t line) const { counts[line] = pattern.count(line); }
};

template <class Pattern, class T, class Place>
struct FillEntries
{
  static constexpr char const* name() { return "strata::Sparse fill"; }
  Pattern pattern;
  index_t const* offsets;
  Place* places;
  T* values;

  KOKKOS_FUNCTION void operator()(index_t line) const
  {
    pattern.fill(line, places + offsets[line], values + offsets[line]);
  }
};

template <class Span>
struct CheckLines
{
  static constexpr char const* name() { return "strata::Sparse check"; }
  Span span;

  KOKKOS_FUNCTION void operator()(index_t line) const { span.check_line(line); }
};

} // namespace detail

/// An owning sparse matrix, compressed along its rows or columns, built in parallel in three
/// passes: counts, a 64-bit scan, fill. Copies are shallow. Source: S5 section 3 (CSRArray,
/// CSCArray), without its 32-bit offsets.
template <class T, Compressed Along = Compressed::rows, class Place = std::int32_t,
          class Space = DeviceSpace>
class Sparse
{
public:
  using value_type = T;

  Sparse() = default;

  /// `pattern.count(line)` gives a line's entries and `pattern.fill(line, Place*, T*)` writes
  /// them, places ascending; both run on the device.
  template <class Pattern>
  Sparse(std::string const& label, index_t rows, index_t columns, Pattern const& pattern)
      : lines_(Along == Compressed::rows ? rows : columns)
      , across_(Along == Compressed::rows ? columns : rows)
      , label_(label)
      , offsets_(label + " offsets", Dynamic<1>(lines_ + 1))
  {
    using Execution = typename Space::execution_space;
    detail::require(
        across_ <= static_cast<index_t>(std::numeric_limits<Place>::max()),
        "sparse matrix '%s' has more places across a line than its index type counts",
        label.c_str());
    for_each<Execution>(lines_, detail::CountEntries<Pattern>{pattern, offsets_.data()});
    entries_ = exclusive_scan<Execution>(offsets_.write(), offsets_.write());
    places_ =
        Array<Place, Dynamic<1>, LayoutRight, Space>(label + " places", Dynamic<1>(entries_));
    values_ = Array<T, Dynamic<1>, LayoutRight, Space>(label + " values", Dynamic<1>(entries_));
    for_each<Execution>(lines_, detail::FillEntries<Pattern, T, Place>{
                                    pattern, offsets_.data(), places_.data(), values_.data()});
    if constexpr (bounds_checked)
      for_each<Execution>(lines_,
                          detail::CheckLines<SparseSpan<T const, Place, Along>>{read()});
    Kokkos::fence();
  }

  [[nodiscard]] index_t rows() const { return Along == Compressed::rows ? lines_ : across_; }
  [[nodiscard]] index_t columns() const { return Along == Compressed::rows ? across_ : lines_; }
  /// Stored elements.
  [[nodiscard]] index_t entries() const { return entries_; }

  [[nodiscard]] SparseSpan<T, Place, Along> write() const
  {
    return {lines_, across_, offsets_.data(), places_.data(), values_.data(), label_.c_str()};
  }
  [[nodiscard]] SparseSpan<T const, Place, Along> read() const
  {
    return {lines_, across_, offsets_.data(), places_.data(), values_.data(), label_.c_str()};
  }

  /// Bytes of a matrix with so many lines and entries.
  static index_t bytes_for(index_t lines, index_t entries)
  {
    return (lines + 1) * static_cast<index_t>(sizeof(index_t)) +
           entries * static_cast<index_t>(sizeof(T) + sizeof(Place));
  }
  [[nodiscard]] index_t bytes() const { return bytes_for(lines_, entries_); }

private:
  index_t lines_ = 0;
  index_t across_ = 0;
  index_t entries_ = 0;
  std::string label_;
  Array<index_t, Dynamic<1>, LayoutRight, Space> offsets_;
  Array<Place, Dynamic<1>, LayoutRight, Space> places_;
  Array<T, Dynamic<1>, LayoutRight, Space> values_;
};

template <class T, class Place = std::int32_t, class Space = DeviceSpace>
using CSRArray = Sparse<T, Compressed::rows, Place, Space>;
template <class T, class Place = std::int32_t, class Space = DeviceSpace>
using CSCArray = Sparse<T, Compressed::columns, Place, Space>;

} // namespace strata
