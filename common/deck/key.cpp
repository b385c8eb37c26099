#include "key.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace strata::deck {

namespace {

std::vector<std::string> words(std::vector<Scalar> const& scalars, auto const& spell)
{
  std::vector<std::string> spelled;
  std::ranges::transform(scalars, std::back_inserter(spelled), spell);
  return spelled;
}

std::string noun(Kind kind)
{
  static constexpr std::array nouns{"true or false", "whole number", "whole number", "number",
                                    "text"};
  return nouns.at(static_cast<std::size_t>(kind));
}

} // namespace

std::string leaf(std::string const& path)
{
  return path.substr(path.rfind('.') + 1);
}

std::string parent(std::string const& path)
{
  auto const dot = path.rfind('.');
  return dot == path.npos ? "" : path.substr(0, dot);
}

std::string within(std::string const& section)
{
  return " in " + (section.empty() ? "the deck" : section);
}

std::string choice_list(Key const& key)
{
  auto choices = words(key.choices, [](Scalar const& choice) { return to_string(choice); });
  if (!key.word.empty())
    choices.insert(choices.begin(), key.word);
  return text::join(choices);
}

std::string between(Scalar const& least, Scalar const& most)
{
  return "between " + to_string(least) + " and " + to_string(most);
}

std::string range(Key const& key)
{
  if (key.least && key.most)
    return between(*key.least, *key.most);
  if (key.least)
    return "at least " + to_string(*key.least);
  return key.most ? "at most " + to_string(*key.most) : "";
}

std::string wanted(Key const& key)
{
  if (!key.choices.empty())
    return "one of " + choice_list(key);
  std::string const article = key.kind == Kind::truth || key.kind == Kind::text ? "" : "a ";
  auto const numbers = range(key);
  return (key.word.empty() ? "" : key.word + " or ") + article + noun(key.kind) +
         (numbers.empty() ? "" : " " + numbers);
}

std::string allowed(Key const& key)
{
  if (!key.choices.empty())
    return choice_list(key);
  auto numbers = key.least && key.most ? to_string(*key.least) + " to " + to_string(*key.most)
                                       : range(key);
  if (key.word.empty())
    return numbers;
  return key.word + " or " + (numbers.empty() ? "a " + noun(key.kind) : numbers);
}

std::string type_name(Key const& key)
{
  bool const plural = key.list && key.kind != Kind::truth && key.kind != Kind::text;
  return (key.list ? "list of " : "") + noun(key.kind) + (plural ? "s" : "") +
         (key.unit.empty() ? "" : " in " + key.unit);
}

std::string to_yaml(Key const& key, Value const& value)
{
  auto const spell = [](Scalar const& scalar) { return to_yaml(scalar); };
  auto const items = text::join(words(value, spell));
  return key.list ? "[" + items + "]" : value.empty() ? key.word : items;
}

} // namespace strata::deck
