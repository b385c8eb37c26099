#pragma once

#include "input_file.hpp"

#include "scene/objects.hpp"

#include <array>
#include <vector>

// Files of objects. Each rank reads a stretch of every list, in the order of the file; all
// functions are collective, and every rank gets the same error.

namespace strata::contact {

/// Points, and their radii where the file has them.
struct Cloud
{
  Stretch stretch;
  bool has_radii = false;
  std::vector<Vector> at;
  std::vector<double> radius;
};

/// A cell by its corners' numbers among the points.
struct Cell
{
  static constexpr int vertex = 1, triangle = 5, quadrilateral = 9, tetrahedron = 10,
                       hexahedron = 12; ///< VTK's types

  int type;
  std::array<index_t, 8> node;
};

/// How many corners cells of a type have; 0 for types that are not read.
int corners_of_type(index_t type);

/// Points, and cells of any of the types; corners are numbers of points that there are.
struct Mesh
{
  Cloud points;
  Stretch stretch; ///< of the cells
  std::vector<Cell> cells;
};

/// Lines of `x y [z] [r]` with blanks, commas or semicolons between the numbers. A first line
/// may name the columns; what follows a # is left out.
Cloud read_table(InputFile const& file, int dim, runtime::Communicator const& world);

/// NumPy's format, versions 1 to 3: N rows of `x y [z] [r]`, f4 or f8, little-endian, in C
/// order. Source: NumPy enhancement proposal 1.
Cloud read_npy(InputFile const& file, int dim, runtime::Communicator const& world);

/// VTK's legacy format, ASCII or BINARY, an UNSTRUCTURED_GRID of versions 1 to 5.1. Source:
/// "VTK file formats", The VTK User's Guide.
Mesh read_vtk(InputFile const& file, runtime::Communicator const& world);

/// Columns of `x y [z] [r]`, by number of columns; refuses those that a scene of that many
/// dimensions cannot have. −1 where there is none.
struct Columns
{
  int count = 0;
  std::array<int, 4> of = {-1, -1, -1, -1}; ///< x, y, z, r

  static Columns in_order(InputFile const& file, int count, int dim);
  [[nodiscard]] bool has_radius() const { return of[3] >= 0; }
  /// Adds a row of `count` numbers to a cloud.
  void add(double const* row, Cloud& cloud) const;
};

} // namespace strata::contact
