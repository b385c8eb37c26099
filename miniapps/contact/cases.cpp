#include "cases.hpp"

#include "base/error.hpp"
#include "rows/stored_statistics.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace strata::contact {

namespace {

enum class Room
{
  by_need,  ///< rows have what they need
  grows,    ///< and have room beforehand
  or_spills ///< or share a pool
};

struct Variant
{
  char const* name;
  driver::Maker (*maker)(Choice const& choice, Shared const& problem);
  bool on_host_only;
  Room room;
  double bytes_per_entry; ///< of a row of about the expected length, for the estimate
};

constexpr std::array variants{
    Variant{"ragged", ragged_maker, false, Room::by_need, 24},
    Variant{"dyn_ragged", dyn_ragged_maker, false, Room::or_spills, 32},
    Variant{"dense_right", dense_right_maker, false, Room::grows, 32},
    Variant{"dense_left", dense_left_maker, false, Room::or_spills, 32},
    Variant{"ragged_slack", slack_maker, false, Room::or_spills, 32},
    Variant{"paged", paged_maker, false, Room::grows, 32},
    Variant{"list_pool", list_pool_maker, false, Room::grows, 32},
    Variant{"list", list_maker, true, Room::by_need, 32},
    Variant{"vecvec", vecvec_maker, true, Room::by_need, 48},
};

Variant const& variant_named(std::string const& name)
{
  auto const* const found = std::find_if(variants.begin(), variants.end(),
                                         [&](Variant const& v) { return name == v.name; });
  STRATA_CHECK(found != variants.end(), "no structure is called '" + name + "'");
  return *found;
}

void expand(std::vector<Choice>& all, std::string Choice::* axis,
            std::vector<std::string> const& words)
{
  std::vector<Choice> expanded;
  for (auto const& choice : all)
    for (auto const& word : words) {
      expanded.push_back(choice);
      expanded.back().*axis = word;
    }
  all = std::move(expanded);
}

std::string label_of(Choice const& choice)
{
  std::string label = choice.kernel + "/" + choice.variant;
  for (auto const& [word, plain] :
       {std::pair(choice.broad, "grid"), std::pair(choice.narrow, "inlined"),
        std::pair(choice.list, "full"), std::pair(choice.list_order, "fresh"),
        std::pair(choice.store, "none")})
    if (word != plain)
      label += "/" + word;
  return label;
}

/// The control: the case whose time this one's is divided by.
Choice control_of(Choice choice)
{
  if (choice.store != "none")
    choice.store = "none";
  else if (choice.list_order != "fresh")
    choice.list_order = "fresh";
  else if (choice.list != "full")
    choice.list = "full";
  else if (choice.narrow != "inlined")
    choice.narrow = "inlined";
  else if (choice.broad != "grid")
    choice.broad = "grid";
  else if (choice.variant == "dense_right")
    choice.variant = "dyn_ragged";
  else
    choice.variant = choice.variant == "ragged" ? "dyn_ragged" : "ragged";
  return choice;
}

/// Axes that a kernel does not have stay plain. Virtual tests and pairs differ from the plain
/// search in what comes before the rows: two structures show it.
bool tells_something(Choice const& choice)
{
  bool const plain_search = choice.broad == "grid" && choice.narrow == "inlined";
  if (choice.kernel != "build" && !plain_search)
    return false;
  if (choice.narrow == "virtual" &&
      (choice.broad != "grid" || !is_one_of(choice.variant, "ragged", "dyn_ragged")))
    return false;
  if (choice.broad == "nbs" && !is_one_of(choice.variant, "list", "dyn_ragged"))
    return false;
  if (choice.stores_rows() && choice.kernel != "statistics")
    return false;
  return choice.list_order == "fresh" ||
         (choice.kernel == "statistics" && choice.variant == "list");
}

std::string unavailable(Choice const& choice, Variant const& variant, Config const& config)
{
  if (!device_is_host && variant.on_host_only)
    return choice.variant + " lives on a host only";
  if (!device_is_host && choice.broad == "nbs")
    return "nbs is a host's search";
  if (config.overflow == "spill" && variant.room == Room::grows)
    return choice.variant + " has no buffers to spill from";
  return "";
}

index_t private_bytes(Choice const& choice, Variant const& variant, Problem const& problem)
{
  auto const& scene = problem.source().scene();
  auto const ranks = static_cast<double>(problem.setting().share.ranks);
  double const rows = static_cast<double>(scene.elements) / ranks;
  double const entries = std::max(
      problem.source().row_length(),
      variant.room == Room::by_need ? 0.0 : static_cast<double>(problem.config().capacity));
  bool const update = choice.kernel == "update";
  double const copies = update ? 2 : 1;     // its check lists contacts anew
  double const of_update = update ? 40 : 0; // a place and a word of bits
  index_t const kept = choice.stores_rows() ? StoredStatistics::bytes_per_row : 0;
  return static_cast<index_t>(rows * (copies * (16 + entries * variant.bytes_per_entry) +
                                      of_update + static_cast<double>(kept)));
}

/// Of the objects and the cells that they lie in.
index_t shared_bytes(Problem const& problem)
{
  auto const& scene = problem.source().scene();
  index_t const bytes = // on host and device
      (scene.shape == Shape::simplex ? 632 : 352) + KeptRows::bytes_per_slot +
      (scene.shape == Shape::sphere ? Grid::coarse_bytes_per_object : 0);
  return (scene.elements + scene.points) / problem.setting().share.ranks * bytes;
}

driver::Case make_case(Choice const& choice, Shared const& problem)
{
  auto const& variant = variant_named(choice.variant);
  auto const& scene = problem->source().scene();
  driver::Case made;
  made.label = label_of(choice);
  made.axes = {{"kernel", choice.kernel}, {"variant", choice.variant},
               {"broad", choice.broad},   {"narrow", choice.narrow},
               {"list", choice.list},     {"list_order", choice.list_order},
               {"store", choice.store}};
  made.problem = {{"deck", problem->config().deck},
                  {"dim", std::to_string(scene.dim)},
                  {"shape", problem->config().shape},
                  {"elements", std::to_string(scene.elements)},
                  {"points", std::to_string(scene.points)}};
  for (auto const& fact : problem->source().facts())
    made.problem.push_back(fact);
  made.unavailable = unavailable(choice, variant, problem->config());
  made.control = label_of(control_of(choice));
  made.private_bytes = private_bytes(choice, variant, *problem);
  made.shared_bytes = shared_bytes(*problem);
  made.make = variant.maker(choice, problem);
  return made;
}

} // namespace

std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting)
{
  return cases_of(std::make_shared<Problem>(config, setting));
}

std::vector<driver::Case> cases_of(Shared const& problem)
{
  auto const& config = problem->config();
  std::vector<Choice> all(1);
  expand(all, &Choice::kernel, config.kernel);
  expand(all, &Choice::broad, config.broad);
  expand(all, &Choice::narrow, config.narrow);
  expand(all, &Choice::list, config.list);
  expand(all, &Choice::list_order, config.list_order);
  expand(all, &Choice::store, config.store);
  expand(all, &Choice::variant, config.variant);
  std::vector<driver::Case> made;
  for (auto const& choice : all)
    if (tells_something(choice))
      made.push_back(make_case(choice, problem));
  return made;
}

} // namespace strata::contact
