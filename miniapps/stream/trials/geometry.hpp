#pragma once

#include "config.hpp"

#include "driver/miniapp.hpp"
#include "kernels/reference.hpp"

#include <array>
#include <string>

namespace strata::stream {

/// Lengths of the rows of shape ragged, uniform in [shortest, longest]; independent of the
/// number of ranks.
struct RowLengths
{
  index_t shortest = 0;
  index_t longest = 0;
  std::uint64_t seed = 0;
  index_t first = 0; ///< global number of row 0

  KOKKOS_FUNCTION index_t operator()(index_t row) const
  {
    auto const bits = mixed(mixed(seed + golden_ratio) +
                            static_cast<std::uint64_t>(first + row) + golden_ratio);
    return shortest +
           static_cast<index_t>(bits % static_cast<std::uint64_t>(longest - shortest + 1));
  }
  bool operator==(RowLengths const&) const = default;
};

/// The arrays of one case: sizes over all ranks and this rank's part of the first index.
struct Geometry
{
  int rank = 1;                       ///< indices of the arrays
  std::array<index_t, 4> global = {}; ///< sizes over all ranks; of shape ragged, the rows
  index_t first = 0;                  ///< this rank's first row
  index_t rows = 0;                   ///< this rank's rows
  index_t first_element = 0;          ///< global number of this rank's first element
  index_t elements = 0;               ///< of one array on this rank
  RowLengths lengths;                 ///< of this rank's rows, of shape ragged

  /// The same elements as one long row.
  [[nodiscard]] Geometry flattened() const
  {
    Geometry flat;
    flat.first = flat.first_element = first_element;
    flat.rows = flat.elements = elements;
    return flat;
  }
  bool operator==(Geometry const&) const = default;
};

/// The arrays of a deck in one shape; throws where there are fewer rows than ranks.
Geometry geometry_of(std::string const& shape, Config const& config,
                     driver::Setting const& setting);

/// Sizes over all ranks, as in the record.
report::Facts problem_of(Geometry const& geometry);

} // namespace strata::stream
