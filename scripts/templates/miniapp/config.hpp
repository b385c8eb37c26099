#pragma once

#include "deck/schema.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strata::appname {

/// What a deck says; the initialisers are the defaults.
struct Config
{
  std::optional<std::int64_t> size; ///< empty: auto

  std::vector<std::string> variant = {"span", "native"};
  std::vector<std::string> scalar = {"double"};
};

deck::Schema<Config> schema();

} // namespace strata::appname
