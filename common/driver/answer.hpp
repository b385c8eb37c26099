#pragma once

#include "options.hpp"
#include "program.hpp"

#include "deck/document.hpp"

#include <optional>
#include <string>
#include <vector>

// The requests that an app answers without running, and the steps that a run starts with, too.

namespace strata::driver {

/// The text of the deck that the options name, or of the built-in one.
std::string deck_text(Program const& program, Options const& options);

/// The deck of that text, overridden as the options say.
deck::Document read_deck(Options const& options, std::string text);

/// The deck's cases that the options select. Throws Error(Exit::deck) where the deck has none,
/// and Error(Exit::command_line) where none is selected.
std::vector<Case> select(Program const& program, Options const& options,
                         std::vector<Case> cases);

/// Answers a request that needs neither MPI nor a device; nothing where a run is asked for.
std::optional<std::string> answer(Program const& program, Options const& options);

} // namespace strata::driver
