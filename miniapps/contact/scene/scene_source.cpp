#include "scene_source.hpp"

#include "file_scene.hpp"
#include "generators.hpp"
#include "stretches.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace strata::contact {

namespace {

using Maker = std::unique_ptr<SceneSource const> (*)(SceneOptions const&);

struct NamedMaker
{
  char const* name;
  Maker make;
};

template <class D>
std::unique_ptr<SceneSource const> made(SceneOptions const& settings)
{
  return std::make_unique<D const>(settings);
}

constexpr std::array makers{
    NamedMaker{"lattice", made<Lattice>}, NamedMaker{"pack", made<ClosePacking>},
    NamedMaker{"random", made<Random>},   NamedMaker{"shear", made<Shear>},
    NamedMaker{"clump", made<Clump>},     NamedMaker{"hoss", made<Hoss>},
    NamedMaker{"impact", made<Impact>},   NamedMaker{"spheres2", made<Spheres2>},
    NamedMaker{"file", made<FileScene>},
};

/// What the exactness rule allows.
void demand_exact(Scene const& scene)
{
  constexpr double furthest = 1099511627776.0; // 2^40
  double extent = 0;
  for (std::size_t k = 0; k < 3; ++k)
    extent = std::max({extent, std::abs(scene.bounds.low[k]), std::abs(scene.bounds.high[k])});
  if (extent > furthest)
    throw Error(Exit::deck, "the deck's objects reach beyond 2^40 units, where the arithmetic "
                            "is no longer exact; take fewer elements or a smaller spacing");
}

} // namespace

void demand_radius_left(Scene const& scene, double radius)
{
  if (scene.shape == Shape::sphere && 2 * radius + scene.gap < 0)
    throw Error(Exit::deck, "problem.gap is " + text::number(scene.gap) + " and radii are " +
                                text::number(radius) +
                                ": nothing is left of them; above -2 radius something is");
}

Objects SceneSource::objects(runtime::Share const& share) const
{
  index_t const elements = scene_.elements;
  index_t const own = share.count(elements);
  auto const gid_of = [&](std::size_t i) {
    auto const at = static_cast<index_t>(i);
    return at < own ? share.begin(elements) + at
                    : elements + share.begin(scene_.points) + (at - own);
  };
  bool const cornered = scene_.shape == Shape::simplex;
  auto const count = static_cast<std::size_t>(own + share.count(scene_.points));
  Objects part;
  part.all.resize(count);
  part.corners.resize(cornered ? count : 0);
  for_each_on_host("strata::contact objects", count, [&](std::size_t i) {
    part.all[i] = object(gid_of(i));
    if (cornered)
      part.corners[i] = corners(gid_of(i));
  });
  return part;
}

std::vector<std::string> scene_names()
{
  std::vector<std::string> names;
  for (auto const& scene : makers)
    names.emplace_back(scene.name);
  return names;
}

std::unique_ptr<SceneSource const> make_scene_source(Config const& config,
                                                     driver::Setting const& setting,
                                                     index_t automatic, ReadFile read)
{
  auto const* const found =
      std::find_if(makers.begin(), makers.end(),
                   [&](NamedMaker const& scene) { return config.deck == scene.name; });
  STRATA_CHECK(found != makers.end(), "no deck is called '" + config.deck + "'");
  auto source = found->make(
      {config, setting.seed, config.elements.value_or(automatic), setting.world, read});
  demand_exact(source->scene());
  return source;
}

} // namespace strata::contact
