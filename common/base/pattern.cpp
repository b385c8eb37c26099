#include "pattern.hpp"

#include <algorithm>
#include <regex>
#include <stdexcept>

namespace strata {

namespace {

/// Greater than anyone writes, and far from what <regex>'s recursion has the stack for.
constexpr int deepest = 100;

/// Of parentheses that are open at once; escaped ones count, too.
int depth(std::string const& expression)
{
  int open = 0;
  int most = 0;
  for (char const c : expression) {
    open += c == '(' ? 1 : c == ')' ? -1 : 0;
    most = std::max(most, open);
  }
  return most;
}

/// Whether a number of repetitions in braces has more digits than anyone writes: <regex> adds
/// them up in an int without a look at how many there are.
bool repeats_too_often(std::string const& expression)
{
  constexpr int most_digits = 4;
  int digits = 0;
  bool in_braces = false;
  for (char const c : expression) {
    in_braces = c == '{' || (in_braces && c != '}');
    digits = in_braces && c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits > most_digits)
      return true;
  }
  return false;
}

/// Whether it refers to a group by number, whose digits <regex> adds up without a look at how
/// many there are; the way to match below knows no references.
bool refers_to_a_group(std::string const& expression)
{
  for (std::size_t at = 0; at + 1 < expression.size(); ++at)
    if (expression[at] == '\\') {
      ++at; // the escaped character, which may be a backslash
      if (expression[at] == 'c')
        ++at; // a control character by its letter, which may be a backslash for <regex>
      else if (expression[at] >= '1' && expression[at] <= '9')
        return true;
    }
  return false;
}

/// By default libstdc++ tries all ways to match one after the other, which takes for ever for
/// "(a+)+b". Its other way takes polynomial time and knows no references to groups.
std::regex::flag_type in_polynomial_time(std::regex::flag_type syntax)
{
#if defined(__GLIBCXX__)
  return syntax | std::regex_constants::__polynomial;
#else
  return syntax;
#endif
}

} // namespace

struct Pattern::Compiled
{
  std::regex expression;
};

Pattern::Pattern(std::string const& expression, Grammar grammar)
{
  if (depth(expression) > deepest)
    throw std::invalid_argument("'" + expression + "' is nested too deeply for a pattern");
  if (repeats_too_often(expression))
    throw std::invalid_argument("'" + expression +
                                "' repeats something too often for a pattern");
  if (refers_to_a_group(expression))
    throw std::invalid_argument("'" + expression +
                                "' refers to a group, which patterns do not know");
  try {
    auto const syntax =
        grammar == Grammar::ecmascript ? std::regex::ECMAScript : std::regex::extended;
    compiled_ = std::make_shared<Compiled>(
        Compiled{std::regex(expression, in_polynomial_time(syntax))});
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
