#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace strata::runtime {

/// Looks up an environment variable; tests give a table of their own.
using Environment = std::function<std::optional<std::string>(std::string const&)>;

/// The process's environment.
std::optional<std::string> process_environment(std::string const& name);

/// The variables that tell how a run was placed and driven, and nothing else: what a person
/// has in their environment beyond them never reaches a record. Sorted by name.
std::vector<std::pair<std::string, std::string>> allowed_environment();

/// True when `name` is one of them.
bool is_allowed_variable(std::string const& name);

} // namespace strata::runtime
