#include "pattern.hpp"

#include <regex>
#include <stdexcept>

namespace strata {

struct Pattern::Compiled
{
  std::regex expression;
};

Pattern::Pattern(std::string const& expression, Grammar grammar)
{
  try {
    auto const syntax =
        grammar == Grammar::ecmascript ? std::regex::ECMAScript : std::regex::extended;
    compiled_ = std::make_shared<Compiled>(Compiled{std::regex(expression, syntax)});
  } catch (std::regex_error const& error) {
    throw std::invalid_argument("'" + expression + "' is not a regular expression (" +
                                error.what() + ")");
  }
}

bool Pattern::matches_in(std::string const& text) const
{
  return std::regex_search(text, compiled_->expression);
}

} // namespace strata
