#pragma once

#include "sparse_span.hpp"

#include "../dense/array.hpp"
#include "../dense/copy.hpp"
#include "../launch/for_each.hpp"
#include "../launch/scan.hpp"
#include "../layout/require.hpp"

#include <cstdint>
#include <limits>
#include <string>

namespace strata {

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
  template <class U>
  using Line = Array<U, Dynamic<1>, LayoutRight, Space>;
  using Writing = SparseSpan<T, Place, Along, AccessIn<AccessDefault, Space>>;
  using Reading = SparseSpan<T const, Place, Along, AccessIn<AccessDefault, Space>>;

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
    places_ = Line<Place>(label + " places", Dynamic<1>(entries_));
    values_ = Line<T>(label + " values", Dynamic<1>(entries_));
    for_each<Execution>(lines_, detail::FillEntries<Pattern, T, Place>{
                                    pattern, offsets_.data(), places_.data(), values_.data()});
    if constexpr (bounds_checked)
      for_each<Execution>(lines_, detail::CheckLines<Reading>{read()});
    Kokkos::fence();
  }

  /// A matrix over arrays made before, which it shares: offsets of lines() + 1 elements, the
  /// last one the number of entries; places and values of one element per entry, the places of
  /// a line ascending (debug builds check them). Throws where sizes contradict.
  Sparse(std::string const& label, index_t rows, index_t columns, Line<index_t> const& offsets,
         Line<Place> const& places, Line<T> const& values)
      : Sparse(label, rows, columns, offsets, places, values, Unchecked())
  {
    if constexpr (bounds_checked) {
      using Execution = typename Space::execution_space;
      for_each<Execution>(lines_, detail::CheckLines<Reading>{read()});
      Kokkos::fence();
    }
  }

  [[nodiscard]] index_t rows() const { return Along == Compressed::rows ? lines_ : across_; }
  [[nodiscard]] index_t columns() const { return Along == Compressed::rows ? across_ : lines_; }
  /// Stored elements.
  [[nodiscard]] index_t entries() const { return entries_; }

  [[nodiscard]] Writing write() const
  {
    return {lines_, across_, offsets_.data(), places_.data(), values_.data(), label_.c_str()};
  }
  [[nodiscard]] Reading read() const
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

  /// A matrix of the same sizes in another space. Contents are not copied.
  template <class Other>
  [[nodiscard]] Sparse<T, Along, Place, Other> mirror() const
  {
    using Made = Sparse<T, Along, Place, Other>;
    auto const label = label_ + " (mirror)";
    using Size = Dynamic<1>;
    return Made(label, rows(), columns(),
                typename Made::template Line<index_t>(label + " offsets", Size(lines_ + 1)),
                typename Made::template Line<Place>(label + " places", Size(entries_)),
                typename Made::template Line<T>(label + " values", Size(entries_)),
                typename Made::Unchecked());
  }
  template <class Other>
  void copy_from(Sparse<T, Along, Place, Other> const& from) const
  {
    detail::require(rows() == from.rows() && columns() == from.columns() &&
                        entries_ == from.entries_,
                    "sparse matrix '%s' is %lld x %lld with %lld entries, what is copied to it "
                    "is another",
                    label_.c_str(), static_cast<long long>(rows()),
                    static_cast<long long>(columns()), static_cast<long long>(entries_));
    copy(offsets_, from.offsets_);
    copy(places_, from.places_);
    copy(values_, from.values_);
  }

private:
  template <class U, Compressed OtherAlong, class OtherPlace, class Other>
  friend class Sparse;
  struct Unchecked
  {
  };
  Sparse(std::string const& label, index_t rows, index_t columns, Line<index_t> const& offsets,
         Line<Place> const& places, Line<T> const& values, Unchecked)
      : lines_(Along == Compressed::rows ? rows : columns)
      , across_(Along == Compressed::rows ? columns : rows)
      , entries_(places.size())
      , label_(label)
      , offsets_(offsets)
      , places_(places)
      , values_(values)
  {
    detail::require(offsets.size() == lines_ + 1 && values.size() == entries_,
                    "sparse matrix '%s' of %lld lines and %lld entries has %lld offsets and "
                    "%lld values; it needs one offset more than lines and one value per entry",
                    label.c_str(), static_cast<long long>(lines_),
                    static_cast<long long>(entries_), static_cast<long long>(offsets.size()),
                    static_cast<long long>(values.size()));
  }

  index_t lines_ = 0;
  index_t across_ = 0;
  index_t entries_ = 0;
  std::string label_;
  Line<index_t> offsets_;
  Line<Place> places_;
  Line<T> values_;
};

/// A sparse matrix of the same sizes that host code can read; `matrix` itself where it already
/// can. Contents are not copied.
template <class T, Compressed Along, class Place, class Space>
auto host_mirror(Sparse<T, Along, Place, Space> const& matrix)
{
  if constexpr (Kokkos::SpaceAccessibility<HostSpace, Space>::accessible)
    return matrix;
  else
    return matrix.template mirror<HostSpace>();
}

/// Copies the pattern and the values; both matrices have the same lines and entries, else
/// throws.
template <class T, Compressed Along, class Place, class To, class From>
void copy(Sparse<T, Along, Place, To> const& to, Sparse<T, Along, Place, From> const& from)
{
  to.copy_from(from);
}

template <class T, class Place = std::int32_t, class Space = DeviceSpace>
using CSRArray = Sparse<T, Compressed::rows, Place, Space>;
template <class T, class Place = std::int32_t, class Space = DeviceSpace>
using CSCArray = Sparse<T, Compressed::columns, Place, Space>;

} // namespace strata
