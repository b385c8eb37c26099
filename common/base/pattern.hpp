#pragma once

#include <memory>
#include <string>

namespace strata {

/// A regular expression without references to its groups; cheap to copy. <regex> is slow to
/// compile and therefore included in one source file only.
class Pattern
{
public:
  enum class Grammar
  {
    ecmascript,
    posix_extended
  };

  /// Throws std::invalid_argument that says what is wrong with the expression.
  explicit Pattern(std::string const& expression, Grammar grammar = Grammar::ecmascript);

  /// Whether some part of `text` matches.
  [[nodiscard]] bool matches_in(std::string const& text) const;

private:
  struct Compiled;
  std::shared_ptr<Compiled const> compiled_;
};

} // namespace strata
