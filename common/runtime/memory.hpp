#pragma once

#include "node/system_files.hpp"

#include <cstdint>

namespace strata::runtime {

/// Bytes that this rank may allocate for arrays on its device: what is free there, divided
/// by the ranks that share it (in a CPU build: those of the node). The first call is
/// collective over the world (Session::start makes it), later ones are not.
std::int64_t available_memory();

/// Bytes of the last-level cache of this rank's device: the GPU's, or every instance that
/// serves the rank's cpuset. 0 where the system does not tell.
std::int64_t last_level_cache_bytes();

/// Bytes that processes may still take on this node: the kernel's estimate, or what the
/// control groups leave, counting pages of files as free.
std::int64_t free_host_memory(Root const& root = "/");

/// Bytes of memory that this node has.
std::int64_t host_memory(Root const& root = "/");

} // namespace strata::runtime
