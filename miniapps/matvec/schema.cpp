#include "axes.hpp"
#include "config.hpp"

#include "trials/dense_trial.hpp"
#include "trials/problem.hpp"

#include <algorithm>

namespace strata::matvec {

deck::Schema<Config> schema()
{
  deck::Schema<Config> deck("matvec", "Products of matrices, under every storage order.");
  auto const largest = index_t{1} << 40;
  deck.field("problem.rows", &Config::rows,
             "rows of the dense matrix and order of the symmetric one, over all ranks")
      .word("auto")
      .between(1, largest);
  deck.field("problem.columns", &Config::columns, "columns of the dense matrix")
      .renamed_from("cols")
      .word("auto")
      .between(1, largest);
  deck.field("problem.memory_fraction", &Config::memory_fraction,
             "the matrices of matvec, matvec_t and symmetric in all layouts as a part of each "
             "device's memory, in place of rows and columns")
      .word("unset")
      .between(0.001, 0.95);
  deck.field("problem.sparse_rows", &Config::sparse_rows,
             "points of the sparse matrices' grid, at most, over all ranks")
      .word("auto")
      .between(1, largest);
  deck.field("problem.batch_count", &Config::batch_count, "matrices of a batch, over all ranks")
      .word("auto")
      .between(1, largest);
  deck.field("problem.matmul_order", &Config::matmul_order, "order of the matrices of `matmul`")
      .word("auto")
      .between(1, 1'000'000);
  deck.field("cases.kernel", &Config::kernel, "matvec is y = A x, matvec_t is y = Aᵀ x")
      .one_of(kernel_names());
  deck.field("cases.variant", &Config::variant, "span is the core; the others are controls")
      .one_of({"span", "view", "native", "vendor", "vector_of_vectors"});
  auto layouts = MatrixLayouts::words();
  layouts.insert(layouts.begin(), "default");
  layouts.emplace_back("cxf");
  deck.field(
          "cases.layout", &Config::layout,
          "storage order of dense matrices; default is this device's own; cxf (matvec, matmul) "
          "is right times left")
      .one_of(layouts);
  deck.field("cases.parallel", &Config::parallel,
             "one work item per row, a team per row, or as the storage order asks for")
      .one_of({"row", "team", "auto"});
  deck.field(
          "cases.scalar", &Config::scalar,
          "type of the elements; of half and bfloat16 matrices, vectors, sums and products are "
          "floats")
      .one_of({"double", "float", "half", "bfloat16"});
  deck.field(
          "cases.storage", &Config::storage,
          "of symmetric: the packed lower triangle, or the full square, which is a control by "
          "the vendor's symv only")
      .one_of({"packed", "full"});
  deck.field("cases.access", &Config::access, "how `row` loads")
      .one_of({"default", "restrict", "random_access"});
  deck.field("cases.partition", &Config::partition,
             "rows over ranks, or a grid of ranks over rows and columns; auto: rows and, where "
             "its ranks receive fewer elements, the grid")
      .one_of({"auto", "rows", "grid"});
  deck.field("cases.stencil", &Config::stencil, "neighbours of a point of the sparse matrices")
      .one_of({"5pt", "27pt"});
  deck.field("cases.block", &Config::block, "order of the matrices of `batched`")
      .between(2, 64);
  deck.field("cases.extents", &Config::extents,
             "whether that order (3 or 8) is known to the compiler")
      .one_of({"static", "dynamic"});
  deck.rule("problem.rows", "rows times columns must stay below 2^56; lower one of them",
            [](Config const& c) {
              return !c.rows || !c.columns || *c.columns <= (index_t{1} << 56) / *c.rows;
            });
  deck.rule("problem.rows", "the order of `symmetric` is at most 2^28; lower it",
            [](Config const& c) {
              return !c.rows || *c.rows <= most_symmetric_order ||
                     std::find(c.kernel.begin(), c.kernel.end(), "symmetric") == c.kernel.end();
            });
  deck.rule("problem.memory_fraction", "it sizes matvec, matvec_t and symmetric; leave it out",
            [](Config const& c) {
              auto const sized = [](std::string const& kernel) {
                return kernel == "matvec" || kernel == "matvec_t" || kernel == "symmetric";
              };
              return !c.memory_fraction || std::any_of(c.kernel.begin(), c.kernel.end(), sized);
            });
  deck.rule("problem.memory_fraction", "give it or rows and columns, not both",
            [](Config const& c) { return !(c.memory_fraction && (c.rows || c.columns)); });
  return deck;
}

} // namespace strata::matvec
