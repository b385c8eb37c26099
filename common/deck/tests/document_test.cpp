#include "deck/document.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace strata::deck {

namespace {

/// The message of the Error that `action` throws, without the last line of an Invalid.
template <class Action>
std::string complaint(Exit exit, Action action)
{
  try {
    action();
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), exit);
    std::string const what = error.what();
    return what.substr(0, what.find('\n'));
  }
  return "none";
}

std::string parse_problem(std::string const& text)
{
  return complaint(Exit::deck, [&] { Document(text, "d.yaml"); });
}

/// The issues of a deck that parses, a line each.
std::string issues(Document const& document)
{
  std::string lines;
  for (auto const& issue : document.issues())
    lines += to_string(issue) + "\n";
  return lines;
}

TEST(Document, KnowsWhereEverythingWasWritten)
{
  Document const document("app: stream\nproblem:\n  rows: 5\n  list: [1, \"2\"]\n", "d.yaml");
  auto const* const problem = document.root().find("problem");
  ASSERT_NE(problem, nullptr);
  EXPECT_EQ(problem->place.line, 2);
  auto const* const list = problem->value->find("list");
  ASSERT_NE(list, nullptr);
  ASSERT_EQ(list->value->items.size(), 2U);
  auto const& quoted = *list->value->items[1];
  EXPECT_EQ(quoted.place.file, "d.yaml");
  EXPECT_EQ(quoted.place.line, 4);
  EXPECT_EQ(quoted.place.column, 13);
  EXPECT_EQ(quoted.text, "2");
  EXPECT_TRUE(quoted.quoted);
  EXPECT_FALSE(list->value->items[0]->quoted);
  EXPECT_EQ(document.root().find("rows"), nullptr);
}

TEST(Document, TellsDuplicatesAmongManyKeys)
{
  std::string text;
  for (int i = 0; i < 100'000; ++i)
    text += "k" + std::to_string(i) + ":\n";
  Document const document(text + "k50000:\n", "d.yaml");
  EXPECT_EQ(document.root().entries.size(), 100'000U);
  EXPECT_EQ(issues(document),
            "d.yaml:100001:1: duplicate key 'k50000' in the deck; keep one of the two\n");
}

TEST(Document, KeepsTextAndDigestWithoutOverrides)
{
  Document document("abc: 1", "d.yaml");
  auto const digest = document.sha256();
  document.set("abc=2");
  EXPECT_EQ(document.text(), "abc: 1");
  EXPECT_EQ(document.sha256(), digest);
  EXPECT_EQ(digest, "c4d5ed68d6fc21799c0e93d994da6ceb52e392f76e15470dca1069e0e2b29d2e");
  EXPECT_EQ(document.overrides(), std::vector<std::string>{"abc=2"});
}

TEST(Document, ReadsAFile)
{
  auto const path =
      std::filesystem::temp_directory_path() /
      ("strata_document_test_" + std::to_string(std::hash<std::string>{}(__FILE__)));
  std::ofstream(path) << "app: stream\r\n";
  EXPECT_EQ(Document::from_file(path).root().find("app")->value->text, "stream");
  std::ofstream(path, std::ios::trunc).close();
  EXPECT_EQ(read_file(path), "");
  std::filesystem::remove(path);
}

TEST(Document, SaysWhyAFileCannotBeRead)
{
  auto const folder = std::filesystem::temp_directory_path().string();
  EXPECT_EQ(complaint(Exit::deck, [&] { (void)Document::from_file(folder); }),
            folder + ": is a folder; name a deck file in it");
  auto const missing = folder + "/strata_no_such_deck.yaml";
  EXPECT_EQ(complaint(Exit::deck, [&] { (void)Document::from_file(missing); }),
            missing +
                ": the deck cannot be read: No such file or directory; check its path and "
                "permissions");
}

TEST(Document, MustBeOneMap)
{
  for (auto const* empty : {"", "\n\n", "# only a comment\n", "---\n", "~"})
    EXPECT_EQ(parse_problem(empty),
              "d.yaml: the deck is empty; --print-deck writes one to start from");
  for (auto const* other : {"- a\n- b\n", "[1]", "text", "5"})
    EXPECT_EQ(parse_problem(other),
              "d.yaml:1:1: a deck is a map of keys, such as 'strata: 1'; this is not");
  EXPECT_EQ(issues(Document("a: 1\n---\na: 2\n", "d.yaml")),
            "d.yaml:2:1: a second YAML document starts here; a deck has one\n");
  EXPECT_EQ(issues(Document("--- # one\na: 1\n...\n", "d.yaml")), "");
}

TEST(Document, PointsAtSyntaxErrors)
{
  EXPECT_EQ(parse_problem("a: [1, 2\n"),
            "d.yaml:2:1: not valid YAML: end of sequence flow not found");
  EXPECT_EQ(parse_problem("a: 1\n\tb: 2\n"),
            "d.yaml:2:1: not valid YAML: illegal tab when looking for indentation");
  EXPECT_EQ(parse_problem("a: b: c\n"), "d.yaml:1:5: not valid YAML: illegal map value");
}

TEST(Document, NestsNoDeeperThanTheParserCan)
{
  EXPECT_EQ(parse_problem("a: " + std::string(100'000, '[')),
            "d.yaml:1:1: nested too deeply for a deck");
}

TEST(Document, FindsDuplicateKeysAtEveryLevel)
{
  EXPECT_EQ(
      issues(Document("a: 1\nb:\n  c: {d: 1, d: 2}\n  e: [{f: 1, 'f': 2}]\na: 3\n", "d.yaml")),
      "d.yaml:3:13: duplicate key 'd' in b.c; keep one of the two\n"
      "d.yaml:4:14: duplicate key 'f' in b.e; keep one of the two\n"
      "d.yaml:5:1: duplicate key 'a' in the deck; keep one of the two\n");
}

TEST(Document, RefusesWhatADeckDoesNotNeed)
{
  EXPECT_EQ(issues(Document("b: &b {c: 1}\na: {<<: *b}\n", "d.yaml")),
            "d.yaml:2:5: merge key '<<' is not read in a deck; write its keys out\n");
  EXPECT_EQ(issues(Document("a: !!int 5\nb: !mine {}\nc: !!str x\n", "d.yaml")),
            "d.yaml:1:4: a YAML tag such as '!!int' is not read in a deck; remove it\n"
            "d.yaml:2:4: a YAML tag such as '!!int' is not read in a deck; remove it\n"
            "d.yaml:3:4: a YAML tag such as '!!int' is not read in a deck; remove it\n");
  EXPECT_EQ(issues(Document("? [1, 2]\n: 3\n~: 4\n", "d.yaml")),
            "d.yaml:1:3: a key must be one word, such as 'rows'\n"
            "d.yaml:3:1: a key must be one word, such as 'rows'\n");
  EXPECT_EQ(issues(Document("\"<<\": 1\n", "d.yaml")), "");
}

TEST(Document, FollowsAliases)
{
  Document const document("a: &list [left, right]\nb: *list\n", "d.yaml");
  auto const& b = *document.root().find("b")->value;
  EXPECT_EQ(b.items.at(1)->text, "right");
  EXPECT_EQ(b.place.line, 2);
  EXPECT_EQ(parse_problem("a: &a [*a]\n"),
            "d.yaml:1:8: an alias cannot stand inside the value it names");
  EXPECT_EQ(parse_problem("a: *b\n").find(
                "d.yaml:1:4: not valid YAML: the referenced anchor is not defined"),
            0U); // yaml-cpp 0.8 adds the anchor
}

/// Each level names the last twice: as text this would have 2^40 values.
TEST(Document, SharesWhatAliasesName)
{
  std::string text = "a0: &a0 [x]\n";
  for (int i = 1; i <= 40; ++i) {
    auto const last = "*a" + std::to_string(i - 1);
    auto const name = "a" + std::to_string(i);
    text.append(name).append(": &").append(name).append(" [").append(last).append(", ");
    text.append(last).append("]\n");
  }
  EXPECT_EQ(Document(text, "d.yaml").root().entries.size(), 41U);
}

TEST(Overrides, ReplaceAndAddValues)
{
  Document document("a: 1\nb: {c: 1, d: 2}\ne: text\n", "d.yaml");
  document.set("a=[1, 2]");
  document.set("b.c=left");
  document.set("e.f.g= 5 # five");
  auto const& root = document.root();
  EXPECT_EQ(root.find("a")->value->items.size(), 2U);
  auto const* const c = root.find("b")->value->find("c");
  EXPECT_EQ(c->value->text, "left");
  EXPECT_EQ(c->value->place.file, "--set b.c=left");
  EXPECT_EQ(c->value->place.line, 0);
  EXPECT_EQ(root.find("b")->value->find("d")->value->text, "2");
  EXPECT_EQ(root.find("b")->place.line, 2);
  EXPECT_EQ(root.find("e")->value->find("f")->value->find("g")->value->text, "5");
  EXPECT_EQ(issues(document), "");
}

TEST(Overrides, MayHoldAnEqualsSignOrNothing)
{
  Document document("a: 1\n", "d.yaml");
  document.set("a=x=y");
  document.set("b=");
  EXPECT_EQ(document.root().find("a")->value->text, "x=y");
  EXPECT_EQ(document.root().find("b")->value->kind, Node::Kind::null);
}

TEST(Overrides, CollectWhatIsWrongWithTheirValues)
{
  Document document("a: 1\n", "d.yaml");
  document.set("a=[");
  document.set("a={b: 1, b: 2}");
  document.set("b=1\n---\n2");
  EXPECT_EQ(issues(document),
            "--set a=[: not valid YAML: end of sequence flow not found\n"
            "--set a={b: 1, b: 2}: duplicate key 'b' in a; keep one of the two\n"
            "--set b=1\n---\n2: a second YAML document starts here; a deck has one\n");
}

TEST(Overrides, NeedAKeyAndAnEqualsSign)
{
  Document document("a: 1\n", "d.yaml");
  for (std::string const text : {"a", "=1", ".a=1", "a.=1", "a..b=1", ""})
    EXPECT_EQ(complaint(Exit::command_line, [&] { document.set(text); }),
              "--set " + text + ": write key.path=value, as in --set run.rounds=30");
  EXPECT_TRUE(document.overrides().empty());
}

} // namespace

} // namespace strata::deck
