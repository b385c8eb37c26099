#pragma once

#include "array/ragged/rows_view.hpp"
#include "driver/miniapp.hpp"
#include "verify/every.hpp"

namespace strata::contact {

/// A histogram of row lengths, and the number of entries outside their row's own room.
struct RowCensus
{
  /// Classes of lengths: 0, 1, 2 to 3, 4 to 7 and so on; the last has all longer rows.
  static constexpr int classes = 12;
  index_t rows[classes] = {};
  index_t spilled = 0;

  KOKKOS_FUNCTION RowCensus& operator+=(RowCensus const& other)
  {
    for (int c = 0; c < classes; ++c)
      rows[c] += other.rows[c];
    spilled += other.spilled;
    return *this;
  }
};

template <class View>
struct CountRow
{
  static constexpr char const* name() { return "strata::contact::CountRow"; }
  View view;

  KOKKOS_FUNCTION void operator()(RowCensus& census, index_t row) const
  {
    index_t const length = view.length(row);
    int number = 0;
    while (number + 1 < RowCensus::classes && length >> number > 0)
      ++number;
    ++census.rows[number];
    if constexpr (requires { view.has_others(); })
      census.spilled += length - view.numbered(row);
  }
};

/// How a structure holds its rows, over all ranks.
struct RowFacts
{
  RowCensus census;
  index_t capacity = 0; ///< of each row, where all have the same; else 0
  index_t regrows = 0;
  double bytes_per_element = 0;
  bool can_spill = false;
};

/// Collective.
RowFacts over_all(RowFacts mine, index_t rows, index_t bytes,
                  runtime::Communicator const& world);

/// Collective; waits.
template <class Rows>
RowFacts facts_of_rows(Rows const& rows, index_t bytes, runtime::Communicator const& world)
{
  auto const view = rows.view();
  RowFacts mine;
  mine.census = verify::sum_of_every<RowCensus>(rows.rows(), CountRow<decltype(view)>{view});
  if constexpr (requires { rows.capacity(); })
    mine.capacity = rows.capacity();
  mine.regrows = rows.regrows();
  mine.can_spill = requires { view.has_others(); };
  return over_all(mine, rows.rows(), bytes, world);
}

/// As a record has them: `row_lengths` is "0: 12, 1: 5, 2-3: 7", rows of each length.
report::Facts facts_of(RowFacts const& facts);

} // namespace strata::contact
