#include "file_contents.hpp"

#include "file_checks.hpp"

#include "base/error.hpp"
#include "scene/cells.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>

namespace strata::contact {

namespace {

std::string extension_of(InputFile const& file)
{
  auto extension = std::filesystem::path(file.path()).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::array known{".vtk", ".npy", ".csv", ".txt", ".dat"};
  if (std::find(known.begin(), known.end(), extension) == known.end())
    file.refuse(
        "files that end in .vtk, .npy, .csv, .txt or .dat are read; convert others, with "
        "meshio for one");
  return extension;
}

/// Spheres, or boxes of one half extent.
FileContents elements_of(Cloud const& cloud, InputFile const& file, Config const& config)
{
  if (config.shape == "simplex")
    file.refuse("has points only; set problem.shape to sphere or box");
  if (!cloud.has_radii && !config.radius && cloud.stretch.total > 0)
    file.refuse("has no radii; set problem.radius, or add a column r");
  FileContents found;
  found.elements = cloud.stretch.total;
  found.objects.all.reserve(cloud.at.size());
  for (std::size_t i = 0; i < cloud.at.size(); ++i) {
    double const radius = cloud.has_radii ? cloud.radius[i] : *config.radius;
    Object made;
    made.gid = made.body = cloud.stretch.first + static_cast<index_t>(i);
    made.at = cloud.at[i];
    made.half = half_extents(config.dim, radius);
    found.objects.all.push_back(made);
  }
  return found;
}

} // namespace

FileContents contents_of(Config const& config, runtime::Communicator const& world)
{
  std::optional<InputFile> opened;
  world.together([&] { opened.emplace(config.file); });
  auto const& file = *opened;
  auto const extension = extension_of(file);
  Mesh mesh;
  if (extension == ".vtk")
    mesh = read_vtk(file, world);
  else if (extension == ".npy")
    mesh.points = read_npy(file, config.dim, world);
  else
    mesh.points = read_table(file, config.dim, world);
  check_points(file, mesh.points, config.dim, world);
  bool const meshed =
      world.any(std::any_of(mesh.cells.begin(), mesh.cells.end(),
                            [](Cell const& c) { return c.type != Cell::vertex; }));
  auto found =
      meshed ? elements_of(mesh, file, config, world) : elements_of(mesh.points, file, config);
  found.exact = check_objects(file, found, config, world);
  return found;
}

} // namespace strata::contact
