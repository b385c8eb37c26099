#include "file_checks.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>

namespace strata::contact {

namespace {

bool is_whole(double x)
{
  return x == std::floor(x);
}

// Between these bounds squares of numbers and of their differences are in double precision.
constexpr double most = 0x1p400;
constexpr double least = 0x1p-400;

/// What is asked of all objects' numbers.
struct Extremes
{
  double furthest = 0;   ///< coordinate
  double nearest = most; ///< coordinate that is not 0
  double largest = 0;    ///< half extent
  double edge = 0;       ///< of a simplex along an axis
  bool whole = true;     ///< centres and radii; else the sides of boxes, and corners
};

void include(Extremes& found, Object const& object, Corners const* corners, bool sphere)
{
  for (std::size_t k = 0; k < 3; ++k) {
    double const x = object.at[k];
    double const half = object.half[k];
    found.furthest = std::max({found.furthest, std::abs(x - half), std::abs(x + half)});
    found.largest = std::max(found.largest, half);
    if (x != 0)
      found.nearest = std::min(found.nearest, std::abs(x));
    found.whole = found.whole && (sphere ? is_whole(x) && is_whole(half)
                                         : is_whole(x - half) && is_whole(x + half));
    for (std::size_t c = 0; corners != nullptr && c < corners->offset.size(); ++c) {
      found.whole = found.whole && is_whole(x + corners->offset[c][k]);
      found.edge = std::max(found.edge, 2 * half);
    }
  }
}

Extremes extremes_of(Objects const& objects, bool spheres, runtime::Communicator const& world)
{
  Extremes mine;
  for (std::size_t i = 0; i < objects.all.size(); ++i)
    include(mine, objects.all[i], objects.corners.empty() ? nullptr : &objects.corners[i],
            spheres);
  auto const all = world.max(std::vector{mine.furthest, mine.largest, mine.edge});
  return {all[0], world.min(mine.nearest), all[1], all[2], world.all(mine.whole)};
}

} // namespace

void refuse_any(InputFile const& file, runtime::Communicator const& world, Noted const& noted,
                std::string const& thing, std::string const& what)
{
  auto const all = noted.over(world);
  if (all.count > 0)
    file.refuse(thing + " " + std::to_string(all.first) + " is the first of " +
                std::to_string(all.count) + " " + what);
}

void check_points(InputFile const& file, Cloud const& cloud, int dim,
                  runtime::Communicator const& world)
{
  Noted wild;
  Noted immense;
  Noted lifted;
  Noted wild_radius;
  Noted negative;
  for (std::size_t i = 0; i < cloud.at.size(); ++i) {
    auto const& at = cloud.at[i];
    index_t const number = cloud.stretch.first + static_cast<index_t>(i);
    if (!std::all_of(at.begin(), at.end(), [](double x) { return std::isfinite(x); }))
      wild.add(number);
    if (std::any_of(at.begin(), at.end(), [](double x) { return std::abs(x) > most; }))
      immense.add(number);
    if (dim == 2 && at[2] != 0)
      lifted.add(number);
    if (!cloud.has_radii)
      continue;
    if (!std::isfinite(cloud.radius[i]))
      wild_radius.add(number);
    if (cloud.radius[i] < 0)
      negative.add(number);
    if (cloud.radius[i] > most)
      immense.add(number);
  }
  std::string const remedy = "; correct or remove those, which are counted from 0";
  refuse_any(file, world, wild, "point", "with a coordinate that is not finite" + remedy);
  refuse_any(file, world, wild_radius, "point", "with a radius that is not finite" + remedy);
  refuse_any(file, world, negative, "point", "with a negative radius" + remedy);
  refuse_any(file, world, immense, "point",
             "with a number beyond 2^400, whose square may leave double precision; scale the "
             "file");
  refuse_any(file, world, lifted, "point",
             "with a z other than 0, in a deck of two dimensions; set problem.dim to 3");
}

/// Exactness: see the app's README; resolution: contact.md section 5.
bool check_objects(InputFile const& file, FileContents const& contents, Config const& config,
                   runtime::Communicator const& world)
{
  auto const& objects = contents.objects;
  double const gap = config.gap.value_or(0);
  Noted eaten;
  for (auto const& object : objects.all)
    if (config.shape == "sphere" && 2 * object.half[0] + gap < 0)
      eaten.add(object.gid);
  refuse_any(file, world, eaten, "element",
             "of which problem.gap leaves nothing; above -2 radius something is left");

  auto const found = extremes_of(objects, config.shape == "sphere", world);
  double const reach = 2 * found.largest + gap;
  if (config.shape == "simplex" && contents.points > 0 && reach > 0 &&
      std::abs(std::ilogb(reach)) > 26)
    file.refuse("rows of simplices and points have exact sums where simplices touch at "
                "distances between 2^-26 and 2^27, and these do at " +
                text::number(reach) + "; scale the file");
  if (found.whole && is_whole(gap) && found.furthest <= 0x1p40 && reach <= 0x1p24 &&
      found.edge <= 0x1p15)
    return true;
  if (config.shape == "sphere" && reach >= 0 && reach < least &&
      (reach > 0 || found.nearest < least))
    file.refuse("cutoff below resolution: objects " + text::number(reach) +
                " apart touch, and there are numbers whose square leaves double precision; "
                "scale the file");
  double const spacing = std::ldexp(1.0, std::ilogb(std::max(found.furthest, 0x1p-900)) - 52);
  if (reach > 0 && spacing > reach * 0x1p-20)
    file.refuse("cutoff below resolution: coordinates up to " + text::number(found.furthest) +
                " are " + text::number(spacing) + " apart in double precision and contacts " +
                text::number(reach) + "; move the objects to the origin");
  return false;
}

} // namespace strata::contact
