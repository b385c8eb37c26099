#include "read_value.hpp"

#include "base/json.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

namespace strata::deck {

namespace {

/// The range with the type's own limits where the schema sets none.
std::string full_range(Key const& key)
{
  auto const limits = [&]<class T>(T) {
    using Limits = std::numeric_limits<T>;
    return between(key.least.value_or(Limits::lowest()), key.most.value_or(Limits::max()));
  };
  switch (key.kind) {
  case Kind::integer:
    return limits(std::int64_t{});
  case Kind::natural:
    return limits(std::uint64_t{});
  default:
    return limits(double{});
  }
}

/// "problem.rows is -5"
std::string statement(std::string const& path, Node const& node)
{
  constexpr std::size_t longest = 60;
  switch (node.kind) {
  case Node::Kind::null:
    return path + " has no value";
  case Node::Kind::list:
    return path + (node.items.empty() ? " is an empty list" : " is a list");
  case Node::Kind::map:
    return path + " is a map";
  default:
    auto const text =
        node.text.size() > longest ? node.text.substr(0, longest) + "..." : node.text;
    return path + " is " + (node.quoted ? json::quote(text) : text);
  }
}

std::string without_leading_zeros(std::string number)
{
  auto const first = number.find('0');
  auto const last = std::min(number.find_first_not_of('0', first), number.size());
  auto const kept = last < number.size() && std::isdigit(number[last]) != 0 ? last : last - 1;
  return number.erase(first, kept - first);
}

/// What is wrong with a scalar that does not read as the number wanted.
std::string number_problem(Key const& key, std::string text, Reading reading)
{
  switch (reading) {
  case Reading::unfit:
    return "it must be " + full_range(key);
  case Reading::not_whole:
    return "it must be a whole number, such as 1000 or 1e3";
  case Reading::grouped:
    std::erase(text, '_');
    return "write it without '_': " + text;
  case Reading::leading_zero:
    return "a leading zero could mean octal; write " + without_leading_zeros(text);
  default:
    return "it must be " + wanted(key);
  }
}

/// Reads what was written for one key and collects what is wrong with it.
class Reader
{
public:
  Reader(Key const& key, std::vector<Issue>& issues)
      : key_(key)
      , issues_(issues)
  {
  }

  std::optional<Value> list(Node const& node)
  {
    auto const values = key_.choices.empty() ? "" : " from " + choice_list(key_);
    if (node.kind == Node::Kind::scalar)
      return reject(key_.path, node, "it must be a list: [" + node.text + "]");
    if (node.kind != Node::Kind::list || node.items.empty())
      return reject(key_.path, node, "it must be a list of at least one value" + values);
    Value value;
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      auto const path = key_.path + "[" + std::to_string(i) + "]";
      auto const item = scalar(path, *node.items[i]);
      if (item && std::ranges::count(value, *item) > 0)
        reject(path, *node.items[i], "the list has it already");
      else if (item)
        value.push_back(*item);
    }
    return value.size() == node.items.size() ? std::optional(value) : std::nullopt;
  }

  std::optional<Value> single(Node const& node)
  {
    if (!key_.word.empty() && node.kind == Node::Kind::scalar && node.text == key_.word)
      return Value{};
    auto const value = scalar(key_.path, node);
    return value ? std::optional(Value{*value}) : std::nullopt;
  }

private:
  std::optional<Scalar> scalar(std::string const& path, Node const& node)
  {
    auto value = typed(path, node);
    if (!value)
      return std::nullopt;
    if ((key_.least && *value < *key_.least) || (key_.most && *key_.most < *value))
      return reject(path, node, "it must be " + range(key_));
    if (!key_.choices.empty() && std::ranges::count(key_.choices, *value) == 0)
      return reject(path, node, "choose from " + choice_list(key_));
    return value;
  }

  /// The scalar as the key's kind, whatever its size.
  std::optional<Scalar> typed(std::string const& path, Node const& node)
  {
    if (node.kind != Node::Kind::scalar)
      return reject(path, node, "it must be " + wanted(key_));
    if (key_.kind == Kind::text)
      return node.text;
    if (node.quoted)
      return reject(path, node, "it must be " + wanted(key_) + ", without quotes");
    if (key_.kind == Kind::truth && (node.text == "true" || node.text == "false"))
      return node.text == "true";
    if (key_.kind == Kind::truth)
      return reject(path, node, "it must be " + wanted(key_));
    auto const number = read_number(node.text, key_.kind);
    if (number.reading != Reading::good)
      return reject(path, node, number_problem(key_, node.text, number.reading));
    return number.value;
  }

  std::nullopt_t reject(std::string const& path, Node const& node, std::string const& remedy)
  {
    issues_.push_back({node.place, statement(path, node) + "; " + remedy});
    return std::nullopt;
  }

  Key const& key_;
  std::vector<Issue>& issues_;
};

} // namespace

std::optional<Value> read_value(Key const& key, Node const& node, std::vector<Issue>& issues)
{
  Reader reader(key, issues);
  return key.list ? reader.list(node) : reader.single(node);
}

} // namespace strata::deck
