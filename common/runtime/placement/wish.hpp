#pragma once

#include "runtime/node/environment.hpp"

#include <optional>
#include <string>
#include <vector>

namespace strata::runtime {

/// A number that the user set, and where: {4, "OMP_NUM_THREADS"}.
struct Wish
{
  int value = 0;
  std::string by;

  bool operator==(Wish const&) const = default;
};

/// Whether it is "auto" or a number that a device may have.
bool is_device(std::string const& device);

/// The user's number of a device: "parallel.device: 2". Nothing for "auto"; throws
/// Error(Exit::placement) for what is neither.
std::optional<Wish> wished_in_deck(std::string const& device);

/// Removes `--name=value`, in any of its spellings, from Kokkos' flags; the last one counts.
/// Throws Error(Exit::command_line) where the value is no count.
std::optional<Wish> take_flag(std::vector<std::string>& flags,
                              std::vector<std::string> const& names);

/// The number in an environment variable; of a list ("4,2") its first. Nothing when it is
/// not set or does not start with a count.
std::optional<Wish> wished_in(Environment const& environment, std::string const& name);

/// The GPU that CTest's resource allocation gives to a node-local rank; nothing outside of
/// it. The resource type is CTEST_KOKKOS_DEVICE_TYPE, or gpus. Throws Error(Exit::placement)
/// when the allocation has no GPU for the rank.
std::optional<Wish> wished_by_ctest(int local_rank, Environment const& environment);

} // namespace strata::runtime
