#include "base/error.hpp"
#include "base/json.hpp"

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <limits>

namespace strata::json {

namespace {

using Doubles = std::vector<double>;

TEST(Json, StartsALinePerMember)
{
  Writer out;
  out.object().member("app", "stream").key("sizes").array().value(1).value(2).end();
  out.key("cases")
      .array()
      .object()
      .member("label", "copy")
      .member("samples_s", Doubles{0.5, 2});
  out.end().object().end().array().end().end().key("energy").null().end();
  EXPECT_EQ(out.text(), R"({
  "app": "stream",
  "sizes": [1, 2],
  "cases": [{
      "label": "copy",
      "samples_s": [0.5, 2]}, {}, []],
  "energy": null}
)");
}

TEST(Json, WritesEveryKindOfValue)
{
  Writer out;
  out.array().value(true).value(false).value(std::numeric_limits<std::int64_t>::min());
  out.value(std::numeric_limits<std::uint64_t>::max()).value(0.1).value(-1.5e-300).value(1e22);
  out.value(std::optional<int>{}).value(std::optional<int>{7}).value("").end();
  EXPECT_EQ(out.text(), "[true, false, -9223372036854775808, 18446744073709551615, 0.1, "
                        "-1.5e-300, 1e+22, null, 7, \"\"]\n");
}

TEST(Json, NonFiniteNumbersAreNull)
{
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Writer out;
  out.value(Doubles{infinity, -infinity, std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(out.text(), "[null, null, null]\n");
}

TEST(Json, EscapesStrings)
{
  EXPECT_EQ(quote("plain"), R"("plain")");
  EXPECT_EQ(quote("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(quote("\n\t\r\b\f"), R"("\n\t\r\b\f")");
  EXPECT_EQ(quote(std::string_view("\x01\x1f\0", 3)), R"("\u0001\u001f\u0000")");
  EXPECT_EQ(quote("h\u00f6he \u2028 \U0001f600"), "\"h\u00f6he \u2028 \U0001f600\"");
  EXPECT_EQ(quote("\xff!"), "\"\ufffd!\"");
}

TEST(Json, StringsReadBackAsTheyWere)
{
  for (std::string const text :
       {"true", "~", "1e5", "# no comment", "a: b", "tab\there", "line\nbreak", "\"", "'", "\\",
        "gr\u00fc\u00df", "\U0001f600", "  spaces  "})
    EXPECT_EQ(YAML::Load(quote(text)).as<std::string>(), text);
}

TEST(Json, TheWholeReadsBack)
{
  Writer out;
  out.object().member(std::string(900, 'k'), std::string(5000, 'v')).key("a:b").object();
  out.member("x", 0.1).end().member("list", std::vector<std::string>{"a, b", "]"}).end();
  auto const read = YAML::Load(out.text());
  EXPECT_EQ(read[std::string(900, 'k')].as<std::string>(), std::string(5000, 'v'));
  EXPECT_EQ(read["a:b"]["x"].as<double>(), 0.1);
  EXPECT_EQ(read["list"][0].as<std::string>(), "a, b");
  EXPECT_EQ(read["list"][1].as<std::string>(), "]");
}

/// The message of the internal error that `misuse` of a writer raises, without its place.
template <class Misuse>
std::string complaint(Misuse misuse)
{
  Writer out;
  try {
    misuse(out);
  } catch (Error const& error) {
    std::string const what = error.what();
    auto const start = what.find("json: ");
    return what.substr(start, what.find(" (violated") - start);
  }
  return "none";
}

TEST(Json, MisuseIsAnInternalError)
{
  EXPECT_EQ(complaint([](Writer& out) { out.object().value(1); }),
            "json: a value without its key");
  EXPECT_EQ(complaint([](Writer& out) { out.object().key("a").end(); }),
            "json: a key has no value");
  EXPECT_EQ(complaint([](Writer& out) { out.object().key("a").key("b"); }),
            "json: a key has no value");
  EXPECT_EQ(complaint([](Writer& out) { out.array().key("a"); }),
            "json: a key outside an object");
  EXPECT_EQ(complaint([](Writer& out) { out.end(); }), "json: nothing is open to end");
  EXPECT_EQ(complaint([](Writer& out) { out.value(1).value(2); }),
            "json: a second value at the top");
  EXPECT_EQ(complaint([](Writer& out) { (void)out.object().text(); }),
            "json: the value is not finished");
}

} // namespace

} // namespace strata::json
