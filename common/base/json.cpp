#include "json.hpp"

#include "error.hpp"
#include "text.hpp"

#include <yaml-cpp/yaml.h>

#include <cmath>

namespace strata::json {

namespace {

// The emitter indents a group's members by the groups two levels out. Two lists opened around
// the value, and cut off again by text(), put members one step deeper than their owner.
constexpr std::size_t frame = 2;

} // namespace

struct Writer::State
{
  YAML::Emitter out;
  std::string open;         // kinds of the open groups, innermost last: 'o' or 'a'
  bool key_written = false; // the innermost object waits for a value
  bool complete = false;    // the one value is there
};

Writer::Writer()
    : state_(std::make_unique<State>())
{
  auto& out = state_->out;
  out.SetMapFormat(YAML::Flow);
  out.SetSeqFormat(YAML::Flow);
  out.SetStringFormat(YAML::DoubleQuoted);
  out.SetOutputCharset(YAML::EscapeAsJson);
  out.SetNullFormat(YAML::LowerNull);
  out.SetBoolFormat(YAML::TrueFalseBool);
  out.SetBoolFormat(YAML::LowerCase);
  for (std::size_t i = 0; i < frame; ++i)
    out << YAML::BeginSeq;
}

Writer::~Writer() = default;

Writer& Writer::object()
{
  begin('o');
  state_->out << YAML::BeginMap;
  return *this;
}

Writer& Writer::array()
{
  begin('a');
  state_->out << YAML::BeginSeq;
  return *this;
}

Writer& Writer::end()
{
  STRATA_CHECK(!state_->open.empty(), "json: nothing is open to end");
  STRATA_CHECK(!state_->key_written, "json: a key has no value");
  state_->out << (state_->open.back() == 'o' ? YAML::EndMap : YAML::EndSeq);
  state_->open.pop_back();
  state_->complete = state_->open.empty();
  return *this;
}

Writer& Writer::key(std::string_view name)
{
  STRATA_CHECK(state_->open.ends_with('o'), "json: a key outside an object");
  STRATA_CHECK(!state_->key_written, "json: a key has no value");
  state_->out << YAML::Newline << YAML::Key << std::string(name) << YAML::Value;
  state_->key_written = true;
  return *this;
}

Writer& Writer::value(std::string_view text)
{
  place_value();
  state_->out << std::string(text);
  return *this;
}

Writer& Writer::value(double number)
{
  if (!std::isfinite(number))
    return null();
  place_value();
  state_->out << YAML::Auto
              << text::number(number); // plain, as the emitter has no shortest form
  return *this;
}

Writer& Writer::null()
{
  place_value();
  state_->out << YAML::Null;
  return *this;
}

Writer& Writer::boolean(bool truth)
{
  place_value();
  state_->out << truth;
  return *this;
}

Writer& Writer::integer(std::int64_t number)
{
  place_value();
  state_->out << number;
  return *this;
}

Writer& Writer::natural(std::uint64_t number)
{
  place_value();
  state_->out << number;
  return *this;
}

void Writer::begin(char kind)
{
  place_value();
  state_->open += kind;
  state_->complete = false;
}

void Writer::place_value()
{
  STRATA_CHECK(!state_->complete, "json: a second value at the top");
  STRATA_CHECK(!state_->open.ends_with('o') || state_->key_written,
               "json: a value without its key");
  state_->key_written = false;
  state_->complete = state_->open.empty();
}

std::string Writer::text() const
{
  STRATA_CHECK(state_->complete && state_->open.empty(), "json: the value is not finished");
  YAML::Emitter& out = state_->out;
  STRATA_CHECK(out.good(), "json: " + out.GetLastError());
  return std::string(out.c_str() + frame, out.size() - frame) + "\n";
}

std::string quote(std::string_view text)
{
  std::string line = Writer().value(text).text();
  line.pop_back();
  return line;
}

} // namespace strata::json
