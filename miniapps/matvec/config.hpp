#pragma once

#include "deck/schema.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strata::matvec {

/// What a matvec deck says; the initialisers are the defaults.
struct Config
{
  std::optional<std::int64_t> rows; ///< empty: auto
  std::optional<std::int64_t> columns;
  std::optional<double> memory_fraction;
  std::optional<std::int64_t> matmul_order;
  std::optional<std::int64_t> sparse_rows;
  std::optional<std::int64_t> batch_count;

  std::vector<std::string> kernel = {"matvec", "symmetric"};
  std::vector<std::string> variant = {"span", "native", "vendor"};
  std::vector<std::string> layout = {"left", "right"};
  std::vector<std::string> parallel = {"row", "auto"};
  std::vector<std::string> scalar = {"double"};
  std::vector<std::string> access = {"default"};
  std::vector<std::string> storage = {"packed"};
  std::vector<std::string> extents = {"dynamic"};
  std::vector<std::string> partition = {"auto"};
  std::vector<std::string> stencil = {"27pt"};
  std::vector<std::int64_t> block = {3};
};

deck::Schema<Config> schema();

} // namespace strata::matvec
