#pragma once

#include "config.hpp"

#include "trials/problem.hpp"

#include <functional>
#include <string>

namespace strata::matvec {

/// A kernel of the app: its axes, and the functions that describe a case of it.
struct Kernel
{
  char const* name;
  char const* layout; ///< its only one, or null where the deck chooses
  bool has_scalars;   ///< other than double
  bool varied;        ///< has access rules and partitions
  bool has_stencil;
  bool has_blocks; ///< has small matrices of some order, static or dynamic
  driver::Maker (*maker)(Choice const& choice, Problem const& problem);
  report::Facts (*facts)(Choice const& choice, Problem const& problem);
  void (*memory)(Choice const& choice, Problem const& problem, driver::Case& made);
};

std::vector<std::string> kernel_names();
Kernel const& kernel_named(std::string const& name);

/// Calls f for every combination of the kernel's axes in the deck; the layout is never
/// `default`, the partition never `auto`.
void for_each_choice(Config const& config, Kernel const& kernel, Problem const& problem,
                     std::function<void(Choice const&)> const& f);

/// "matvec/span/left/auto/double", followed by the axes that are not at their plain value.
std::string label_of(Choice const& choice);
report::Facts axes_of(Choice const& choice);

} // namespace strata::matvec
