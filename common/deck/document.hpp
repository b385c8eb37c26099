#pragma once

#include "node.hpp"

#include <string>
#include <vector>

namespace strata::deck {

/// The bytes of a deck file. Throws Error(Exit::deck) where it is missing, a folder or
/// unreadable.
std::string read_file(std::string const& path);

/// A deck as it was written, before any schema has looked at it.
class Document
{
public:
  /// Parses `text`; `name` is what its problems are reported under, the file's path as a rule.
  /// Throws Invalid at the first place that is not YAML, and Error(Exit::deck) where it is
  /// empty.
  Document(std::string text, std::string name);

  static Document from_file(std::string const& path) { return {read_file(path), path}; }

  /// Overrides one value: "key.path=value", the value in YAML. Maps on the way are made where
  /// the deck has none. Throws Error(Exit::command_line) where there is no key or no '='; what
  /// is wrong with the value becomes an issue.
  void set(std::string const& assignment);

  [[nodiscard]] Node const& root() const { return *root_; } ///< always a map
  [[nodiscard]] std::string const& name() const { return name_; }
  [[nodiscard]] std::string const& text() const { return text_; } ///< without the overrides
  [[nodiscard]] std::string sha256() const;                       ///< of text()
  [[nodiscard]] std::vector<std::string> const& overrides() const { return overrides_; }

  /// What is wrong whatever the schema: duplicate keys, merge keys, tags, a second document.
  [[nodiscard]] std::vector<Issue> const& issues() const { return issues_; }

private:
  std::string text_;
  std::string name_;
  Node::Pointer root_;
  std::vector<std::string> overrides_;
  std::vector<Issue> issues_;
};

} // namespace strata::deck
