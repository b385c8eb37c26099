#pragma once

#include "columns.hpp"

#include "array/dense/array.hpp"
#include "runtime/mpi/exchange.hpp"

#include <cstddef>
#include <vector>

namespace strata::mgs {

/// Sums over the ranks of a job; nothing on one rank.
class OverRanks
{
public:
  OverRanks(runtime::Communicator const& world, runtime::GpuAware const& gpu_aware)
      : world_(world)
      , exchange_(world, gpu_aware)
  {
  }
  /// values[0, count) in the device's memory.
  void sum(double* values, index_t count)
  {
    ++calls_;
    exchange_.allreduce_sum(values, count);
  }
  /// Values in the host's memory.
  void sum(std::vector<double>& values)
  {
    ++calls_;
    if (world_.ranks() > 1)
      values = world_.sum(values);
  }
  /// On one rank: a sum that a launch makes itself.
  void sum_alone() { ++calls_; }
  /// Number of Allreduces that the host asked for so far, on one rank too, which makes none.
  [[nodiscard]] index_t calls() const { return calls_; }
  [[nodiscard]] bool alone() const { return world_.ranks() == 1; }

private:
  runtime::Communicator world_;
  runtime::Exchange exchange_;
  index_t calls_ = 0;
};

/// The small matrices of a factorisation in the device's memory. R is upper triangular:
/// FactorTrial::reset sets the part below the diagonal to 0, and nothing but zeros is written
/// there afterwards.
class Factor
{
public:
  using Numbers = Array<double, Dynamic<1>, LayoutRight>;
  /// Stride of the rows: room for the sums of a whole launch, from any column on.
  static index_t pitch_of(index_t columns) { return (columns + summed + 7) / 8 * 8; }
  static index_t bytes_for(index_t columns, bool with_products)
  {
    return ((with_products ? 3 : 1) * columns + 1) * pitch_of(columns) *
           static_cast<index_t>(sizeof(double));
  }

  /// If `with_products`, with two more matrices, for algorithms that keep products of columns.
  Factor(index_t columns, bool with_products)
      : columns_(columns)
      , pitch_(pitch_of(columns))
      , numbers_("strata::mgs::factor", Dynamic<1>(bytes_for(columns, with_products) /
                                                   static_cast<index_t>(sizeof(double))))
  {
    Kokkos::deep_copy(numbers_.memory(), std::byte{0}); // passes load more than they use
  }

  [[nodiscard]] index_t columns() const { return columns_; }
  [[nodiscard]] index_t pitch() const { return pitch_; }
  [[nodiscard]] double* r(index_t j, index_t k = 0) const
  {
    return numbers_.data() + j * pitch_ + k;
  }
  /// Squares of the columns' norms.
  [[nodiscard]] double* square(index_t j) const { return r(columns_, j); }
  /// Products of column j with others, from the first or the second projection.
  [[nodiscard]] double* products(index_t j, bool again = false) const
  {
    return r((again ? 2 : 1) * columns_ + 1 + j);
  }
  [[nodiscard]] Numbers const& numbers() const { return numbers_; }

private:
  index_t columns_;
  index_t pitch_;
  Numbers numbers_;
};

} // namespace strata::mgs
