#pragma once

#include "file_contents.hpp"
#include "readers.hpp"

namespace strata::contact {

/// Cells as simplices, or as boxes by their bounding boxes, and the free points. Collective.
FileContents elements_of(Mesh const& mesh, InputFile const& file, Config const& config,
                         runtime::Communicator const& world);

} // namespace strata::contact
