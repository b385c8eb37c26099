#include "document.hpp"

#include "key.hpp"

#include "base/sha256.hpp"
#include "base/text.hpp"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <system_error>
#include <unordered_set>
#include <utility>

namespace strata::deck {

namespace {

/// Where a text comes from: a file, whose lines are counted, or one command line override.
struct Source
{
  std::string name;
  bool has_lines;
  std::string section; ///< path of the key that the text is the value of

  [[nodiscard]] Place at(YAML::Mark const& mark) const
  {
    return has_lines ? Place{name, mark.line + 1, mark.column + 1} : Place{name};
  }
};

/// Builds the tree of one YAML document from the parser's events, which, unlike yaml-cpp's
/// own nodes, still show duplicate keys and the marks of keys.
class Builder : public YAML::EventHandler
{
public:
  Builder(Source const& source, std::vector<Issue>& issues)
      : source_(source)
      , issues_(issues)
  {
  }

  Node::Pointer root;
  Place start; ///< of the document, if there was one

  void OnDocumentStart(YAML::Mark const& mark) override { start = source_.at(mark); }
  void OnDocumentEnd() override {}

  void OnNull(YAML::Mark const& mark, YAML::anchor_t anchor) override
  {
    add(finish({.kind = Node::Kind::null, .place = source_.at(mark)}, anchor));
  }

  void OnScalar(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                std::string const& value) override
  {
    reject_tag(mark, tag);
    add(finish({.kind = Node::Kind::scalar,
                .place = source_.at(mark),
                .text = value,
                .quoted = tag == "!"},
               anchor));
  }

  void OnAlias(YAML::Mark const& mark, YAML::anchor_t anchor) override
  {
    Place const place = source_.at(mark);
    auto const found = anchors_.find(anchor);
    if (found == anchors_.end())
      throw Invalid({{place, "an alias cannot stand inside the value it names"}});
    Node copy = *found->second;
    copy.place = place;
    add(std::make_shared<Node const>(std::move(copy)));
  }

  void OnSequenceStart(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override
  {
    open(mark, tag, anchor, Node::Kind::list);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override
  {
    open(mark, tag, anchor, Node::Kind::map);
  }
  void OnMapEnd() override { close(); }

private:
  /// A list or map whose end has not come yet.
  struct Open
  {
    Node node;
    YAML::anchor_t anchor = 0;
    Node::Pointer key = nullptr;               ///< a map's key that waits for its value
    std::unordered_set<std::string> keys = {}; ///< of a map, so far
  };

  void open(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor,
            Node::Kind kind)
  {
    reject_tag(mark, tag);
    open_.push_back({{.kind = kind, .place = source_.at(mark)}, anchor});
  }

  void close()
  {
    Open last = std::move(open_.back());
    open_.pop_back();
    add(finish(std::move(last.node), last.anchor));
  }

  Node::Pointer finish(Node node, YAML::anchor_t anchor)
  {
    auto finished = std::make_shared<Node const>(std::move(node));
    if (anchor != 0)
      anchors_[anchor] = finished;
    return finished;
  }

  void add(Node::Pointer node)
  {
    if (open_.empty())
      root = std::move(node);
    else if (open_.back().node.kind == Node::Kind::list)
      open_.back().node.items.push_back(std::move(node));
    else if (open_.back().key == nullptr)
      open_.back().key = std::move(node);
    else
      add_entry(open_.back(), std::move(node));
  }

  void add_entry(Open& map, Node::Pointer value)
  {
    auto const key = std::exchange(map.key, nullptr);
    if (key->kind != Node::Kind::scalar)
      issue(key->place, "a key must be one word, such as 'rows'");
    else if (key->text == "<<" && !key->quoted)
      issue(key->place, "merge key '<<' is not read in a deck; write its keys out");
    else if (!map.keys.insert(key->text).second)
      issue(key->place,
            "duplicate key '" + key->text + "'" + within(section()) + "; keep one of the two");
    else
      map.node.entries.push_back({key->text, key->place, std::move(value)});
  }

  /// Path of the innermost map.
  [[nodiscard]] std::string section() const
  {
    auto path = source_.section;
    for (auto const& outer : open_)
      if (outer.key != nullptr)
        path += (path.empty() ? "" : ".") + outer.key->text;
    return path;
  }

  void reject_tag(YAML::Mark const& mark, std::string const& tag)
  {
    if (tag != "?" && tag != "!" && !tag.empty())
      issue(source_.at(mark), "a YAML tag such as '!!int' is not read in a deck; remove it");
  }

  void issue(Place const& place, std::string const& text) { issues_.push_back({place, text}); }

  Source const& source_;
  std::vector<Issue>& issues_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Node::Pointer> anchors_;
};

/// The one document in `text`; null where there is none. Throws Invalid where it is not YAML.
Node::Pointer parse(std::string const& text, Source const& source, std::vector<Issue>& issues)
{
  std::istringstream stream(text);
  Builder first(source, issues);
  std::vector<Issue> ignored;
  Builder second(source, ignored);
  try {
    YAML::Parser parser(stream);
    parser.HandleNextDocument(first);
    if (parser.HandleNextDocument(second))
      issues.push_back({second.start, "a second YAML document starts here; a deck has one"});
  } catch (YAML::DeepRecursion const& error) {
    throw Invalid({{source.at(error.mark), "nested too deeply for a deck"}});
  } catch (YAML::Exception const& error) {
    throw Invalid({{source.at(error.mark), "not valid YAML: " + error.msg}});
  }
  return first.root;
}

bool is_map(Node::Pointer const& node)
{
  return node != nullptr && node->kind == Node::Kind::map;
}

/// `old` with the value at `path` replaced; levels that are not maps become maps.
Node::Pointer with(Node::Pointer const& old, std::span<std::string const> path,
                   Node::Pointer value, Place const& place)
{
  if (path.empty())
    return value;
  auto map = is_map(old) ? *old : Node{.kind = Node::Kind::map, .place = place};
  auto entry = std::ranges::find(map.entries, path.front(), &Node::Entry::key);
  if (entry == map.entries.end())
    entry = map.entries.insert(entry, {path.front(), place, nullptr});
  if (path.size() == 1 || !is_map(entry->value))
    entry->place = place;
  entry->value = with(entry->value, path.subspan(1), std::move(value), place);
  return std::make_shared<Node const>(std::move(map));
}

} // namespace

std::string read_file(std::string const& path)
{
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown))
    throw Error(Exit::deck, path + ": is a folder; name a deck file in it");
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream bytes;
  if (!stream ||
      (stream.peek() != std::ifstream::traits_type::eof() && !(bytes << stream.rdbuf())))
    throw Error(Exit::deck,
                path + ": the deck cannot be read: " + std::generic_category().message(errno) +
                    "; check its path and permissions");
  return bytes.str();
}

Document::Document(std::string text, std::string name)
    : text_(std::move(text))
    , name_(std::move(name))
{
  root_ = parse(text_, {name_, true, ""}, issues_);
  if (root_ == nullptr || root_->kind == Node::Kind::null)
    throw Error(Exit::deck,
                name_ + ": the deck is empty; --print-deck writes one to start from");
  if (root_->kind != Node::Kind::map)
    throw Invalid(
        {{root_->place, "a deck is a map of keys, such as 'strata: 1'; this is not"}});
}

void Document::set(std::string const& assignment)
{
  auto const equals = assignment.find('=');
  auto const path = text::split(assignment.substr(0, equals), '.');
  if (equals == assignment.npos || path.empty() || std::ranges::count(path, "") > 0)
    throw Error(Exit::command_line,
                "--set " + assignment + ": write key.path=value, as in --set run.rounds=30");
  overrides_.push_back(assignment);
  Source const source{"--set " + assignment, false, assignment.substr(0, equals)};
  try {
    auto value = parse(assignment.substr(equals + 1), source, issues_);
    if (value == nullptr)
      value = std::make_shared<Node const>(Node{.place = Place{source.name}});
    root_ = with(root_, path, std::move(value), Place{source.name});
  } catch (Invalid const& invalid) {
    issues_.insert(issues_.end(), invalid.issues().begin(), invalid.issues().end());
  }
}

std::string Document::sha256() const
{
  return deck::sha256(text_);
}

} // namespace strata::deck
