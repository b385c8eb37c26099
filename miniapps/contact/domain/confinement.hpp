#pragma once

#include "population.hpp"

#include "driver/miniapp.hpp"
#include "grid/cell_table.hpp"

namespace strata::contact {

/// The box that no object may leave with `problem.bounds: fixed`: that of all centres at the
/// start, and the walls if there are any. Members are collective.
class Confinement
{
public:
  /// Around objects as they are now.
  Confinement(Population const& population, runtime::Communicator const& world);
  /// Throws Error{Exit::deck} where one is outside, naming the first; the same on all ranks.
  void demand(Population const& population) const;

private:
  runtime::Communicator world_;
  Box box_;
};

} // namespace strata::contact
