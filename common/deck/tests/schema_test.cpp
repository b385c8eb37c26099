#include "deck/schema.hpp"

#include <gtest/gtest.h>

namespace strata::deck {

namespace {

struct Problem
{
  std::int64_t rows = 0;
  int dim = 3;
  std::optional<std::int64_t> size;
  std::optional<double> fraction;
  bool churn = false;
  std::string note;
  std::vector<std::string> layout{"left"};
  std::vector<std::int64_t> widths{1, 2};
  std::vector<double> skins{0.5};
  std::vector<bool> full{true};
};

struct Rules
{
  double min_time_s = 2;
  double max_time_s = 60;
  std::uint64_t seed = 1;
};

struct Whole
{
  Problem app;
  Rules run;
};

Schema<Problem> app_schema()
{
  Schema<Problem> deck("matvec", "Dense y = A x.");
  deck.field("problem.rows", &Problem::rows, "matrix rows, summed over ranks")
      .required()
      .between(1, 1'000'000'000);
  deck.field("problem.dim", &Problem::dim, "dimensions").one_of({2, 3});
  deck.field("problem.size", &Problem::size, "elements").word("auto").at_least(1);
  deck.field("problem.fraction", &Problem::fraction, "share of memory").between(0.01, 0.9);
  deck.field("problem.churn", &Problem::churn, "move rows about").renamed_from("moving");
  deck.field("problem.note", &Problem::note, "for the record");
  deck.field("cases.layout", &Problem::layout, "storage orders")
      .one_of({"left", "right", "tiled"});
  deck.field("cases.widths", &Problem::widths, "row widths").between(1, 100);
  deck.field("cases.skins", &Problem::skins, "search distances");
  deck.field("cases.full", &Problem::full, "both directions");
  deck.rule("problem.rows", "with problem.dim 2 it must be even",
            [](Problem const& config) { return config.dim != 2 || config.rows % 2 == 0; });
  return deck;
}

Schema<Rules> run_schema()
{
  Schema<Rules> deck;
  deck.field("run.min_time_s", &Rules::min_time_s, "at least").between(0, 3600);
  deck.field("run.max_time_s", &Rules::max_time_s, "at most").between(0, 3600);
  deck.field("run.seed", &Rules::seed, "of the case order");
  deck.rule("run.max_time_s", "it must not be below run.min_time_s",
            [](Rules const& rules) { return rules.max_time_s >= rules.min_time_s; });
  return deck;
}

Schema<Whole> whole_schema()
{
  Schema<Whole> deck;
  deck.part(&Whole::app, app_schema()).part(&Whole::run, run_schema());
  return deck;
}

Whole read(std::string const& text, std::vector<std::string> const& overrides = {})
{
  Document document(text, "d.yaml");
  for (auto const& each : overrides)
    document.set(each);
  return whole_schema().read(document);
}

std::string const head = "strata: 1\napp: matvec\n";
std::string const good = head + "problem: {rows: 4}\n";

/// What is wrong with a deck: a line per issue, without the closing count.
std::string problems(std::string const& text, std::vector<std::string> const& overrides = {})
{
  try {
    read(text, overrides);
  } catch (Invalid const& invalid) {
    EXPECT_EQ(invalid.exit(), Exit::deck);
    std::string lines;
    for (auto const& issue : invalid.issues())
      lines += to_string(issue) + "\n";
    return lines;
  }
  return "none";
}

/// What is wrong with one value given to a deck that is right otherwise.
std::string problem(std::string const& key, std::string const& value)
{
  auto const lines = problems(good, {key + "=" + value});
  auto const place = "--set " + key + "=" + value + ": ";
  return lines.starts_with(place) ? lines.substr(place.size(), lines.find('\n') - place.size())
                                  : lines;
}

TEST(Schema, DefaultsStandWhereTheDeckIsSilent)
{
  auto const deck = read(good);
  EXPECT_EQ(deck.app.rows, 4);
  EXPECT_EQ(deck.app.dim, 3);
  EXPECT_EQ(deck.app.size, std::nullopt);
  EXPECT_EQ(deck.app.layout, std::vector<std::string>{"left"});
  EXPECT_EQ(deck.run.min_time_s, 2);
}

TEST(Schema, ReadsEveryType)
{
  auto const deck = read(head + R"(
problem: {rows: 1e6, dim: 2, size: 12, fraction: .5, churn: true, note: "a: b"}
cases:
  layout: [right, 'left']
  widths: [100, 1]
  skins: [1, 2.5e-3]
  full: [false, true]
run: {min_time_s: 3, seed: 18446744073709551615}
)");
  EXPECT_EQ(deck.app.rows, 1000000);
  EXPECT_EQ(deck.app.dim, 2);
  EXPECT_EQ(deck.app.size, 12);
  EXPECT_EQ(deck.app.fraction, 0.5);
  EXPECT_TRUE(deck.app.churn);
  EXPECT_EQ(deck.app.note, "a: b");
  EXPECT_EQ(deck.app.layout, (std::vector<std::string>{"right", "left"}));
  EXPECT_EQ(deck.app.widths, (std::vector<std::int64_t>{100, 1}));
  EXPECT_EQ(deck.app.skins, (std::vector<double>{1, 2.5e-3}));
  EXPECT_EQ(deck.app.full, (std::vector<bool>{false, true}));
  EXPECT_EQ(deck.run.min_time_s, 3);
  EXPECT_EQ(deck.run.seed, UINT64_MAX);
  EXPECT_EQ(read(good, {"problem.size=auto"}).app.size, std::nullopt);
}

TEST(Schema, ReportsEverythingAtOnce)
{
  EXPECT_EQ(problems(head + R"(problem:
  rows: -5
  churm: true
  rows: 6
  dim: 4
cases: {layout: [left, rigth]}
run: {seed: -1}
)"),
            "d.yaml:4:9: problem.rows is -5; it must be between 1 and 1000000000\n"
            "d.yaml:5:3: unknown key 'churm' in problem (did you mean 'churn'?)\n"
            "d.yaml:6:3: duplicate key 'rows' in problem; keep one of the two\n"
            "d.yaml:7:8: problem.dim is 4; choose from 2, 3\n"
            "d.yaml:8:24: cases.layout[1] is rigth; choose from left, right, tiled\n"
            "d.yaml:9:13: run.seed is -1; it must be between 0 and 18446744073709551615\n");
}

TEST(Schema, TheWholeMessageCountsTheProblems)
{
  try {
    read(head + "problem: {rows: -5, dims: 2}\n");
    FAIL() << "a bad deck was read";
  } catch (Invalid const& invalid) {
    EXPECT_STREQ(invalid.what(),
                 "d.yaml:3:17: problem.rows is -5; it must be between 1 and 1000000000\n"
                 "d.yaml:3:21: unknown key 'dims' in problem (did you mean 'dim'?)\n"
                 "2 problems in the deck; nothing was run");
  }
}

TEST(Schema, NamesTheNearestKey)
{
  EXPECT_EQ(problem("problem.rosw", "1"),
            "unknown key 'rosw' in problem (did you mean 'rows'?)");
  EXPECT_EQ(problem("problm", "1"),
            "unknown key 'problm' in the deck (did you mean 'problem'?)");
}

TEST(Schema, NamesTheKeyThatStandsElsewhere)
{
  EXPECT_EQ(problem("problem.seed", "1"),
            "unknown key 'seed' in problem (did you mean 'run.seed'?)");
  EXPECT_EQ(problem("rows", "1"),
            "unknown key 'rows' in the deck (did you mean 'problem.rows'?)");
  EXPECT_EQ(problems(good + "run.seed: 5\n"), "d.yaml:4:1: unknown key 'run.seed' in the deck; "
                                              "write it as a map, 'run: {seed: ...}'\n");
}

TEST(Schema, NamesWhatAKeyIsCalledNow)
{
  EXPECT_EQ(problem("problem.moving", "true"),
            "key 'moving' in problem has been renamed; write 'churn'");
  EXPECT_EQ(problem("run.moving", "true"),
            "unknown key 'moving' in run; valid keys: min_time_s, max_time_s, seed");
}

TEST(Schema, ListsTheKeysWhereNoneIsNear)
{
  EXPECT_EQ(problem("run.colour", "blue"),
            "unknown key 'colour' in run; valid keys: min_time_s, max_time_s, seed");
}

TEST(Schema, WantsRequiredKeys)
{
  EXPECT_EQ(
      problems(head + "problem:\n  dim: 2\n"),
      "d.yaml:3:1: missing key 'rows' in problem; add 'rows: ...' (matrix rows, summed over "
      "ranks)\n");
  EXPECT_EQ(
      problems("run: {seed: 1}\n"),
      "d.yaml:1:1: missing key 'strata' in the deck; add 'strata: 1' (deck format)\n"
      "d.yaml:1:1: missing key 'app' in the deck; add 'app: matvec' (the mini-app that "
      "reads this deck)\n"
      "d.yaml:1:1: missing key 'rows' in problem; add 'rows: ...' (matrix rows, summed over "
      "ranks)\n");
}

TEST(Schema, ADeckOfAnotherAppIsTheOnlyIssue)
{
  EXPECT_EQ(problems("strata: 2\napp: mgs\nproblem: {columns: 5, columns: 6}\n"),
            "d.yaml:2:6: this is a deck of app 'mgs'; run strata-mgs, or use a deck with 'app: "
            "matvec'\n");
}

TEST(Schema, ADeckOfAnotherFormatIsTheOnlyIssue)
{
  EXPECT_EQ(problems("strata: 2\napp: matvec\nproblem: {columns: 5}\n"),
            "d.yaml:1:9: strata is 2; this version reads deck format 1\n");
  EXPECT_EQ(problem("strata", "one"), "strata is one; it must be one of 1");
}

TEST(Schema, HoldsNumbersToTheirRange)
{
  EXPECT_EQ(problem("problem.rows", "0"),
            "problem.rows is 0; it must be between 1 and 1000000000");
  EXPECT_EQ(problem("problem.rows", "1000000001"),
            "problem.rows is 1000000001; it must be between 1 and 1000000000");
  EXPECT_EQ(problem("problem.rows", "1e30"),
            "problem.rows is 1e30; it must be between 1 and 1000000000");
  EXPECT_EQ(problem("problem.size", "0"), "problem.size is 0; it must be at least 1");
  EXPECT_EQ(
      problem("problem.size", "9223372036854775808"),
      "problem.size is 9223372036854775808; it must be between 1 and 9223372036854775807");
  EXPECT_EQ(problem("problem.fraction", "0.95"),
            "problem.fraction is 0.95; it must be between 0.01 and 0.9");
  EXPECT_EQ(problem("cases.widths", "[1, 101]"),
            "cases.widths[1] is 101; it must be between 1 and 100");
  EXPECT_EQ(problem("cases.skins", "[1e999]"),
            "cases.skins[0] is 1e999; it must be between -1.7976931348623157e+308 and "
            "1.7976931348623157e+308");
}

TEST(Schema, AnIntHoldsNoMoreThanAnInt)
{
  struct Small
  {
    int count = 1;
  };
  Schema<Small> schema;
  schema.field("count", &Small::count, "a few");
  try {
    (void)schema.read(Document("count: 2147483648\n", "d.yaml"));
    FAIL() << "an int took 2^31";
  } catch (Invalid const& invalid) {
    EXPECT_EQ(invalid.issues().at(0).text,
              "count is 2147483648; it must be between -2147483648 and 2147483647");
  }
  EXPECT_EQ(schema.read(Document("count: 2147483647\n", "d.yaml")).count, 2147483647);
}

TEST(Schema, ReadsNumbersStrictly)
{
  auto const rows = [](std::string const& value) { return problem("problem.rows", value); };
  EXPECT_EQ(rows("010"), "problem.rows is 010; a leading zero could mean octal; write 10");
  EXPECT_EQ(rows("-000"), "problem.rows is -000; a leading zero could mean octal; write -0");
  EXPECT_EQ(rows("1_000"), "problem.rows is 1_000; write it without '_': 1000");
  EXPECT_EQ(rows("1.5"), "problem.rows is 1.5; it must be a whole number, such as 1000 or 1e3");
  for (std::string const value : {"0x10", "ten", ".inf", "true"})
    EXPECT_EQ(rows(value), "problem.rows is " + value +
                               "; it must be a whole number between 1 and 1000000000");
  EXPECT_EQ(rows("\"5\""), "problem.rows is \"5\"; it must be a whole number between 1 and "
                           "1000000000, without quotes");
  EXPECT_EQ(problem("problem.fraction", ".nan"),
            "problem.fraction is .nan; it must be a number between 0.01 and 0.9");
  EXPECT_EQ(problem("problem.fraction", "00.5"),
            "problem.fraction is 00.5; a leading zero could mean octal; write 0.5");
}

TEST(Schema, ReadsOneValueWhereOneIsWanted)
{
  EXPECT_EQ(problem("problem.rows", "[1]"),
            "problem.rows is a list; it must be a whole number between 1 and 1000000000");
  EXPECT_EQ(problem("problem.churn", "{a: 1}"),
            "problem.churn is a map; it must be true or false");
  EXPECT_EQ(problem("problem.churn", "yes"), "problem.churn is yes; it must be true or false");
  EXPECT_EQ(problem("problem.note", "[a]"), "problem.note is a list; it must be text");
  EXPECT_EQ(problem("problem.size", "large"),
            "problem.size is large; it must be auto or a whole number at least 1");
  EXPECT_EQ(problem("problem.note", std::string(100, 'x') + ": {}"),
            "problem.note is a map; it must be text");
  EXPECT_EQ(problem("problem.churn", std::string(100, 'x')),
            "problem.churn is " + std::string(60, 'x') + "...; it must be true or false");
}

TEST(Schema, EveryKeyNeedsAValue)
{
  for (std::string const value : {"", "~", "null"}) {
    EXPECT_EQ(problem("problem.dim", value),
              "problem.dim has no value; it must be one of 2, 3");
    EXPECT_EQ(problem("cases.layout", value),
              "cases.layout has no value; it must be a list of at least one value from left, "
              "right, tiled");
  }
  EXPECT_EQ(problems(head + "problem: {rows: 1, dim: , note: a}\n"),
            "d.yaml:3:25: problem.dim has no value; it must be one of 2, 3\n");
}

TEST(Schema, ReadsListsStrictly)
{
  EXPECT_EQ(problem("cases.layout", "left"), "cases.layout is left; it must be a list: [left]");
  EXPECT_EQ(problem("cases.layout", "[]"),
            "cases.layout is an empty list; it must be a list of at least one value from left, "
            "right, tiled");
  EXPECT_EQ(problem("cases.widths", "{a: 1}"),
            "cases.widths is a map; it must be a list of at least one value");
  EXPECT_EQ(problem("cases.layout", "[left, right, left]"),
            "cases.layout[2] is left; the list has it already");
  EXPECT_EQ(problem("cases.widths", "[10, 1e1]"),
            "cases.widths[1] is 1e1; the list has it already");
  EXPECT_EQ(problem("cases.widths", "[1, [2]]"),
            "cases.widths[1] is a list; it must be a whole number between 1 and 100");
  EXPECT_EQ(problem("cases.full", "[true, ~]"),
            "cases.full[1] has no value; it must be true or false");
}

TEST(Schema, AMapMustBeAMap)
{
  EXPECT_EQ(problems(head + "problem: {rows: 1}\nrun: fast\ncases:\n"),
            "d.yaml:4:1: run must be a map with keys: min_time_s, max_time_s, seed\n"
            "d.yaml:5:1: cases must be a map with keys: layout, widths, skins, full\n");
}

TEST(Schema, ChecksRulesAcrossKeys)
{
  EXPECT_EQ(problems(head + "problem: {dim: 2, rows: 5}\nrun: {min_time_s: 61}\n"),
            "d.yaml:3:25: problem.rows is 5; with problem.dim 2 it must be even\n"
            "d.yaml:4:1: run.max_time_s is 60; it must not be below run.min_time_s\n");
  EXPECT_EQ(problem("run.max_time_s", "1"),
            "run.max_time_s is 1; it must not be below run.min_time_s");
}

TEST(Schema, ChecksRulesOnlyOnceTheKeysAreRight)
{
  EXPECT_EQ(problems(head + "problem: {dim: 2, rows: 5, churn: 1}\n"),
            "d.yaml:3:35: problem.churn is 1; it must be true or false\n");
}

TEST(Schema, ARuleMayConcernAWholeMap)
{
  Schema<Rules> schema = run_schema();
  schema.rule("run", "seed 13 brings bad luck; take another",
              [](Rules const& rules) { return rules.seed != 13; });
  try {
    (void)schema.read(Document("run:\n  seed: 13\n", "d.yaml"));
    FAIL() << "the rule was not checked";
  } catch (Invalid const& invalid) {
    EXPECT_EQ(to_string(invalid.issues().at(0)),
              "d.yaml:1:1: run: seed 13 brings bad luck; take another");
  }
}

TEST(Schema, APartTakesItsAppAlong)
{
  EXPECT_EQ(whole_schema().app(), "matvec");
  EXPECT_EQ(whole_schema().doc(), "Dense y = A x.");
  Schema<Whole> named("matvec", "Matrix times vector.");
  named.part(&Whole::app, app_schema());
  EXPECT_EQ(named.doc(), "Matrix times vector.");
  EXPECT_EQ(named.read(Document(good, "d.yaml")).app.rows, 4);
}

TEST(Schema, RefusesKeysInEachOthersWay)
{
  Schema<Rules> schema;
  schema.field("run.seed", &Rules::seed, "a seed");
  EXPECT_THROW(schema.field("run.seed", &Rules::seed, "again"), Error);
  EXPECT_THROW(schema.field("run", &Rules::seed, "a value where a map is"), Error);
  EXPECT_THROW(schema.field("run.seed.low", &Rules::seed, "a map where a value is"), Error);
}

} // namespace

} // namespace strata::deck
