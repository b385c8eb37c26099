#pragma once

#include <exception>
#include <source_location>
#include <stdexcept>
#include <string>
#include <utility>

namespace strata {

/// Exit codes, the same on every rank: part of the contract with scripts.
enum class Exit : int
{
  ok = 0,
  internal = 1,
  command_line = 2,
  deck = 3,
  placement = 4,
  memory = 5,
  verification = 6,
  run_rule = 7,
  results = 8,
  interrupted = 9,
  skipped = 77
};

/// An error with the exit code that tells scripts its kind. `what()` is the complete message
/// for the user: it names the place and the remedy.
class Error : public std::runtime_error
{
public:
  Error(Exit exit, std::string const& message)
      : std::runtime_error(message)
      , exit_(exit)
  {
  }

  [[nodiscard]] Exit exit() const noexcept { return exit_; }

private:
  Exit exit_;
};

/// What an exception of any kind tells a user.
struct Failure
{
  explicit Failure(std::exception const& error);
  Failure(Exit code, std::string words)
      : exit(code)
      , text(std::move(words))
  {
  }

  Exit exit; ///< memory where an allocation failed or an array found no room (length_error);
             ///< internal for what else is no Error
  std::string text; ///< names the place and the remedy as far as they are known
};

/// Throws Error(Exit::internal) naming the broken condition and its place.
[[noreturn]] void check_failed(char const* condition, std::string const& message,
                               std::source_location where);

} // namespace strata

/// Our own invariants (host code): throws with place and message when `condition` is false.
#define STRATA_CHECK(condition, message)                                                       \
  do {                                                                                         \
    if (!(condition))                                                                          \
      ::strata::check_failed(#condition, (message), std::source_location::current());          \
  } while (false)
