#pragma once

#include "detect.hpp"

#include "array/ragged/ragged.hpp"

#include <cstdint>

namespace strata::contact {

/// Rows one after another that store neighbours only.
struct CandidatesView : RaggedRowsView
{
  std::int32_t const* neighbours;

  KOKKOS_FUNCTION std::int32_t neighbour(index_t entry) const { return neighbours[entry]; }
};

/// The pairs that may touch before the grid is built again.
class Candidates
{
public:
  Candidates(index_t rows, RowOptions const& options)
      : options_(options)
      , rows_("strata::contact candidates", rows)
      , neighbours_("strata::contact candidates' neighbours", Dynamic<1>(0))
  {
  }
  /// Finds the pairs within `skin` of touching. The grid's reach must include the skin.
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
