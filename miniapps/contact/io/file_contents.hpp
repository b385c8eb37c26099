#pragma once

#include "readers.hpp"

#include "scene/scene_source.hpp"

namespace strata::contact {

/// Reads problem.file and refuses what contacts cannot be found of, naming file, first number
/// and count: Error(Exit::deck), the same on all ranks. Collective.
FileContents contents_of(Config const& config, runtime::Communicator const& world);

/// Cells as simplices, or as boxes by their bounding boxes, and the free points. Collective.
FileContents elements_of(Mesh const& mesh, InputFile const& file, Config const& config,
                         runtime::Communicator const& world);

} // namespace strata::contact
