#pragma once

// What is measured: a case is one kernel, layout, order of loops, knowledge of the sizes,
// device and way.

#include "devices.hpp"

#include <functional>
#include <string>
#include <vector>

namespace strata::bench {

/// A case whose memory is there.
struct Running
{
  std::function<void()> pass;  ///< starts one
  std::function<void()> wait;  ///< until all have ended
  std::function<void()> clear; ///< leaves nothing of an earlier pass
  /// After clear, one pass and wait: what is wrong; empty where the result is right.
  std::function<std::string()> wrong;
  std::function<void(int)> spoil; ///< adds a number to one element that the kernel reads
};

struct Case
{
  std::string kernel, layout, order, extents, device, way;
  index_t items; ///< of a pass, for its rate
  std::function<Running()> prepare;

  /// The cases that are compared with each other have this in common.
  [[nodiscard]] std::string group() const
  {
    return kernel + "/" + layout + "/" + order + "/" + device;
  }
  [[nodiscard]] std::string name() const
  {
    return kernel + "/" + layout + "/" + order + "/" + extents + "/" + device + "/" + way;
  }
};

using Cases = std::vector<Case>;

void add_sums(Cases& cases);
void add_sums_of_ten(Cases& cases);
void add_stencils(Cases& cases);
void add_matrices(Cases& cases);
void add_subspans(Cases& cases);
void add_copies(Cases& cases);
void add_ragged(Cases& cases);

} // namespace strata::bench
