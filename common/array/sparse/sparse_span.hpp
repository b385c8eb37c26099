#pragma once

#include "../../base/kokkos.hpp"
#include "../../base/types.hpp"
#include "../span/span.hpp"

#include <type_traits>

namespace strata {

/// Compressed dimension of a sparse matrix.
enum class Compressed
{
  rows,   ///< CSR
  columns ///< CSC
};

/// A kernel's view of a sparse matrix: for each line (row of CSR, column of CSC) the indices of
/// its entries along the other dimension, ascending, and their values. Entries of line i are
/// [begin(i), end(i)). Debug builds check line and entry numbers, and the order of a line in
/// which an element is looked up.
template <class T, class Place, Compressed Along, class Access = AccessDefault>
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
    reach();
    check("line", line, lines_);
    return offsets_[line];
  }
  KOKKOS_FUNCTION index_t end(index_t line) const
  {
    reach();
    check("line", line, lines_);
    return offsets_[line + 1];
  }
  /// Column (CSR) or row (CSC) of an entry.
  KOKKOS_FUNCTION Place place(index_t entry) const
  {
    reach();
    check_entry(entry);
    return places_[entry];
  }
  KOKKOS_FUNCTION T& value(index_t entry) const
  {
    reach();
    check_entry(entry);
    return values_[entry];
  }

  /// Raw arrays, for code without spans: lines() + 1 offsets, then index and value per entry.
  [[nodiscard]] KOKKOS_FUNCTION index_t const* offsets() const { return offsets_; }
  [[nodiscard]] KOKKOS_FUNCTION Place const* places() const { return places_; }
  [[nodiscard]] KOKKOS_FUNCTION T* values() const { return values_; }

  /// Element (i,j), zero if not stored; binary search in the line.
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
          detail::stop("sparse matrix '%s': entry %lld of line %lld has place %lld, where "
                       "places ascend within [%lld, %lld)",
                       label(), static_cast<long long>(entry - begin(line)),
                       static_cast<long long>(line), static_cast<long long>(found),
                       static_cast<long long>(least), static_cast<long long>(across_));
        }
        least = found + 1;
      }
    }
  }

private:
  /// Device code that gets here with host memory does not build.
  static KOKKOS_FUNCTION void reach()
  {
    if constexpr (detail::is_on_host<typename Access::template accessor<T>>)
      detail::require_host();
  }
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
      detail::stop("sparse matrix '%s': %s %lld is outside [0, %lld)", label(), what,
                   static_cast<long long>(i), static_cast<long long>(count));
    }
  }

  index_t lines_ = 0;
  index_t across_ = 0;
  index_t const* offsets_ = nullptr;
  Place const* places_ = nullptr;
  T* values_ = nullptr;
};

} // namespace strata
