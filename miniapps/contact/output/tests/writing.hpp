#pragma once

#include "io/tests/files.hpp"
#include "output/vtk_writer.hpp"

namespace strata::contact {

/// A build of few elements that writes them to a file.
inline Config writing(std::string const& deck, std::string const& shape, int dim,
                      std::string const& path)
{
  Config config;
  config.deck = deck;
  config.shape = shape;
  config.dim = dim;
  config.elements = 150;
  config.kernel = {"build"};
  config.variant = {"dyn_ragged"};
  config.write_vtk = path;
  return config;
}

} // namespace strata::contact
