#pragma once

#include "scene_source.hpp"

#include <array>
#include <cstdint>

// The scenes that follow from a few numbers. Elements are numbered x fastest.

namespace strata::contact {

struct SceneOptions
{
  Config const& config;
  std::uint64_t seed;
  index_t elements; ///< at most; a scene has what its form allows
  runtime::Communicator const& world;
  ReadFile read = nullptr; ///< of a scene from a file
};

using Counts = std::array<index_t, 3>;

/// Throws Error{Exit::deck} if a negative gap exceeds the sum of two radii: the test compares
/// squares, and the square of a negative reach would pass for that of a positive one.
void demand_radius_left(Scene const& scene, double radius);

/// n_x × n_y × n_z spheres or boxes on a grid, or cells cut into two triangles (six
/// tetrahedra); with the grid's nodes or the cells' centres as free points where asked for.
/// Sizes: spacing 4, radius 2 and gap 1 unless given, a cutoff of 5 between centres; simplices
/// have gap 0.
class Lattice : public SceneSource
{
public:
  explicit Lattice(SceneOptions const& settings);
  Lattice(Config const& config, Counts const& counts);
  [[nodiscard]] std::optional<Expected> expected(std::int64_t step) const override;
  [[nodiscard]] double row_length() const override { return 6; }

protected:
  [[nodiscard]] Object object(index_t gid) const override;
  [[nodiscard]] Corners corners(index_t gid) const override;

private:
  [[nodiscard]] double pairs() const;

  Counts counts_; ///< 1 along z in two dimensions
  double spacing_;
  double radius_;
  index_t parts_; ///< elements of a cell
  std::string points_;
};

/// Close packing: an FCC crystal of spheres with 12 neighbours each (radius 4; half the edge of
/// the cubic cell is 5), or touching boxes with 26 (half extent 2).
class ClosePacking : public SceneSource
{
public:
  explicit ClosePacking(SceneOptions const& settings);
  [[nodiscard]] std::optional<Expected> expected(std::int64_t step) const override;
  [[nodiscard]] double row_length() const override;

protected:
  [[nodiscard]] Object object(index_t gid) const override;

private:
  index_t edge_; ///< cells, or boxes, along each axis
};

/// Independent uniform positions and velocities in a cube (square) whose size gives
/// `neighbours` contacts per element on average (6 unless given); radius 512 and gap 0 unless
/// given.
class Random : public SceneSource
{
public:
  explicit Random(SceneOptions const& settings);
  [[nodiscard]] std::optional<Expected> expected(std::int64_t step) const override;
  [[nodiscard]] double row_length() const override { return neighbours_; }

protected:
  [[nodiscard]] Object object(index_t gid) const override;

private:
  std::uint64_t seed_;
  double neighbours_;
  double radius_;
  int speed_;
};

/// Two rows (planes in three dimensions) at distance 8 with spacing 8, the upper one sliding
/// along x by 2 per step; the cutoff is 9.
class Shear : public SceneSource
{
public:
  explicit Shear(SceneOptions const& settings);
  [[nodiscard]] std::optional<Expected> expected(std::int64_t step) const override;
  [[nodiscard]] double row_length() const override { return scene_.dim == 2 ? 4 : 6; }

protected:
  [[nodiscard]] Object object(index_t gid) const override;

private:
  static constexpr double spacing = 8;
  static constexpr double radius = 4;
  /// A cutoff of 9: the diagonal of 8 and 4 is below, that of 8 and 6 above.
  static constexpr double gap = 1;
  static constexpr double slide = 2;

  index_t edge_;
  index_t depth_; ///< rows of a plane
};

/// As Random, but nine of ten elements in eight clumps a hundred times as dense.
class Clump : public SceneSource
{
public:
  explicit Clump(SceneOptions const& settings);
  [[nodiscard]] double row_length() const override { return 2 * neighbours_; }

protected:
  [[nodiscard]] Object object(index_t gid) const override;

private:
  std::uint64_t seed_;
  double neighbours_;
  double radius_;
  int speed_;
  double width_; ///< of a clump
};

/// Bonded blocks in lanes along x. Blocks of one lane touch, lanes do not. Blocks are so long
/// that contacts at their ends give at most 0.75 entries per row. Debris, single cells between
/// two lanes that touch both, adds the missing entries. Blocks are as wide as possible while
/// leaving room for the debris. Source: S5 section 6.1.3, whose figures follow from such rows.
class Hoss : public SceneSource
{
public:
  explicit Hoss(SceneOptions const& settings);
  [[nodiscard]] std::optional<Expected> expected(std::int64_t step) const override;
  [[nodiscard]] double row_length() const override { return 0.75; }
  [[nodiscard]] bool has_bodies() const override { return true; }

protected:
  [[nodiscard]] Object object(index_t gid) const override;
  [[nodiscard]] Corners corners(index_t gid) const override;

private:
  static constexpr double edge = 8; ///< of a cell
  static constexpr double aim = 0.75;
  static constexpr index_t widest = 16; ///< cells across a block

  struct Cell
  {
    Counts place;
    index_t body;
  };
  [[nodiscard]] index_t cells_of_blocks() const;
  bool lay_out(index_t width, index_t elements);
  bool scatter_debris();
  [[nodiscard]] double pairs_of_blocks() const;
  [[nodiscard]] double pairs_of_piece() const;
  [[nodiscard]] Cell cell(index_t number) const;

  Counts block_;         ///< cells of a block
  Counts blocks_;        ///< how many there are
  index_t parts_;        ///< elements of a cell
  Counts room_{};        ///< for debris: places along x, along z, gaps between lanes
  index_t row_step_ = 1; ///< cells between places along z
  index_t debris_ = 0;   ///< cells
};

/// A block hits a larger one. A front of fixed speed starts at the point of impact and breaks
/// the bonds of both blocks. Elements that it has passed, and nodes as free points, move on
/// with hashed velocities.
class Impact : public SceneSource
{
public:
  explicit Impact(SceneOptions const& settings);
  [[nodiscard]] double row_length() const override { return 6; }

protected:
  [[nodiscard]] Object object(index_t gid) const override;

private:
  static constexpr double spacing = 8;  ///< of touching elements
  static constexpr double distance = 8; ///< between the blocks at the start
  static constexpr double approach = 4; ///< per step
  static constexpr double front = 8;    ///< per step
  static constexpr int fastest = 3;     ///< per axis and step, after breaking
  static constexpr double strike = distance / approach;

  /// Of a block of n along each edge.
  [[nodiscard]] index_t cells(index_t n) const;

  std::uint64_t seed_;
  index_t target_; ///< elements along an edge; the projectile has half as many
  index_t projectile_;
};

/// The bounding boxes of the triangles of spheres in two alternating colours; boxes of one
/// colour do not touch each other. Each sphere overlaps its six neighbours; only the spheres on
/// the surface of a cube exist; the number of cubes follows from the number of elements.
/// Source: ArborX's benchmark of distributed contact, with 40 spheres along an edge of each
/// cube and 1018 triangles (ours 968) per sphere.
class Spheres2 : public SceneSource
{
public:
  /// The box around a triangle, from the sphere's centre.
  struct Facet
  {
    Vector at{};
    Vector half{};
  };

  explicit Spheres2(SceneOptions const& settings);
  /// Edges of triangles along an octahedron's; spheres along a cube's edge, even; cubes along
  /// each axis.
  Spheres2(Config const& config, Counts const& edges_rows_cubes);
  [[nodiscard]] std::optional<Expected> expected(std::int64_t step) const override;
  [[nodiscard]] double row_length() const override;
  [[nodiscard]] bool has_bodies() const override { return true; }

protected:
  [[nodiscard]] Object object(index_t gid) const override;

private:
  [[nodiscard]] double pairs() const;

  std::vector<Facet> facets_; ///< of a sphere
  index_t rows_;              ///< spheres along an edge of a cube
  index_t cubes_;             ///< along each axis
  double pairs_ = -1;         ///< that touch; negative where unknown
};

} // namespace strata::contact
