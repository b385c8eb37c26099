#pragma once

#include "output.hpp"

#include "base/pattern.hpp"
#include "base/types.hpp"

#include <functional>
#include <optional>
#include <string>

namespace strata::verify {

/// An injected fault, with which tests show that verdicts reject wrong answers. The environment
/// variable STRATA_FAULT=KIND[@PLACE][@rankN]:REGEX asks for it; it affects the cases whose
/// label matches REGEX, on rank N only where one is named. A run with a fault is never valid.
///
///   value  one element is wrong in its sixth digit (a float in its third, which is more than
///          rounding errors do; a whole number by 1; a bool is inverted)
///   nan    one element is NaN: at the place, or the first real number where that is whole
///   swap   two neighbours are exchanged: those nearest to the place that differ
///   shift  every element has the value of the next one
///   half   every element is half of what it should be; a bool is false
///   tail   the last hundredth of the elements of each kind, at least one, is 0
///   skip   the kernel is not launched
///   slow   each step takes 5 % longer, or PLACE %, and the answer is right
///
/// PLACE says which element `value`, `nan` and `swap` affect: `first` (where none is given),
/// `middle`, `last`, or a whole number, which draws one; of `slow` it is a number of per cent.
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
  /// Whether it is one of the step itself, `skip` or `slow`, and not of its output.
  [[nodiscard]] bool is_of_step() const { return kind_ == Kind::skip || kind_ == Kind::slow; }
  /// Changes the output of a step on that rank, where it is a fault of that. Returns
  /// whether the fault is there now: a `swap` of equal values, a `nan` where all are whole
  /// numbers or a fault of another rank is not.
  bool corrupt(Output const& output, int rank = 0) const;

private:
  enum class Kind
  {
    value,
    nan,
    swap,
    shift,
    half,
    tail,
    skip,
    slow
  };
  Kind kind_ = Kind::value;
  std::string place_ = "first";
  int percent_ = 5;         ///< of a step's time that a slow one takes longer
  std::optional<int> rank_; ///< else every one
  Pattern cases_{"."};
};

} // namespace strata::verify
