#pragma once

#include "input_file.hpp"

#include <vector>

namespace strata::contact {

/// Where a list of numbers lies in a VTK file.
struct Section
{
  char kind = 0; ///< 'f', 'i', or 'u' for unsigned
  int number_bytes = 0;
  index_t at = 0; ///< its first byte
  index_t count = 0;
};

/// What an UNSTRUCTURED_GRID consists of.
struct VtkOutline
{
  bool binary = false;
  bool offsets_apart = false; ///< format 5.1: else each cell starts with its number of corners
  index_t points = 0;
  index_t cells = 0;
  Section coordinates;
  Section offsets; ///< one more than there are cells
  Section connectivity;
  Section types;
};

/// From the lines between the numbers. Refuses lists that the file is too short for, whatever
/// their headers say.
VtkOutline outline_of_vtk(InputFile const& file);

/// Numbers [first, last) of a section, as doubles or 64-bit integers.
template <class T>
std::vector<T> numbers_of(InputFile const& file, bool binary, Section const& section,
                          index_t first, index_t last);
extern template std::vector<double> numbers_of(InputFile const&, bool, Section const&, index_t,
                                               index_t);
extern template std::vector<index_t> numbers_of(InputFile const&, bool, Section const&, index_t,
                                                index_t);

} // namespace strata::contact
