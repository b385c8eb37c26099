#pragma once

#include "deck/schema.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strata::mgs {

/// What an mgs deck says; the initialisers are the defaults.
struct Config
{
  std::optional<std::int64_t> rows; ///< empty: auto
  std::optional<double> memory_fraction;
  std::optional<std::int64_t> sweep_from; ///< empty: one size only
  std::int64_t columns = 32;
  std::vector<std::int64_t> square = {0}; ///< 0: rows x columns
  double kahan_angle = 1.2;

  std::vector<std::string> algorithm = {"sequence", "fused", "blocked", "cholesky2"};
  std::vector<std::string> variant = {"span", "native"};
  std::vector<std::string> layout = {"default"};
  std::vector<std::string> scalar = {"double"};
  std::vector<std::string> results = {"device"};
  std::vector<std::string> matrix = {"random"};

  [[nodiscard]] bool is_square() const { return square != std::vector<std::int64_t>{0}; }
};

deck::Schema<Config> schema();

} // namespace strata::mgs
