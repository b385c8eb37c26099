#include "answer.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "runtime/context.hpp"

#include <sstream>
#include <utility>

namespace strata::driver {

deck::Document read_deck(Options const& options, std::string text)
{
  deck::Document document(std::move(text),
                          options.deck.empty() ? "built-in deck" : options.deck);
  for (auto const& assignment : options.set)
    document.set(assignment);
  return document;
}

std::string deck_text(Program const& program, Options const& options)
{
  return options.deck.empty() ? program.default_deck : deck::read_file(options.deck);
}

std::vector<Case> select(Program const& program, Options const& options,
                         std::vector<Case> cases)
{
  if (cases.empty())
    throw Error(Exit::deck, "no combination of the deck's axes makes a case; the app's README "
                            "says which there are");
  auto const all = cases.size();
  std::erase_if(
      cases, [&](Case const& one) { return !options.selects(program.name + "/" + one.label); });
  if (cases.empty())
    throw Error(Exit::command_line, "none of the deck's " + text::plural(all, "case") +
                                        " is selected; see --list without --only");
  return cases;
}

std::optional<std::string> answer(Program const& program, Options const& options)
{
  std::ostringstream out;
  if (options.help)
    out << help(program.name, program.about);
  else if (options.version)
    out << "strata-" << program.name << " " << runtime::suite_facts().version << " ("
        << runtime::suite_facts().git << ")\n";
  else if (options.print_schema)
    out << program.deck_schema;
  else if (options.print_keys)
    out << program.key_table;
  else if (options.print_deck && options.deck.empty() && options.set.empty())
    out << program.default_deck;
  else if (options.print_deck || options.check_deck || options.list ||
           options.benchmark.lists()) {
    auto const document = read_deck(options, deck_text(program, options));
    auto const plan = program.read(document);
    if (options.print_deck)
      return plan.described;
    auto const cases = select(program, options, plan.cases(Setting{{}, plan.rules.seed, 0, 0}));
    if (options.check_deck)
      out << document.name() << " is a good deck for strata-" << program.name << "\n";
    else
      for (auto const& one : cases)
        out << program.name << "/" << one.label << "\n";
  } else
    return {};
  return out.str();
}

} // namespace strata::driver
