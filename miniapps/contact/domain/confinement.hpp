#pragma once

#include "population.hpp"

#include "driver/miniapp.hpp"
#include "search/cell_table.hpp"

namespace strata::contact {

/// The box around the centres of all objects, with the walls where there are any: of
/// `problem.bounds: fixed`, where none may leave it. Members are collective.
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
