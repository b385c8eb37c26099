#pragma once

#include "describe.hpp"
#include "field.hpp"
#include "outline.hpp"

#include "base/error.hpp"

#include <concepts>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace strata::deck {

/// The keys of a deck, each bound to a member of Config, whose initialisers are the defaults.
/// Members may be bool, int, std::int64_t, std::uint64_t, double or std::string, a vector of
/// them, or an optional of one.
template <class Config>
class Schema
{
public:
  /// A part of a deck, for part().
  Schema() = default;

  /// The deck of an app: it starts with the keys `strata` and `app`.
  Schema(std::string app, std::string doc) { begin(std::move(app), std::move(doc)); }

  /// Declares the key at that dotted path.
  template <class T>
  Field<T> field(std::string path, T Config::* member, std::string doc)
  {
    using Element = typename detail::Member<T>::Element;
    Scalar const sample = detail::Stored<Element>{};
    Key key{.path = std::move(path),
            .doc = std::move(doc),
            .kind = static_cast<Kind>(sample.index())};
    key.list = detail::Member<T>::list;
    if constexpr (std::same_as<Element, int>) {
      key.least = std::int64_t{std::numeric_limits<int>::min()};
      key.most = std::int64_t{std::numeric_limits<int>::max()};
    }
    bind(
        std::move(key), [member](Config const& config) { return detail::load(config.*member); },
        [member](Value const& value, Config& config) { detail::store(value, config.*member); });
    return Field<T>(outline_.keys.back());
  }

  /// A condition across keys, checked once every key is right by itself. `why` completes
  /// "problem.rows is 5; ...": what must hold, and what to change.
  Schema& rule(std::string path, std::string why, std::function<bool(Config const&)> holds)
  {
    rules_.push_back({std::move(path), std::move(why), std::move(holds)});
    return *this;
  }

  /// Takes over the keys and rules of a part whose config is a member of ours, and its app
  /// where we have none.
  template <class Part>
  Schema& part(Part Config::* member, Schema<Part> const& schema)
  {
    if (outline_.app.empty() && !schema.outline_.app.empty())
      begin(schema.outline_.app, schema.outline_.doc);
    for (auto i = schema.header_; i < schema.bindings_.size(); ++i) {
      auto const& theirs = schema.bindings_[i];
      bind(
          schema.outline_.keys[i],
          [member, load = theirs.load](Config const& config) { return load(config.*member); },
          [member, store = theirs.store](Value const& value, Config& config) {
            store(value, config.*member);
          });
    }
    for (auto const& theirs : schema.rules_)
      rule(theirs.path, theirs.why, [member, holds = theirs.holds](Config const& config) {
        return holds(config.*member);
      });
    return *this;
  }

  [[nodiscard]] std::string const& app() const { return outline_.app; }
  [[nodiscard]] std::string const& doc() const { return outline_.doc; }

  /// The config that the deck describes, defaults where it is silent. Throws Invalid.
  [[nodiscard]] Config read(Document const& document) const
  {
    auto const written = deck::read(outline_, document);
    Config config;
    for (std::size_t i = 0; i < written.size(); ++i)
      if (auto const& value = written[i])
        bindings_[i].store(*value, config);
    std::vector<Issue> broken;
    for (auto const& [path, why, holds] : rules_)
      if (!holds(config))
        broken.push_back(broken_rule(outline_, document, path, why, values(config)));
    if (!broken.empty())
      throw Invalid(std::move(broken));
    return config;
  }

  /// A commented deck that reads back as `config`.
  [[nodiscard]] std::string describe(Config const& config = {}) const
  {
    return deck::describe(outline_, values(config));
  }

  /// Markdown table of the keys with their defaults.
  [[nodiscard]] std::string key_table() const { return deck::key_table(outline_, values({})); }

  /// JSON Schema (draft 2020-12) of the deck.
  [[nodiscard]] std::string json_schema() const
  {
    return deck::json_schema(outline_, values({}));
  }

  /// Writes all values in force, defaults included, as one object.
  void effective(Config const& config, json::Writer& out) const
  {
    deck::effective(outline_, values(config), out);
  }

  /// Paths of the keys that have their default.
  [[nodiscard]] std::vector<std::string> defaults(Config const& config) const
  {
    auto const ours = values(config);
    auto const theirs = values({});
    std::vector<std::string> paths;
    for (auto i = header_; i < ours.size(); ++i)
      if (!outline_.keys[i].required && ours[i] == theirs[i])
        paths.push_back(outline_.keys[i].path);
    return paths;
  }

private:
  template <class>
  friend class Schema;

  struct Binding
  {
    std::function<Value(Config const&)> load;
    std::function<void(Value const&, Config&)> store;
  };
  struct Rule
  {
    std::string path;
    std::string why;
    std::function<bool(Config const&)> holds;
  };

  void begin(std::string app, std::string doc)
  {
    STRATA_CHECK(bindings_.empty(), "deck keys declared before the app " + app);
    outline_ = header(std::move(app), std::move(doc));
    header_ = outline_.keys.size();
    for (auto const& key : outline_.keys)
      bindings_.push_back({[fixed = key.choices](Config const&) { return fixed; },
                           [](Value const&, Config&) {}});
  }

  void bind(Key key, std::function<Value(Config const&)> load,
            std::function<void(Value const&, Config&)> store)
  {
    outline_.add(std::move(key));
    bindings_.push_back({std::move(load), std::move(store)});
  }

  [[nodiscard]] std::vector<Value> values(Config const& config) const
  {
    std::vector<Value> all;
    for (auto const& binding : bindings_)
      all.push_back(binding.load(config));
    return all;
  }

  Outline outline_;
  std::size_t header_ = 0;        ///< keys that no member holds: strata and app
  std::vector<Binding> bindings_; ///< one per key of the outline
  std::vector<Rule> rules_;
};

} // namespace strata::deck
