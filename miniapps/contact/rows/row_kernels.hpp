#pragma once

#include "array/launch/for_each.hpp"
#include "grid/device_vector.hpp"
#include "verify/every.hpp"
#include "verify/output.hpp"

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

/// Where the parts of an entry are.
struct EntryPlace
{
  double* gap;
  std::int32_t* neighbour;
  std::int32_t* born;
};

/// The places of all entries, row after row; `first` of each row's.
template <class View>
struct FindEntries
{
  static constexpr char const* name() { return "strata::contact::FindEntries"; }
  View view;
  index_t const* first;
  EntryPlace* places;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    index_t to = first[row];
    view.for_each_entry(row, [&](auto entry) {
      places[to++] = {&view.gap(entry), &view.neighbour(entry), &view.born(entry)};
    });
  }
};

struct CopyGaps
{
  static constexpr char const* name() { return "strata::contact::CopyGaps"; }
  EntryPlace const* places;
  double* gaps;

  KOKKOS_FUNCTION void operator()(index_t entry) const { gaps[entry] = *places[entry].gap; }
};

/// Entries of every row, on the host.
template <class View>
std::vector<index_t> row_lengths(View const& view)
{
  DeviceVector<index_t> copied("copied lengths");
  copied.reserve(view.rows());
  verify::for_every(view.rows(), CopyLengths<View>{view, copied.data()});
  return copied.download(view.rows());
}

/// The entries of all rows, found by the checks' own loops.
class Entries
{
public:
  template <class View>
  explicit Entries(View const& view)
  {
    for (index_t const length : row_lengths(view))
      first_.push_back(first_.back() + length);
    DeviceVector<index_t> first("first entries");
    first.upload(first_);
    verify::for_every(view.rows(),
                      FindEntries<View>{view, first.data(), places_.reserve(count())});
  }
  [[nodiscard]] index_t count() const { return first_.back(); }

  /// The gaps of every row, on the host.
  [[nodiscard]] std::vector<std::vector<double>> gaps_by_row() const
  {
    DeviceVector<double> copied("copied gaps");
    verify::for_every(count(), CopyGaps{places_.data(), copied.reserve(count())});
    auto const gaps = copied.download(count());
    std::vector<std::vector<double>> by_row;
    for (std::size_t row = 0; row + 1 < first_.size(); ++row)
      by_row.emplace_back(gaps.begin() + first_[row], gaps.begin() + first_[row + 1]);
    return by_row;
  }
  /// All gaps, then all neighbours, then all births.
  [[nodiscard]] verify::Output output() const
  {
    auto const places = places_.download(count());
    verify::Output output;
    for (auto const& place : places)
      output.add(place.gap, 1);
    for (auto const& place : places)
      output.add(place.neighbour, 1);
    for (auto const& place : places)
      output.add(place.born, 1);
    return output;
  }

private:
  std::vector<index_t> first_{0}; ///< of each row, and of the one after the last
  DeviceVector<EntryPlace> places_{"entries"};
};

} // namespace strata::contact
