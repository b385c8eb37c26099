#include "config.hpp"

#include "trials/problem.hpp"

#include <algorithm>

namespace strata::mgs {

deck::Schema<Config> schema()
{
  deck::Schema<Config> deck("mgs", "Orthonormalisation of a multivector spread by rows.");
  deck.field("problem.rows", &Config::rows, "length of the vectors, summed over ranks")
      .word("auto")
      .between(1, 1'000'000'000'000);
  deck.field("problem.memory_fraction", &Config::memory_fraction,
             "the same as a part of each device's memory, in place of rows")
      .word("unset")
      .between(0.001, 0.95);
  deck.field("problem.sweep_from", &Config::sweep_from,
             "measure 1, 2, 5, 10, ... times this many rows up to rows")
      .word("unset")
      .between(1, 1'000'000'000);
  deck.field("problem.columns", &Config::columns, "number of vectors").between(1, 4096);
  deck.field("problem.square", &Config::square,
             "sizes of square matrices, in place of rows and columns; [0]: none")
      .between(0, 4096);
  deck.field("problem.kahan_angle", &Config::kahan_angle,
             "of matrix kahan, in radians: the smaller, the worse its condition")
      .between(0.9, 1.5);
  std::vector<std::string> names;
  for (auto const& one : algorithms())
    names.emplace_back(one.name);
  deck.field("cases.algorithm", &Config::algorithm,
             "sequence to fused are MGS, blocked is block MGS, the others are not MGS")
      .one_of(names);
  deck.field("cases.variant", &Config::variant,
             "span is the core; view and native are controls of sequence, vector_of_vectors of "
             "classical, vendor is householder and tsqr and a control of cholesky2")
      .one_of({"span", "view", "native", "vendor", "vector_of_vectors"});
  auto layouts = SpanLayouts::words();
  layouts.insert(layouts.begin(), "default");
  deck.field("cases.layout", &Config::layout, "storage order; default is left").one_of(layouts);
  deck.field(
          "cases.scalar", &Config::scalar,
          "type of the vectors' elements; sums are doubles. float: sequence to classical2 by "
          "span in the default layout, with results on the device, not of kahan")
      .one_of({"double", "float"});
  deck.field("cases.results", &Config::results,
             "whether sums come back to the host or stay on the device")
      .one_of({"host", "device"});
  deck.field("cases.matrix", &Config::matrix, "what is orthonormalised")
      .one_of({"random", "laplacian", "kahan"});
  deck.rule("problem.rows", "give rows or memory_fraction, not both",
            [](Config const& c) { return !(c.rows && c.memory_fraction); });
  deck.rule("problem.rows",
            "there are more columns, which would depend on each other: raise it or lower "
            "problem.columns",
            [](Config const& c) { return !c.rows || *c.rows >= c.columns; });
  deck.rule(
      "problem.sweep_from", "it is beyond problem.rows, where the sweep ends",
      [](Config const& c) { return !c.sweep_from || !c.rows || *c.sweep_from <= *c.rows; });
  deck.rule("problem.square", "0 stands for none, alone", [](Config const& c) {
    return c.square.size() == 1 || std::count(c.square.begin(), c.square.end(), 0) == 0;
  });
  deck.rule("cases.matrix", "laplacian is square: name sizes in problem.square",
            [](Config const& c) {
              return c.is_square() || (c.rows && *c.rows == c.columns) ||
                     std::count(c.matrix.begin(), c.matrix.end(), "laplacian") == 0;
            });
  deck.rule("problem.square", "give it without rows, memory_fraction and sweep_from",
            [](Config const& c) {
              return !c.is_square() || !(c.rows || c.memory_fraction || c.sweep_from);
            });
  return deck;
}

} // namespace strata::mgs
