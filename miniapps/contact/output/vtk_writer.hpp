#pragma once

#include "runtime/mpi/exchange.hpp"
#include "scene/objects.hpp"

#include <string>
#include <vector>

namespace strata::contact {

/// Writes all elements where they are at a step: to a legacy VTK file (BINARY, version 3.0), in
/// the order of their gids, or by a name that ends in .pvtu as vtu_writer.hpp says. Spheres are
/// vertices with their radius as point data, boxes and simplices cells; cell data are
/// `row_length`, `gid`, `body` (−1 for what has broken off) and `rank`. `objects` are this
/// rank's, elements first; `lengths` those of their rows. Error(Exit::results) as SharedFile
/// has it. Collective.
void write_vtk(std::string const& path, Scene const& scene, Objects const& objects,
               std::int64_t step, std::vector<index_t> const& lengths,
               runtime::Communicator const& world);

/// Checks that write_vtk can succeed: makes and removes the files, and refuses more elements
/// than the format can number. Collective.
void probe_vtk(std::string const& path, Scene const& scene, runtime::Communicator const& world);

} // namespace strata::contact
