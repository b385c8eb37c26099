#pragma once

#include "ending.hpp"
#include "miniapp.hpp"

#include "deck/document.hpp"
#include "measure/rules.hpp"
#include "runtime/placement/device_map.hpp"

#include <functional>
#include <string>
#include <vector>

namespace strata::driver {

/// A whole deck: the keys of the app and those that all apps have.
template <class Config>
struct FullDeck
{
  Config app;
  measure::Rules run;
  runtime::Parallel parallel;
};

deck::Schema<measure::Rules> run_schema();
deck::Schema<runtime::Parallel> parallel_schema();

/// What a deck asks for, independent of the app's types.
struct Plan
{
  measure::Rules rules;
  runtime::Parallel parallel;
  std::string effective;             ///< all values in force, as JSON
  std::vector<std::string> defaults; ///< keys whose value is the default
  std::string described;             ///< the same values as a commented deck
  std::function<std::vector<Case>(Setting const&)> cases;
};

/// What the driver needs of an app, independent of the app's types.
struct Program
{
  std::string name;
  std::string about;
  std::string default_deck;
  std::string deck_schema;
  std::string key_table;
  std::function<Plan(deck::Document const&)> read; ///< throws deck::Invalid
};

template <MiniApp App>
typename App::Config built_in_deck()
{
  if constexpr (requires { App::built_in(); })
    return App::built_in();
  else
    return {};
}

template <MiniApp App>
Program program_of()
{
  using Full = FullDeck<typename App::Config>;
  auto const schema = [] {
    deck::Schema<Full> full;
    full.part(&Full::app, App::schema());
    full.part(&Full::run, run_schema());
    full.part(&Full::parallel, parallel_schema());
    return full;
  };
  auto const all = schema();
  Program program{
      App::name,         App::about,      all.describe({built_in_deck<App>(), {}, {}}),
      all.json_schema(), all.key_table(), {}};
  program.read = [schema](deck::Document const& document) {
    auto const deck_schema = schema();
    Full const full = deck_schema.read(document);
    json::Writer effective;
    deck_schema.effective(full, effective);
    return Plan{
        full.run,
        full.parallel,
        effective.text(),
        deck_schema.defaults(full),
        deck_schema.describe(full),
        [config = full.app](Setting const& setting) { return App::cases(config, setting); }};
  };
  return program;
}

/// The whole run of a program, as contract.md describes it; returns the exit code.
int run_program(Program const& program, int argc, char** argv);

/// The same of an app: what its main calls.
template <MiniApp App>
int run(int argc, char** argv)
{
  end_with_reason(); // before anything can throw
  return run_program(program_of<App>(), argc, argv);
}

} // namespace strata::driver
