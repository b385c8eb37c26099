#pragma once

#include "deck/schema.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strata::contact {

inline constexpr int most_capacity = 1 << 20; ///< that problem.capacity may be

/// Whether a name of a deck is one of some.
template <class... Names>
bool is_one_of(std::string const& name, Names... names)
{
  return ((name == names) || ...);
}

/// What a contact deck says; the initialisers are the defaults.
struct Config
{
  std::string deck = "random";
  std::optional<std::int64_t> elements; ///< empty: auto
  int dim = 3;
  std::string shape = "sphere";
  std::optional<double> radius;     ///< empty: the deck's own
  std::optional<double> gap;        ///< likewise
  std::optional<double> spacing;    ///< likewise
  std::optional<double> neighbours; ///< likewise
  int speed = 4;
  bool periodic = false;
  std::string points = "none";
  std::string between = "bodies";
  std::optional<double> skin; ///< empty: an eighth of the reach
  int steps = 12;             ///< in which the default deck looks for candidates once
  std::string rebuild = "auto";
  std::string bounds = "follow";
  std::optional<double> rebalance = 1.2; ///< empty: never
  int capacity = 8;
  std::string overflow = "grow";
  bool reorder = true;
  int brute_rows = 256;
  std::string file; ///< of deck `file`; empty: none
  std::string degenerate = "error";
  std::string write_vtk; ///< empty: nothing is written

  std::vector<std::string> kernel = {"build", "statistics", "update"};
  std::vector<std::string> variant = {"ragged", "dyn_ragged"};
  std::vector<std::string> broad = {"grid"};
  std::vector<std::string> narrow = {"inlined"};
  std::vector<std::string> list = {"full"};
  std::vector<std::string> list_order = {"fresh"};
  std::vector<std::string> store = {"none"};
};

deck::Schema<Config> schema();

} // namespace strata::contact
