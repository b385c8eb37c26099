#pragma once

#include "array/launch/for_each.hpp"
#include "array/ragged/ragged.hpp"
#include "search/device_vector.hpp"
#include "verify/every.hpp"

#include <vector>

// What is done to rows of contacts whatever structure they are in.

namespace strata::contact {

/// Launches a kernel for each of `rows`, in their order.
struct EachRow
{
  template <class Kernel>
  void operator()(index_t rows, Kernel const& kernel) const
  {
    for_each(rows, kernel);
  }
};

/// The first entry's gap of the first row that has one.
struct FirstGap
{
  index_t row = INT64_MAX;
  double* gap = nullptr;

  KOKKOS_FUNCTION FirstGap& operator+=(FirstGap const& other)
  {
    if (other.row < row)
      *this = other;
    return *this;
  }
};

template <class View>
struct FindFirstGap
{
  static constexpr char const* name() { return "strata::contact::FindFirstGap"; }
  View view;

  KOKKOS_FUNCTION void operator()(FirstGap& first, index_t row) const
  {
    if (row >= first.row)
      return;
    FirstGap mine;
    view.for_each_entry(row, [&](auto entry) {
      if (mine.row != row)
        mine = {row, &view.gap(entry)};
    });
    first += mine;
  }
};

template <class View>
struct LengthOf
{
  View view;
  KOKKOS_FUNCTION index_t operator()(index_t row) const { return view.length(row); }
};

template <class View>
struct CopyLengths
{
  static constexpr char const* name() { return "strata::contact::CopyLengths"; }
  View view;
  index_t* lengths;

  KOKKOS_FUNCTION void operator()(index_t row) const { lengths[row] = view.length(row); }
};

/// Gaps of all rows one after another.
template <class View>
struct CopyGaps
{
  static constexpr char const* name() { return "strata::contact::CopyGaps"; }
  View view;
  RaggedRowsView flat;
  double* gaps;
  index_t* offsets;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    index_t to = flat.begin(row);
    offsets[row] = to;
    offsets[row + 1] = flat.end(row);
    view.for_each_entry(row, [&](auto entry) { gaps[to++] = view.gap(entry); });
  }
};

/// Where it is; null where there are no entries.
template <class View>
double* first_gap(View const& view)
{
  return verify::sum_of_every<FirstGap>(view.rows(), FindFirstGap<View>{view}).gap;
}

/// Entries of every row, on the host.
template <class View>
std::vector<index_t> row_lengths(View const& view)
{
  DeviceVector<index_t> copied("copied lengths");
  copied.reserve(view.rows());
  verify::for_every(view.rows(), CopyLengths<View>{view, copied.data()});
  return copied.download(view.rows());
}

/// The gaps of every row, on the host.
template <class View>
std::vector<std::vector<double>> gaps_by_row(View const& view)
{
  RaggedRows<> const flat("strata::contact copy", view.rows(), LengthOf<View>{view});
  DeviceVector<double> gaps("copied gaps");
  DeviceVector<index_t> offsets("copied offsets");
  gaps.reserve(flat.entries());
  offsets.reserve(view.rows() + 1);
  verify::for_every(view.rows(),
                    CopyGaps<View>{view, flat.view(), gaps.data(), offsets.data()});
  auto const values = gaps.download(flat.entries());
  auto const starts = offsets.download(view.rows() + 1);
  std::vector<std::vector<double>> by_row;
  for (std::size_t row = 0; row + 1 < starts.size(); ++row)
    by_row.emplace_back(values.begin() + starts[row], values.begin() + starts[row + 1]);
  return by_row;
}

} // namespace strata::contact
