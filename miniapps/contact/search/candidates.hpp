#pragma once

#include "detect.hpp"

#include "array/ragged/ragged.hpp"

#include <cstdint>

namespace strata::contact {

/// Neighbours only, in rows one after another.
struct CandidatesView : RaggedRowsView
{
  std::int32_t const* neighbours;

  KOKKOS_FUNCTION std::int32_t neighbour(index_t entry) const { return neighbours[entry]; }
};

/// What may come to touch before the grid is made anew.
class Candidates
{
public:
  Candidates(index_t rows, RowOptions const& options)
      : options_(options)
      , rows_("strata::contact candidates", rows)
      , neighbours_("strata::contact candidates' neighbours", Dynamic<1>(0))
  {
  }
  /// Those within `skin` of touching, from the grid, which must reach as far.
  void find(Search const& search, double skin);

  [[nodiscard]] CandidatesView view() const { return {rows_.view(), neighbours_.data()}; }
  [[nodiscard]] index_t entries() const { return rows_.entries(); }

private:
  template <class Touch>
  void find_by(Touch const& touch, Search const& search);

  RowOptions options_;
  RaggedRows<> rows_;
  EntryValues<std::int32_t> neighbours_;
};

} // namespace strata::contact
