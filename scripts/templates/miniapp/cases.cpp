#include "cases.hpp"

#include "trials.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

namespace strata::appname {

namespace {

Problem problem_of(Config const& config, driver::Setting const& setting)
{
  auto const enough = setting.beyond_cache() / static_cast<index_t>(sizeof(double));
  auto const size = config.size.value_or(enough * setting.share.ranks);
  if (size < setting.share.ranks)
    throw Error(Exit::deck, "problem.size is " + std::to_string(size) + " for " +
                                text::plural(setting.share.ranks, "rank") +
                                "; raise it or use fewer ranks");
  return {size, setting.share.begin(size), setting.share.count(size)};
}

std::string label_of(Choice const& choice)
{
  return "scale/" + choice.variant + "/" + choice.scalar;
}

/// The same by the other variant.
Choice control_of(Choice choice)
{
  choice.variant = choice.variant == "native" ? "span" : "native";
  return choice;
}

driver::Case case_of(Choice const& choice, Problem const& problem)
{
  driver::Case made;
  made.label = label_of(choice);
  made.axes = {{"kernel", "scale"}, {"variant", choice.variant}, {"scalar", choice.scalar}};
  made.problem = {{"size", std::to_string(problem.size)}};
  made.control = label_of(control_of(choice));
  std::size_t const bytes = choice.scalar == "float" ? sizeof(float) : sizeof(double);
  made.slots = {vector_slot(0, problem, bytes), vector_slot(1, problem, bytes)};
  if (choice.variant == "native") {
    made.unavailable = driver::native_unavailable();
    made.make = native_maker(choice, problem);
  } else
    made.make = span_maker(choice, problem);
  return made;
}

} // namespace

driver::Slot vector_slot(int number, Problem const& problem, std::size_t bytes_per_value)
{
  return {number, problem.count * static_cast<index_t>(bytes_per_value)};
}

deck::Schema<Config> schema()
{
  deck::Schema<Config> deck("appname", "Scales a vector.");
  deck.field("problem.size", &Config::size, "elements of one vector, summed over ranks")
      .word("auto")
      .between(1, index_t{1} << 46);
  deck.field("cases.variant", &Config::variant, "span is the core, native the control")
      .one_of({"span", "native"});
  deck.field("cases.scalar", &Config::scalar, "type of the elements")
      .one_of({"double", "float"});
  return deck;
}

std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting)
{
  auto const problem = problem_of(config, setting);
  std::vector<driver::Case> all;
  for (auto const& scalar : config.scalar)
    for (auto const& variant : config.variant)
      all.push_back(case_of({variant, scalar}, problem));
  return all;
}

} // namespace strata::appname
