#pragma once

#include "deck/schema.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strata::hexgrad {

/// What a hexgrad deck says; the initialisers are the defaults.
struct Config
{
  std::optional<std::int64_t> size; ///< empty: auto
  std::optional<double> memory_fraction;
  std::optional<std::int64_t> sweep_from; ///< empty: one size only
  std::string mesh = "brick";

  std::vector<std::string> variant = {"span", "native"};
  std::vector<std::string> layout = {"default", "left", "right"};
  std::vector<std::string> scalar = {"double-double"};
  std::vector<std::string> extents = {"static"};
  std::vector<std::string> access = {"default"};
  std::vector<bool> gather = {false};
};

deck::Schema<Config> schema();

} // namespace strata::hexgrad
