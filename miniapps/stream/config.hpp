#pragma once

#include "deck/schema.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strata::stream {

/// What a stream deck says; the initialisers are the defaults.
struct Config
{
  std::optional<std::int64_t> size; ///< empty: auto
  std::optional<std::int64_t> size_bytes;
  std::optional<double> memory_fraction;
  std::int64_t shortest_row = 6; ///< of shape ragged
  std::int64_t longest_row = 20004;

  std::vector<std::string> kernel = {"triad", "copy", "scale", "add", "dot"};
  std::vector<std::string> variant = {"span", "native"};
  std::vector<std::string> layout = {"default"};
  std::vector<std::string> scalar = {"double"};
  std::vector<std::string> shape = {"1d"};
  std::vector<std::string> index_order = {"matching"};
  std::vector<std::string> access = {"default"};
  std::vector<std::string> owner = {"owned"};
  std::vector<std::string> pages = {"normal"};
  std::vector<std::string> policy = {"mdrange"};
  std::vector<std::string> tuning = {"default"};
};

deck::Schema<Config> schema();

/// The deck of a run that names none: the defaults and, on a host that has them, streaming
/// stores beside the default ones, which read each line before they write it.
Config built_in();

} // namespace strata::stream
