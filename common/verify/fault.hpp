#pragma once

#include "base/pattern.hpp"
#include "base/types.hpp"

#include <functional>
#include <optional>
#include <string>

namespace strata::verify {

/// Memory that a step has written, in which a fault can be injected.
struct Output
{
  void* data = nullptr;
  index_t count = 0;             ///< elements from `data` on without padding
  std::size_t element_bytes = 8; ///< of a double, float or bool; 0: bits of 64-bit words
  bool on_device = true;         ///< else host memory
};

/// An injected fault, with which tests show that verdicts reject wrong answers. The environment
/// variable STRATA_FAULT=KIND:REGEX asks for it; it affects the cases whose label matches
/// REGEX. A run with a fault is never valid. Kinds: `value` changes one element in its sixth
/// digit (a float in its third, more than rounding errors do; a bool is inverted), `swap`
/// exchanges two neighbours, `skip` does not launch the kernel, `slow` makes each step 5 %
/// longer and leaves the answer right.
class Fault
{
public:
  /// The fault that the variable asks for, if any. Throws Error{Exit::command_line} where it is
  /// misspelt.
  static std::optional<Fault> from_environment();
  static Fault parse(std::string const& text);

  [[nodiscard]] bool hits(std::string const& label) const;
  /// Makes a step: `skip` makes none, `slow` waits after it. `now` is a clock in seconds.
  void step(std::function<void()> const& make, std::function<double()> const& now) const;
  /// Changes the output of a step; `skip` and `slow` do nothing here.
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
