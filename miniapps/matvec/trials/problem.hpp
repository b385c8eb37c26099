#pragma once

#include "driver/miniapp.hpp"
#include "operands/values.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>

namespace strata::matvec {

/// One combination of the axes, by the deck's words; axes that a kernel does not have are
/// empty.
struct Choice
{
  std::string kernel, variant, layout, parallel, scalar, access, extents, partition, stencil;
  index_t block = 0; ///< order of the small matrices of `batched`
};

/// The words of `scalar`, and the place of one among them.
inline constexpr std::array<std::string_view, 4> scalar_names{"double", "float", "half",
                                                              "bfloat16"};
inline int scalar_number(std::string const& name)
{
  return static_cast<int>(std::ranges::find(scalar_names, name) - scalar_names.begin());
}

/// The sizes of a case over all ranks.
struct Problem
{
  index_t rows = 0; ///< of the dense matrix; the order of the symmetric one
  index_t cols = 0;
  index_t matmul_order = 0;
  index_t sparse_rows = 0; ///< upper bound of the number of grid points
  index_t batch_count = 0; ///< matrices of a batch; 0 is auto
  Values values;
  driver::Setting setting;
};

/// The size in bytes of a larger packed triangle could overflow 64 bits.
inline constexpr index_t most_symmetric_order = index_t{1} << 28;
/// Limit of the 32-bit counts of vendors' libraries, MPI and sparse matrices' indices.
inline constexpr index_t most_counted = std::numeric_limits<int>::max();

/// Upper bound of the number of parts into which the columns are split.
index_t most_parts_of(index_t cols);

// Makers of the trials; empty where a combination is not measured.
driver::Maker row_maker(Choice const& choice, Problem const& problem);
/// The `row` loop with S5's FArray for x; the matrix is that of layout right.
driver::Maker cxf_maker(Choice const& choice, Problem const& problem);
/// And with the rows of S5's traditional array, on a host.
driver::Maker nested_maker(Choice const& choice, Problem const& problem);
driver::Maker team_maker(Choice const& choice, Problem const& problem);
driver::Maker auto_maker(Choice const& choice, Problem const& problem);
driver::Maker native_maker(Choice const& choice, Problem const& problem);
driver::Maker vendor_maker(Choice const& choice, Problem const& problem);
driver::Maker symmetric_maker(Choice const& choice, Problem const& problem);
driver::Maker sparse_maker(Choice const& choice, Problem const& problem);
driver::Maker batched_maker(Choice const& choice, Problem const& problem);
driver::Maker matmul_maker(Choice const& choice, Problem const& problem);

// Sizes that a record states.
report::Facts symmetric_facts(Choice const& choice, Problem const& problem);
report::Facts sparse_facts(Choice const& choice, Problem const& problem);
report::Facts batched_facts(Choice const& choice, Problem const& problem);
report::Facts matmul_facts(Choice const& choice, Problem const& problem);

// The memory that a case needs; why it cannot run, where that follows from sizes or ranks.
void symmetric_memory(Choice const& choice, Problem const& problem, driver::Case& made);
void sparse_memory(Choice const& choice, Problem const& problem, driver::Case& made);
void batched_memory(Choice const& choice, Problem const& problem, driver::Case& made);
void matmul_memory(Choice const& choice, Problem const& problem, driver::Case& made);

} // namespace strata::matvec
