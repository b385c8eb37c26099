#pragma once

#include "runtime/node/environment.hpp"

#include <map>
#include <string>

namespace strata::runtime {

/// An environment of these variables and no others.
inline Environment variables(std::map<std::string, std::string> const& table)
{
  return [table](std::string const& name) -> std::optional<std::string> {
    auto const found = table.find(name);
    return found == table.end() ? std::nullopt : std::optional(found->second);
  };
}

} // namespace strata::runtime
