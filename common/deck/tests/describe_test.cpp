#include "deck/schema.hpp"

#include <gtest/gtest.h>

namespace strata::deck {

namespace {

struct Config
{
  std::int64_t rows = 5000;
  std::optional<std::int64_t> size_bytes;
  std::optional<double> fraction;
  std::vector<std::string> layout{"left", "on"};
  std::vector<std::int64_t> widths{1, 8};
  double skin = 0.1;
  bool churn = false;
  std::string note = "a: \"b\" | c";
  std::uint64_t seed = 1;

  bool operator==(Config const&) const = default;
};

Schema<Config> schema()
{
  Schema<Config> deck("matvec", "Dense y = A x under each storage order, and what each costs "
                                "on the device that it runs on.");
  deck.field("problem.rows", &Config::rows, "matrix rows, summed over ranks")
      .required()
      .between(1, 1'000'000'000);
  deck.field("problem.size_bytes", &Config::size_bytes, "of each array")
      .word("auto")
      .at_least(8)
      .unit("B");
  deck.field("problem.fraction", &Config::fraction, "share of the device's memory")
      .between(0.01, 0.9);
  deck.field("problem.search.skin", &Config::skin, "how far beyond the cut-off a search looks")
      .at_least(0);
  deck.field("cases.layout", &Config::layout, "storage orders").one_of({"left", "right", "on"});
  deck.field("cases.widths", &Config::widths, "row widths").between(1, 100);
  deck.field("run.churn", &Config::churn, "move rows about");
  deck.field("run.note", &Config::note,
             "what to say in the record about this run, in the words of whoever started it")
      .one_of({"a: \"b\" | c", "none"});
  deck.field("run.seed", &Config::seed, "of the case order");
  return deck;
}

std::string const commented_deck =
    R"(# strata-matvec: Dense y = A x under each storage order, and what each costs on the device that
# it runs on.
strata: 1    # deck format; required
app: matvec  # the mini-app that reads this deck; required

problem:
  rows: 5000        # matrix rows, summed over ranks; 1 to 1000000000; required
  size_bytes: auto  # of each array [B]; auto or at least 8
  # fraction:       # share of the device's memory; 0.01 to 0.9
  search:
    skin: 0.1  # how far beyond the cut-off a search looks; at least 0

cases:
  layout: [left, "on"]  # storage orders; any of left, right, on
  widths: [1, 8]        # row widths; 1 to 100

run:
  churn: false          # move rows about
  # what to say in the record about this run, in the words of whoever started it; one of a: "b"
  # | c, none
  note: "a: \"b\" | c"
  seed: 1               # of the case order
)";

TEST(Describe, WritesACommentedDeck)
{
  EXPECT_EQ(schema().describe(), commented_deck);
}

TEST(Describe, ReadsBackAsTheSameConfig)
{
  auto const deck = schema();
  EXPECT_EQ(deck.read(Document(deck.describe(), "described")), Config{});
  Config const other{.rows = 1,
                     .size_bytes = 4096,
                     .fraction = 1.0 / 3.0,
                     .layout = {"right"},
                     .widths = {3},
                     .skin = 1e-300,
                     .churn = true,
                     .note = "none",
                     .seed = UINT64_MAX};
  EXPECT_EQ(deck.read(Document(deck.describe(other), "described")), other);
}

TEST(Describe, TabulatesTheKeys)
{
  EXPECT_EQ(schema().key_table(), R"(| key | type | default | allowed | meaning |
|---|---|---|---|---|
| `strata` | whole number | required | 1 | deck format |
| `app` | text | required | matvec | the mini-app that reads this deck |
| `problem.rows` | whole number | required | 1 to 1000000000 | matrix rows, summed over ranks |
| `problem.size_bytes` | whole number in B | `auto` | auto or at least 8 | of each array |
| `problem.fraction` | number |  | 0.01 to 0.9 | share of the device's memory |
| `problem.search.skin` | number | `0.1` | at least 0 | how far beyond the cut-off a search looks |
| `cases.layout` | list of text | `[left, "on"]` | left, right, on | storage orders |
| `cases.widths` | list of whole numbers | `[1, 8]` | 1 to 100 | row widths |
| `run.churn` | true or false | `false` |  | move rows about |
| `run.note` | text | `"a: \"b\" \| c"` | a: "b" \| c, none | what to say in the record about this run, in the words of whoever started it |
| `run.seed` | whole number | `1` |  | of the case order |
)");
}

/// The node at a path of keys; JSON is YAML, so the deck's own parser reads it.
Node const& at(Document const& document, std::vector<std::string> const& path)
{
  Node const* node = &document.root();
  for (auto const& key : path) {
    auto const* const entry = node->find(key);
    STRATA_CHECK(entry != nullptr, "no key " + key);
    node = entry->value.get();
  }
  return *node;
}

std::vector<std::string> texts(Node const& list)
{
  std::vector<std::string> all;
  for (auto const& item : list.items)
    all.push_back(item->text);
  return all;
}

TEST(JsonSchema, RestrictsEveryMapToItsKeys)
{
  Document const json(schema().json_schema(), "schema");
  EXPECT_TRUE(json.issues().empty());
  EXPECT_EQ(at(json, {"$schema"}).text, "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(at(json, {"additionalProperties"}).text, "false");
  EXPECT_EQ(texts(at(json, {"required"})),
            (std::vector<std::string>{"strata", "app", "problem"}));
  EXPECT_EQ(at(json, {"properties"}).entries.size(), 5U);
  EXPECT_EQ(at(json, {"properties", "problem", "additionalProperties"}).text, "false");
  EXPECT_EQ(texts(at(json, {"properties", "problem", "required"})),
            std::vector<std::string>{"rows"});
  EXPECT_EQ(at(json, {"properties", "run"}).find("required"), nullptr);
}

TEST(JsonSchema, RestrictsEveryValue)
{
  Document const json(schema().json_schema(), "schema");
  auto const key = [&](std::string const& section, std::string const& name) -> Node const& {
    return at(json, {"properties", section, "properties", name});
  };
  EXPECT_EQ(key("problem", "rows").find("type")->value->text, "integer");
  EXPECT_EQ(key("problem", "rows").find("minimum")->value->text, "1");
  EXPECT_EQ(key("problem", "rows").find("maximum")->value->text, "1000000000");
  EXPECT_EQ(key("problem", "rows").find("default"), nullptr);
  auto const& size = *key("problem", "size_bytes").find("anyOf")->value;
  EXPECT_EQ(size.items.at(0)->find("const")->value->text, "auto");
  EXPECT_EQ(size.items.at(1)->find("minimum")->value->text, "8");
  EXPECT_EQ(key("problem", "size_bytes").find("default")->value->text, "auto");
  EXPECT_EQ(key("problem", "fraction").find("default"), nullptr);
  auto const& layout = key("cases", "layout");
  EXPECT_EQ(layout.find("type")->value->text, "array");
  EXPECT_EQ(layout.find("minItems")->value->text, "1");
  EXPECT_EQ(layout.find("uniqueItems")->value->text, "true");
  EXPECT_EQ(texts(*layout.find("items")->value->find("enum")->value),
            (std::vector<std::string>{"left", "right", "on"}));
  EXPECT_EQ(texts(*layout.find("default")->value), (std::vector<std::string>{"left", "on"}));
  EXPECT_EQ(key("run", "seed").find("minimum")->value->text, "0");
  EXPECT_EQ(key("run", "churn").find("type")->value->text, "boolean");
}

TEST(Defaults, AreTheKeysWhoseValueIsNoOther)
{
  Config config;
  config.size_bytes = 64;
  auto const paths = schema().defaults(config);
  EXPECT_EQ(paths,
            (std::vector<std::string>{"problem.fraction", "problem.search.skin", "cases.layout",
                                      "cases.widths", "run.churn", "run.note", "run.seed"}));
}

TEST(Effective, HasEveryValueInForce)
{
  Config config;
  config.size_bytes = 64;
  json::Writer out;
  schema().effective(config, out);
  EXPECT_EQ(out.text(), R"({
  "strata": 1,
  "app": "matvec",
  "problem": {
    "rows": 5000,
    "size_bytes": 64,
    "fraction": null,
    "search": {
      "skin": 0.1}},
  "cases": {
    "layout": ["left", "on"],
    "widths": [1, 8]},
  "run": {
    "churn": false,
    "note": "a: \"b\" | c",
    "seed": 1}}
)");
}

} // namespace

} // namespace strata::deck
