#pragma once

#include "array/dense/array.hpp"
#include "driver/miniapp.hpp"
#include "operands/stencil.hpp"
#include "runtime/mpi/exchange.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace strata::matvec {

/// The vector x of a stencil's product, over the columns of a rank's part, and the
/// communication before the local product, timed by itself: a rank gets the elements beside its
/// own points from the at most 26 ranks that own them, one message each.
class Halo
{
public:
  Halo(GridPart const& part, driver::Setting const& setting);

  /// x at the rank's own points; NaN elsewhere.
  void reset(Values const& values, double* x);
  /// Before the product: gets the other elements that the rows read.
  void gather(double* x);
  /// Communication since reset, in seconds per step; none on one rank.
  [[nodiscard]] std::vector<report::Phase> phases() const;

private:
  /// The elements of x that go to other ranks or come from them, in the order of messages.
  struct Elements
  {
    Array<std::int32_t, Dynamic<1>> places;
    Array<double, Dynamic<1>> values;
    std::vector<runtime::Message> messages;
  };
  struct Piece
  {
    int rank;
    Box points;
  };
  [[nodiscard]] Elements elements(std::vector<Piece> const& pieces) const;

  GridPart part_;
  Elements sent_, received_;
  std::optional<runtime::Exchange> exchange_; ///< none on one rank
  double seconds_ = 0;
  int steps_ = 0;
};

} // namespace strata::matvec
