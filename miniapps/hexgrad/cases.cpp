#include "cases.hpp"

#include "trials.hpp"

#include "base/decades.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "driver/axis.hpp"

#include <array>
#include <cmath>

namespace strata::hexgrad {

namespace {

constexpr index_t values_per_element = dims * nodes;

MeshKind mesh_kind(std::string const& name)
{
  return name == "affine"   ? MeshKind::affine
         : name == "random" ? MeshKind::random
                            : MeshKind::brick;
}

index_t requested_size(Config const& config, driver::Setting const& setting)
{
  constexpr index_t element_bytes = values_per_element * static_cast<index_t>(sizeof(double));
  if (config.size)
    return *config.size;
  // Two arrays: coordinates and gradients.
  return setting.array_bytes(config.memory_fraction, 2, setting.beyond_cache()) /
         element_bytes * setting.share.ranks;
}

/// The one size, or all from sweep_from up to it.
std::vector<index_t> sizes(Config const& config, driver::Setting const& setting)
{
  index_t const last = requested_size(config, setting);
  return decades(config.sweep_from.value_or(last), last);
}

Problem problem_of(Config const& config, index_t elements, driver::Setting const& setting)
{
  if (elements < setting.share.ranks)
    throw Error(Exit::deck, "problem.size is " +
                                text::plural(static_cast<std::size_t>(elements), "element") +
                                " for " + std::to_string(setting.share.ranks) +
                                " ranks; raise it or use fewer ranks");
  Problem problem;
  problem.elements = elements;
  problem.first = setting.share.begin(elements);
  problem.count = setting.share.count(elements);
  problem.mesh.kind = mesh_kind(config.mesh);
  problem.mesh.edge = static_cast<index_t>(std::ceil(std::cbrt(static_cast<double>(elements))));
  problem.mesh.seed = setting.seed;
  return problem;
}

std::string label_of(Choice const& choice, Problem const& problem, bool swept)
{
  std::string label = (choice.gather ? "gather/" : "gradient/") + choice.variant + "/" +
                      choice.layout + "/" + choice.scalar;
  if (choice.extents != "static")
    label += "/" + choice.extents;
  if (choice.access != driver::word_of<AccessDefault>())
    label += "/" + choice.access;
  if (swept)
    label += "/n" + std::to_string(problem.elements);
  return label;
}

/// The plain case on the same data, in float where they are narrow; of the plain case the
/// hand-written one, or the core's best layout where the layout has none.
Choice control_of(Choice choice)
{
  if (choice.gather)
    choice.gather = false;
  else if (choice.variant == "native")
    choice.variant = "span";
  else if (choice.access != driver::word_of<AccessDefault>())
    choice.access = driver::word_of<AccessDefault>();
  else if (choice.extents != "static")
    choice.extents = "static";
  else if (choice.scalar.starts_with("half") || choice.scalar.starts_with("bfloat16"))
    choice.scalar = "float-float";
  else if (choice.layout != driver::word_of<LayoutBest>() && !is_by_hand(choice))
    choice.layout = driver::word_of<LayoutBest>();
  else
    choice.variant = "native";
  return choice;
}

std::string resolved_layout(std::string const& word)
{
  return word == "default"   ? driver::word_of<LayoutBest>()
         : word == "crossed" ? driver::word_of<LayoutCrossed>()
                             : word;
}

driver::Maker maker_of(Choice const& choice, Problem const& problem)
{
  if (choice.gather)
    return gather_maker(choice, problem);
  if (choice.variant == "native")
    return native_maker(choice, problem);
  if (choice.variant == "view")
    return view_maker(choice, problem);
  return span_maker(choice, problem);
}

std::string unavailable(Choice const& choice)
{
  if (std::string const why = driver::native_unavailable();
      choice.variant == "native" && !why.empty())
    return why;
  if (choice.access == driver::word_of<AccessStreaming>() && !AccessStreaming::available)
    return "no non-temporal store is known for this processor";
  return {};
}

std::size_t bytes_of(std::string const& scalar)
{
  return driver::with_scalar(scalar, [&]<class T>() -> std::size_t { return sizeof(T); });
}

void add_case(std::vector<driver::Case>& cases, Choice const& choice, Problem const& problem,
              bool swept)
{
  auto* const made =
      driver::add_new(cases, label_of(choice, problem, swept), maker_of(choice, problem));
  if (made == nullptr)
    return;
  made->unavailable = unavailable(choice);
  made->axes = {{"kernel", choice.gather ? "gather" : "gradient"},
                {"variant", choice.variant},
                {"layout", choice.layout},
                {"scalar", choice.scalar},
                {"extents", choice.extents},
                {"access", choice.access}};
  if (swept)
    made->axes.push_back({"elements", std::to_string(problem.elements)});
  made->problem = {{"elements", std::to_string(problem.elements)}};
  made->control = label_of(control_of(choice), problem, swept);
  auto const dash = choice.scalar.find('-');
  made->slots = {field_slot(0, problem, bytes_of(choice.scalar.substr(0, dash))),
                 field_slot(1, problem, bytes_of(choice.scalar.substr(dash + 1)))};
  if (choice.gather)
    made->private_bytes = gather_bytes(problem);
}

} // namespace

driver::Slot field_slot(int number, Problem const& problem, std::size_t bytes_per_value)
{
  return {number,
          padded(problem.count) * values_per_element * static_cast<index_t>(bytes_per_value)};
}

deck::Schema<Config> schema()
{
  deck::Schema<Config> deck("hexgrad", "Gradients of the basis functions of linear hexahedra.");
  deck.field("problem.size", &Config::size, "elements, summed over ranks")
      .word("auto")
      .between(1, 1'000'000'000'000);
  deck.field("problem.memory_fraction", &Config::memory_fraction,
             "the same as a part of each device's memory, in place of size")
      .word("unset")
      .between(0.001, 0.95);
  deck.field("problem.sweep_from", &Config::sweep_from,
             "measure 1, 2, 5, 10, ... times this many elements up to the size")
      .word("unset")
      .between(1, 1'000'000'000);
  deck.field("problem.mesh", &Config::mesh, "perturbed brick, affine or random elements")
      .one_of({"brick", "affine", "random"});
  deck.field("cases.variant", &Config::variant, "span is the core; the others are controls")
      .one_of({"span", "view", "native"});
  auto layouts = SpanLayouts::words();
  layouts.insert(layouts.begin(), {"default", "crossed"});
  deck.field("cases.layout", &Config::layout,
             "storage order; default is this device's best, crossed the other kind's")
      .one_of(layouts);
  deck.field("cases.scalar", &Config::scalar, "of coordinates and of gradients")
      .one_of({"double-double", "double-float", "float-double", "float-float", "half-float",
               "half-half", "bfloat16-float", "bfloat16-bfloat16"});
  deck.field("cases.extents", &Config::extents, "whether 3 and 8 are known to the compiler")
      .one_of({"static", "dynamic"});
  deck.field("cases.access", &Config::access, "how gradients are stored")
      .one_of(SpanAccess::words());
  deck.field("cases.gather", &Config::gather, "coordinates through connectivity (brick only)");
  deck.rule(
      "problem.sweep_from", "it is beyond problem.size, where the sweep ends",
      [](Config const& c) { return !c.sweep_from || !c.size || *c.sweep_from <= *c.size; });
  deck.rule("problem.size", "give size or memory_fraction, not both",
            [](Config const& c) { return !(c.size && c.memory_fraction); });
  return deck;
}

std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting)
{
  std::vector<Choice> choices(1);
  driver::expand(choices, &Choice::gather, config.gather);
  driver::expand(choices, &Choice::layout, config.layout);
  driver::expand(choices, &Choice::scalar, config.scalar);
  driver::expand(choices, &Choice::extents, config.extents);
  driver::expand(choices, &Choice::access, config.access);
  driver::expand(choices, &Choice::variant, config.variant);
  for (auto& choice : choices)
    choice.layout = resolved_layout(choice.layout);
  std::vector<driver::Case> all;
  auto const swept = sizes(config, setting);
  for (index_t const elements : swept) {
    Problem const problem = problem_of(config, elements, setting);
    for (auto const& choice : choices)
      add_case(all, choice, problem, swept.size() > 1);
  }
  return all;
}

} // namespace strata::hexgrad
