#pragma once

#include "base/pattern.hpp"
#include "base/types.hpp"

#include <functional>
#include <optional>
#include <string>

namespace strata::verify {

/// Memory that a step has written, where a fault can be put.
struct Output
{
  void* data = nullptr;
  index_t count = 0;             ///< elements from there on, none of them padding
  std::size_t element_bytes = 8; ///< of a double, float or bool; 0: bits of 64-bit words
  bool on_device = true;         ///< else host memory
};

/// A deliberate fault, so that tests see verdicts reject it. From the environment variable
/// STRATA_FAULT=KIND:REGEX; it hits the cases whose label REGEX matches. A run under a fault
/// is never valid. Kinds: `value` alters one element in its sixth digit (a float in its third,
/// beyond what roundings may; a bool all of it), `swap` exchanges two neighbours, `skip` leaves
/// the kernel out, `slow` makes each step take a twentieth longer and leaves its answer right.
class Fault
{
public:
  /// The fault asked for, if any; throws Error{Exit::command_line} when it is misspelt.
  static std::optional<Fault> from_environment();
  static Fault parse(std::string const& text);

  [[nodiscard]] bool hits(std::string const& label) const;
  /// Makes a step, `skip` none; after it `slow` waits. `now` is a clock in seconds.
  void step(std::function<void()> const& make, std::function<double()> const& now) const;
  /// Spoils what a step wrote; nothing for `skip` and `slow`.
  void corrupt(Output const& output) const;

private:
  enum class Kind
  {
    value,
    swap,
    skip,
    slow
  };
  Kind kind_ = Kind::value;
  Pattern cases_{"."};
};

} // namespace strata::verify
