#pragma once

#include "node/system_files.hpp"

#include <cstdint>

namespace strata::runtime {

/// Bytes that this rank may allocate for arrays on its device: what is free there, divided
/// by the ranks that share it (in a CPU build: those of the node, and at most what the limit of
/// its address space leaves). The first call is collective over the world (Session::start makes
/// it), later ones are not.
std::int64_t available_memory();

/// Bytes of the last-level cache of this rank's device: the GPU's, or every instance that
/// serves the rank's cpuset. 0 where it is unknown.
std::int64_t last_level_cache_bytes();

/// Bytes that processes can still allocate on this node: the kernel's estimate, or what the
/// control groups allow, with cached file pages counted as free.
std::int64_t free_host_memory(Root const& root = "/");

/// Bytes that this process can still map under the limit of its address space (ulimit -v, by
/// which some batch systems bound memory); the largest number where it has none.
std::int64_t free_address_space();

/// Size of this node's memory in bytes.
std::int64_t host_memory(Root const& root = "/");

} // namespace strata::runtime
