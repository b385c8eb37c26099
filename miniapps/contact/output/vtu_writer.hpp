#pragma once

#include "vtk_elements.hpp"

#include "runtime/mpi/exchange.hpp"

#include <string>

// VTK's XML format: each rank writes its elements to a file of its own (NAME_RANK.vtu), rank 0
// a list of those (NAME.pvtu). No element goes from rank to rank, and corners have 64-bit
// numbers. Source: "VTK XML file formats", VTK's documentation.

namespace strata::contact {

/// Whether the name ends in .pvtu.
bool is_parallel_vtk(std::string const& path);

/// Writes `mine` of each rank, in the order of their gids. No file is there under its name
/// before it is whole, and none is new where one cannot be written; the list comes last.
/// Error(Exit::results) as SharedFile has it. Collective.
void write_parallel_vtk(std::string const& path, Elements const& mine,
                        runtime::Communicator const& world);

/// Makes and removes each of the files. Error(Exit::results) as SharedFile has it. Collective.
void probe_parallel_vtk(std::string const& path, runtime::Communicator const& world);

} // namespace strata::contact
