#pragma once

#include "array/dense/array.hpp"
#include "base/types.hpp"
#include "verify/fault.hpp"

#include <vector>

namespace strata::contact {

/// Of a row's gaps; all 0 where it has none. How many there are the row itself says.
struct GapStatistics
{
  double least = 0;
  double greatest = 0;
  double sum = 0;
  double mean = 0;

  bool operator==(GapStatistics const&) const = default;
};

/// Where statistics enter the digest alone.
struct KeepNothing
{
  KOKKOS_FUNCTION void operator()(index_t, GapStatistics const&) const {}
};

/// The statistics of rows in device memory, an array for each figure.
class StoredStatistics
{
public:
  static constexpr index_t bytes_per_row = 32;

  struct View
  {
    double* numbers;
    index_t rows;

    KOKKOS_FUNCTION void operator()(index_t row, GapStatistics const& of_row) const
    {
      numbers[row] = of_row.least;
      numbers[rows + row] = of_row.greatest;
      numbers[2 * rows + row] = of_row.sum;
      numbers[3 * rows + row] = of_row.mean;
    }
  };

  explicit StoredStatistics(index_t rows);

  [[nodiscard]] View view() const { return {numbers_.data(), rows_}; }
  /// What a pass writes.
  [[nodiscard]] index_t bytes() const { return rows_ * bytes_per_row; }
  void spoil() const;
  /// Rows that are not bit for bit as expected; waits.
  [[nodiscard]] index_t differing(std::vector<GapStatistics> const& expected) const;
  /// Where a fault may be put.
  [[nodiscard]] verify::Output output() const { return {numbers_.data(), 4 * rows_}; }

private:
  index_t rows_;
  Array<double, Dynamic<1>, LayoutRight> numbers_;
};

/// By a serial loop over the rows' gaps.
std::vector<GapStatistics> statistics_of(std::vector<std::vector<double>> const& rows);

} // namespace strata::contact
