#include "outline.hpp"

#include "read_value.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace strata::deck {

namespace {

std::vector<std::string> names(Branch const& branch)
{
  std::vector<std::string> leaves;
  for (auto const& child : branch.branches)
    leaves.push_back(leaf(child.path));
  return leaves;
}

/// Goes through deck and outline together.
class Walk
{
public:
  explicit Walk(Outline const& outline, std::vector<Issue> known)
      : values(outline.keys.size())
      , issues(std::move(known))
      , outline_(outline)
  {
  }

  std::vector<std::optional<Value>> values;
  std::vector<Issue> issues;

  /// `place` is that of the map's own key, for what is missing inside.
  void map(Branch const& branch, Node const& node, Place const& place)
  {
    for (auto const& entry : node.entries)
      visit(branch, entry);
    for (auto const& child : branch.branches)
      if (node.find(leaf(child.path)) == nullptr)
        missing(child, place);
  }

private:
  void visit(Branch const& branch, Node::Entry const& entry)
  {
    auto const named = [&](Branch const& child) { return leaf(child.path) == entry.key; };
    auto const child = std::ranges::find_if(branch.branches, named);
    if (child == branch.branches.end())
      issues.push_back({entry.place, unknown(branch, entry.key)});
    else if (auto const key = child->key)
      values[*key] = read_value(outline_.keys[*key], *entry.value, issues);
    else if (entry.value->kind == Node::Kind::map)
      map(*child, *entry.value, entry.place);
    else
      issues.push_back({entry.place, child->path + " must be a map with keys: " +
                                         text::join(names(*child))});
  }

  void missing(Branch const& branch, Place const& place)
  {
    for (auto const& child : branch.branches)
      missing(child, place);
    if (!branch.key || !outline_.keys[*branch.key].required)
      return;
    auto const& key = outline_.keys[*branch.key];
    auto const value = key.choices.size() == 1 ? to_string(key.choices.front()) : "...";
    issues.push_back({place, "missing key '" + leaf(key.path) + "'" + within(parent(key.path)) +
                                 "; add '" + leaf(key.path) + ": " + value + "' (" + key.doc +
                                 ")"});
  }

  std::string unknown(Branch const& branch, std::string const& key) const
  {
    for (auto const& now : outline_.keys)
      if (now.former == key && parent(now.path) == branch.path)
        return "key '" + key + "'" + within(branch.path) + " has been renamed; write '" +
               leaf(now.path) + "'";
    auto const siblings = names(branch);
    auto const problem = "unknown key '" + key + "'" + within(branch.path);
    if (std::ranges::count(outline_.keys, key, &Key::path) > 0)
      return problem + "; write it as a map, '" + parent(key) + ": {" + leaf(key) + ": ...}'";
    auto guess = text::nearest(key, siblings);
    for (auto const& elsewhere : outline_.keys)
      if (!guess && leaf(elsewhere.path) == key)
        guess = elsewhere.path;
    return problem + (guess ? " (did you mean '" + *guess + "'?)"
                            : "; valid keys: " + text::join(siblings));
  }

  Outline const& outline_;
};

/// A deck of another app or format: nothing else about it is worth a word.
std::optional<Issue> foreign(Outline const& outline, Node const& root)
{
  if (outline.app.empty())
    return std::nullopt;
  auto const* const app = root.find("app");
  if (app != nullptr && app->value->kind == Node::Kind::scalar &&
      app->value->text != outline.app)
    return Issue{app->value->place, "this is a deck of app '" + app->value->text +
                                        "'; run strata-" + app->value->text +
                                        ", or use a deck with 'app: " + outline.app + "'"};
  auto const* const strata = root.find("strata");
  if (strata == nullptr || strata->value->kind != Node::Kind::scalar)
    return std::nullopt;
  auto const number = read_number(strata->value->text, Kind::integer);
  if (number.reading != Reading::good || number.value == Scalar(format))
    return std::nullopt;
  return Issue{strata->value->place, "strata is " + strata->value->text +
                                         "; this version reads deck format " +
                                         std::to_string(format)};
}

void grow(Branch& branch, std::string_view rest, std::size_t key)
{
  auto const name = rest.substr(0, rest.find('.'));
  auto const path = (branch.path.empty() ? "" : branch.path + ".") + std::string(name);
  auto child = std::ranges::find(branch.branches, path, &Branch::path);
  if (child == branch.branches.end())
    child = branch.branches.insert(child, Branch{path});
  if (name == rest)
    child->key = key;
  else
    grow(*child, rest.substr(name.size() + 1), key);
}

} // namespace

Key& Outline::add(Key key)
{
  for (auto const& other : keys)
    STRATA_CHECK(!(other.path + ".").starts_with(key.path + ".") &&
                     !(key.path + ".").starts_with(other.path + "."),
                 "deck keys " + other.path + " and " + key.path + " are in each other's way");
  return keys.emplace_back(std::move(key));
}

Outline header(std::string app, std::string doc)
{
  Outline outline{.app = app, .doc = std::move(doc)};
  outline.add({.path = "strata",
               .doc = "deck format",
               .kind = Kind::integer,
               .required = true,
               .choices = {format}});
  outline.add({.path = "app",
               .doc = "the mini-app that reads this deck",
               .required = true,
               .choices = {std::move(app)}});
  return outline;
}

Branch tree(Outline const& outline)
{
  Branch root;
  for (std::size_t key = 0; key < outline.keys.size(); ++key)
    grow(root, outline.keys[key].path, key);
  return root;
}

std::vector<std::optional<Value>> read(Outline const& outline, Document const& document)
{
  if (auto const issue = foreign(outline, document.root()))
    throw Invalid({*issue});
  Walk walk(outline, document.issues());
  walk.map(tree(outline), document.root(), document.root().place);
  if (!walk.issues.empty())
    throw Invalid(std::move(walk.issues));
  return std::move(walk.values);
}

Issue broken_rule(Outline const& outline, Document const& document, std::string const& path,
                  std::string const& why, std::vector<Value> const& values)
{
  Place place = document.root().place;
  Node const* node = &document.root();
  for (auto const& name : text::split(path, '.')) {
    auto const* const entry = node->find(name);
    if (entry == nullptr)
      break;
    node = entry->value.get();
    place = node->kind == Node::Kind::map ? entry->place : node->place;
  }
  auto const key = std::ranges::find(outline.keys, path, &Key::path);
  if (key == outline.keys.end())
    return {place, path + ": " + why};
  auto const value = values[static_cast<std::size_t>(key - outline.keys.begin())];
  return {place, path + " is " + to_yaml(*key, value) + "; " + why};
}

} // namespace strata::deck
