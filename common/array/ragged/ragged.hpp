#pragma once

#include "ragged_array.hpp"

#include "../launch/scan.hpp"

namespace strata {

/// A row number with the row's first entry: the index that a launch passes to kernels, so that
/// the offset is not loaded for each element. With another structure's rows (other offsets)
/// only the number is used.
struct RaggedLine
{
  index_t number;
  index_t begin;
  index_t const* offsets;

  KOKKOS_FUNCTION operator index_t() const { return number; }
};

/// What a kernel sees of rows stored one after another (CSR): entries of row i are
/// [begin(i), end(i)).
class RaggedRowsView
{
public:
  static constexpr bool contiguous = true; ///< entry(row, k) is entry(row, 0) + k
  static constexpr bool padded = false;    ///< rows follow each other

  KOKKOS_DEFAULTED_FUNCTION RaggedRowsView() = default;
  KOKKOS_FUNCTION RaggedRowsView(index_t rows, index_t const* offsets)
      : rows_(rows)
      , offsets_(offsets)
  {
  }
  KOKKOS_FUNCTION index_t rows() const { return rows_; }
  KOKKOS_FUNCTION index_t begin(index_t row) const { return offset(row); }
  KOKKOS_FUNCTION index_t end(index_t row) const { return offset(row + 1); }
  KOKKOS_FUNCTION index_t length(index_t row) const { return end(row) - begin(row); }
  KOKKOS_FUNCTION index_t numbered(index_t row) const { return length(row); }
  KOKKOS_FUNCTION index_t entry(index_t row, index_t k) const { return begin(row) + k; }
  KOKKOS_FUNCTION RaggedLine line(index_t row) const { return {row, begin(row), offsets_}; }
  KOKKOS_FUNCTION index_t entry(RaggedLine const& row, index_t k) const
  {
    return (row.offsets == offsets_ ? row.begin : begin(row.number)) + k;
  }

  template <class F>
  KOKKOS_FUNCTION void for_each_entry(index_t row, F const& f) const
  {
    index_t const last = end(row);
    for (index_t e = begin(row); e < last; ++e)
      f(e);
  }

private:
  /// Nothing writes offsets while rows are read.
  KOKKOS_FUNCTION index_t offset(index_t row) const
  {
    return AccessReadOnly::accessor<index_t const>::access(offsets_,
                                                           static_cast<std::size_t>(row));
  }

  index_t rows_ = 0;
  index_t const* offsets_ = nullptr;
};

/// The first pass of a build: `append` counts, stores nothing and returns -1.
class RaggedCountView
{
public:
  KOKKOS_DEFAULTED_FUNCTION RaggedCountView() = default;
  KOKKOS_FUNCTION RaggedCountView(index_t rows, std::int32_t* counts)
      : rows_(rows)
      , counts_(counts)
  {
  }
  KOKKOS_FUNCTION index_t rows() const { return rows_; }
  KOKKOS_FUNCTION void clear(index_t row) const { counts_[row] = 0; }
  KOKKOS_FUNCTION index_t append(index_t row) const
  {
    count(row, 1);
    return -1;
  }
  /// So many appends at once.
  KOKKOS_FUNCTION void count(index_t row, index_t entries) const
  {
    counts_[row] += static_cast<std::int32_t>(entries);
  }
  KOKKOS_FUNCTION index_t append_atomic(index_t row) const
  {
    Kokkos::atomic_add(counts_ + row, 1);
    return -1;
  }

private:
  index_t rows_ = 0;
  std::int32_t* counts_ = nullptr;
};

/// The last pass of a build: `append` hands out the row's entries, and -1 after them;
/// `check_filled` detects both too few and too many appends. Kernels that know how many entries
/// a row has may set them by number instead; nothing counts those.
class RaggedFillView
{
public:
  static constexpr bool contiguous = true; ///< entry(row, k) is entry(row, 0) + k

  KOKKOS_DEFAULTED_FUNCTION RaggedFillView() = default;
  KOKKOS_FUNCTION RaggedFillView(index_t rows, index_t const* offsets, std::int32_t* left)
      : rows_(rows)
      , offsets_(offsets)
      , left_(left)
  {
  }
  KOKKOS_FUNCTION index_t rows() const { return rows_; }
  KOKKOS_FUNCTION void clear(index_t) const {}
  /// Entries that are to be appended.
  KOKKOS_FUNCTION index_t left(index_t row) const { return left_[row]; }
  KOKKOS_FUNCTION index_t append(index_t row) const { return place(row, left_[row]--); }
  /// So many at once: the first of them, or -1 where there are not as many.
  KOKKOS_FUNCTION index_t append(index_t row, index_t entries) const
  {
    index_t const left = left_[row];
    left_[row] = static_cast<std::int32_t>(left - entries);
    return left >= entries ? offsets_[row + 1] - left : -1;
  }
  KOKKOS_FUNCTION index_t capacity(index_t row) const
  {
    return offsets_[row + 1] - offsets_[row];
  }
  KOKKOS_FUNCTION index_t entry(index_t row, index_t k) const { return offsets_[row] + k; }
  KOKKOS_FUNCTION index_t append_atomic(index_t row) const
  {
    return place(row, Kokkos::atomic_fetch_sub(left_ + row, 1));
  }

private:
  KOKKOS_FUNCTION index_t place(index_t row, index_t left) const
  {
    return left > 0 ? offsets_[row + 1] - left : -1;
  }

  index_t rows_ = 0;
  index_t const* offsets_ = nullptr;
  std::int32_t* left_ = nullptr;
};

namespace detail {

/// Rows whose second pass did not append what the first one counted.
struct FindUnfilled
{
  static constexpr char const* name() { return "strata::RaggedRows check"; }
  std::int32_t const* left;

  template <class Sum>
  KOKKOS_FUNCTION void operator()(Sum& sum, index_t row) const
  {
    sum += left[row] != 0 ? 1 : 0;
  }
};

} // namespace detail

/// Rows one after another, of lengths that stay: 64-bit offsets, made in parallel in three
/// steps. From counts that are known, by the constructor; else by one kernel text launched
/// twice (rows_view.hpp), the second time after the arrays of values have got their size:
///
///   for_each(n, Kernel{rows.counting(), ...});   // append counts
///   reserve(values, rows.index());               // scan
///   for_each(n, Kernel{rows.filling(), ...});    // append gives entries
///
/// Copies are shallow. Source: S5 section 4.3.1, without its 32-bit start indices.
template <class Space = DeviceSpace>
class RaggedRows
{
public:
  using memory_space = Space;
  using execution_space = typename Space::execution_space;
  using view_type = RaggedRowsView;

  RaggedRows() = default;
  /// Empty rows.
  RaggedRows(std::string const& label, index_t rows)
      : label_(label)
      , offsets_(label + " offsets", Dynamic<1>(rows + 1))
  {
    fill(offsets_, index_t{0});
  }
  /// Row i has `counts(i)` entries; `counts` is a span or functor for the device.
  template <class Counts>
  RaggedRows(std::string const& label, index_t rows, Counts const& counts)
      : label_(label)
      , offsets_(label + " offsets", Dynamic<1>(rows + 1))
      , entries_(exclusive_scan<execution_space>(counts, offsets_.write()))
  {
  }

  [[nodiscard]] index_t rows() const { return offsets_.is_null() ? 0 : offsets_.size() - 1; }
  [[nodiscard]] index_t entries() const { return entries_; }
  [[nodiscard]] index_t slots() const { return entries_; }
  [[nodiscard]] view_type view() const { return {rows(), offsets_.data()}; }

  /// All counts are 0 and wait for a kernel that appends.
  [[nodiscard]] RaggedCountView counting()
  {
    if (counts_.is_null())
      counts_ = EntryValues<std::int32_t, Space>(label_ + " counts", Dynamic<1>(rows()));
    fill(counts_, 0);
    return {rows(), counts_.data()};
  }
  /// Turns counts into offsets; waits, and returns the number of entries.
  index_t index()
  {
    entries_ = exclusive_scan<execution_space>(counts_.read(), offsets_.write());
    return entries_;
  }
  [[nodiscard]] RaggedFillView filling() const
  {
    return {rows(), offsets_.data(), counts_.data()};
  }
  /// Throws if the pass that fills, by `append` alone, did not append what the pass that counts
  /// had; waits.
  void check_filled() const
  {
    auto const unfilled = reduced<index_t, execution_space>(
        in_order_of<LayoutRight>(counts_.extents()), detail::FindUnfilled{counts_.data()});
    detail::require(unfilled == 0,
                    "%lld rows of '%s' were not filled with the entries counted for them",
                    static_cast<long long>(unfilled), label_.c_str());
  }

  /// Rows in another space with room for the same entries. Offsets are not copied.
  template <class Other>
  [[nodiscard]] RaggedRows<Other> mirror() const
  {
    RaggedRows<Other> made(label_ + " (mirror)", rows());
    made.entries_ = entries_;
    return made;
  }
  /// Copies the offsets of rows of the same number and entries.
  template <class Other>
  void copy_from(RaggedRows<Other> const& from) const
  {
    detail::require(rows() == from.rows() && entries_ == from.entries_,
                    "'%s' has %lld rows and %lld entries, what is copied to it has others",
                    label_.c_str(), static_cast<long long>(rows()),
                    static_cast<long long>(entries_));
    copy(offsets_, from.offsets_);
  }

  /// Bytes of the structure, not of its values.
  [[nodiscard]] index_t memory_bytes() const
  {
    return offsets_.bytes_for(offsets_.mapping()) + counts_.bytes_for(counts_.mapping());
  }

private:
  template <class Other>
  friend class RaggedRows;

  std::string label_;
  EntryValues<index_t, Space> offsets_;
  EntryValues<std::int32_t, Space> counts_;
  index_t entries_ = 0;
};

/// Rows of different lengths, one after another: element (i,j) is entry j of row i.
/// Source: S5 (RaggedRightArray).
template <class T, class Space = DeviceSpace>
using RaggedRight = RaggedArray<T, RaggedRows<Space>, Lines::rows>;
/// Columns of different lengths, one after another: element (i,j) is entry i of column j.
/// Source: S5 (RaggedDownArray).
template <class T, class Space = DeviceSpace>
using RaggedDown = RaggedArray<T, RaggedRows<Space>, Lines::columns>;

} // namespace strata
