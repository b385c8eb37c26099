#pragma once

#include "part.hpp"

#include "driver/miniapp.hpp"
#include "operands/values.hpp"
#include "runtime/mpi/exchange.hpp"

#include <optional>
#include <vector>

namespace strata::matvec {

/// Input and output vector of a product whose matrix is spread over a grid of ranks: their
/// values, and the communication before and after the local product, timed by itself.
///   y = A x   pieces of x are gathered along a grid column (Allgatherv where that is all
///             ranks); pieces of y are exchanged along a grid row and
///             added
///   y = Aᵀ x  x is where the rows are; y is added over all ranks (Allreduce)
template <class T>
class Vectors
{
public:
  Vectors(Part const& part, bool transposed, driver::Setting const& setting);

  /// x where this rank owns it; NaN elsewhere, in y and in pieces.
  void reset(Values const& values, T* x, T* y, T* pieces);
  /// Before the product: gathers the elements of x that this rank needs.
  void gather(T* x);
  /// After the product: completes the sums of this rank's piece of y.
  void combine(T* y, T* pieces);

  /// The outputs that this rank checks: their global numbers and their place.
  struct Mine
  {
    index_t first;
    index_t count;
    bool in_pieces; ///< else in y
    index_t offset; ///< there
  };
  [[nodiscard]] Mine mine() const;

  /// Adds y over all ranks, whose rows of the matrix all contribute to it.
  void add_over_ranks(T* y, index_t count)
    requires std::is_same_v<T, double>;

  /// Communication since reset, in seconds per step; none on one rank.
  [[nodiscard]] std::vector<report::Phase> phases() const;

private:
  void gather_all(T* x);
  void fold(T* y, T* pieces);
  template <class F>
  void timed(F const& communicate);

  Part part_;
  bool transposed_;
  std::optional<runtime::Exchange> exchange_; ///< none on one rank
  double seconds_ = 0;
  int steps_ = 0;
};

} // namespace strata::matvec
