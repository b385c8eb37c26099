#include "describe.hpp"

#include <algorithm>
#include <array>

namespace strata::deck {

namespace {

void write(json::Writer& out, Scalar const& scalar)
{
  std::visit([&](auto const& value) { out.value(value); }, scalar);
}

/// The value as it stands in a deck: a list, a scalar, or the word for an open optional.
void write(json::Writer& out, Key const& key, Value const& value)
{
  if (key.list) {
    out.array();
    for (auto const& item : value)
      write(out, item);
    out.end();
  } else if (!value.empty()) {
    write(out, value.front());
  } else if (!key.word.empty()) {
    out.value(key.word);
  } else {
    out.null();
  }
}

/// Members that say what one scalar of the key may be.
void restrict_scalar(json::Writer& out, Key const& key)
{
  static constexpr std::array types{"boolean", "integer", "integer", "number", "string"};
  out.member("type", types.at(static_cast<std::size_t>(key.kind)));
  if (!key.choices.empty()) {
    out.key("enum").array();
    for (auto const& choice : key.choices)
      write(out, choice);
    out.end();
    return;
  }
  if (key.least)
    write(out.key("minimum"), *key.least);
  else if (key.kind == Kind::natural)
    out.member("minimum", 0);
  if (key.most)
    write(out.key("maximum"), *key.most);
}

void describe_key(json::Writer& out, Key const& key, Value const& value)
{
  out.object().member("description",
                      key.unit.empty() ? key.doc : key.doc + " [" + key.unit + "]");
  if (key.list) {
    out.member("type", "array").member("minItems", 1).member("uniqueItems", true);
    out.key("items").object();
    restrict_scalar(out, key);
    out.end();
  } else if (!key.word.empty()) {
    out.key("anyOf").array().object().member("const", key.word).end().object();
    restrict_scalar(out, key);
    out.end().end();
  } else {
    restrict_scalar(out, key);
  }
  if (!key.required && (key.list || !value.empty() || !key.word.empty()))
    write(out.key("default"), key, value);
  out.end();
}

bool is_required(Outline const& outline, Branch const& branch)
{
  return branch.key ? outline.keys[*branch.key].required
                    : std::ranges::any_of(branch.branches, [&](Branch const& child) {
                        return is_required(outline, child);
                      });
}

/// Members that say what a map may hold.
void describe_map(json::Writer& out, Outline const& outline, Branch const& branch,
                  std::vector<Value> const& values)
{
  out.member("type", "object").member("additionalProperties", false);
  std::vector<std::string> required;
  out.key("properties").object();
  for (auto const& child : branch.branches) {
    auto const name = leaf(child.path);
    if (is_required(outline, child))
      required.push_back(name);
    out.key(name);
    if (child.key)
      describe_key(out, outline.keys[*child.key], values[*child.key]);
    else {
      out.object();
      describe_map(out, outline, child, values);
      out.end();
    }
  }
  out.end();
  if (!required.empty())
    out.member("required", required);
}

void write_map(json::Writer& out, Outline const& outline, Branch const& branch,
               std::vector<Value> const& values)
{
  out.object();
  for (auto const& child : branch.branches) {
    out.key(leaf(child.path));
    if (child.key)
      write(out, outline.keys[*child.key], values[*child.key]);
    else
      write_map(out, outline, child, values);
  }
  out.end();
}

} // namespace

std::string json_schema(Outline const& outline, std::vector<Value> const& defaults)
{
  json::Writer out;
  out.object().member("$schema", "https://json-schema.org/draft/2020-12/schema");
  out.member("title", "Deck of strata-" + outline.app).member("description", outline.doc);
  describe_map(out, outline, tree(outline), defaults);
  return out.end().text();
}

void effective(Outline const& outline, std::vector<Value> const& values, json::Writer& out)
{
  write_map(out, outline, tree(outline), values);
}

} // namespace strata::deck
