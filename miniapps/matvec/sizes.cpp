#include "sizes.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "driver/axis.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace strata::matvec {

namespace {

constexpr auto word = static_cast<index_t>(sizeof(double));

/// Number of matrices of rows × cols doubles in memory: one for each storage order and scalar
/// of the dense kernels, of a narrower scalar a part of one, and for `symmetric` half a one
/// where it is packed and one where it is not.
double matrices(Config const& config)
{
  auto const has = [](std::vector<std::string> const& words, char const* wanted) {
    return std::find(words.begin(), words.end(), wanted) != words.end();
  };
  auto const names = [&](char const* kernel) { return has(config.kernel, kernel); };
  std::set<std::string> orders;
  if (names("matvec") || names("matvec_t"))
    for (auto const& layout : config.layout)
      if (layout != "cxf")
        orders.insert(layout == "default" ? driver::word_of<LayoutDefault>() : layout);
  double const symmetric =
      (has(config.storage, "packed") ? 0.5 : 0.0) + (has(config.storage, "full") ? 1.0 : 0.0);
  double scalars = 0;
  for (auto const& scalar : std::set<std::string>(config.scalar.begin(), config.scalar.end()))
    scalars += driver::with_scalar(
        scalar, [&]<class T>() { return static_cast<double>(sizeof(T)) / sizeof(double); });
  return static_cast<double>(orders.size()) * scalars + (names("symmetric") ? symmetric : 0.0);
}

/// Bytes of one matrix over all ranks: larger than their caches, or as memory_fraction says.
index_t matrix_bytes(Config const& config, driver::Setting const& setting)
{
  return setting.array_bytes(config.memory_fraction, matrices(config), setting.beyond_cache()) *
         setting.share.ranks;
}

/// The edge of a square matrix: from 64 on a multiple of 64, so that rows are whole packs.
index_t edge_of(double elements)
{
  auto const edge = static_cast<index_t>(std::sqrt(elements));
  return std::max<index_t>(edge >= 64 ? edge / 64 * 64 : edge, 1);
}

void require_rows(char const* key, index_t value, driver::Setting const& setting)
{
  if (value < setting.share.ranks)
    throw Error(Exit::deck, std::string("problem.") + key + " is " + std::to_string(value) +
                                " for " + text::plural(setting.share.ranks, "rank") +
                                "; raise it or use fewer ranks");
}

} // namespace

Problem problem_of(Config const& config, driver::Setting const& setting)
{
  Problem problem;
  index_t const elements = matrix_bytes(config, setting) / word;
  if (config.rows || config.columns) {
    problem.rows =
        config.rows ? *config.rows : std::max<index_t>(elements / *config.columns, 1);
    problem.cols =
        config.columns ? *config.columns : std::max<index_t>(elements / *config.rows, 1);
  } else
    problem.rows = problem.cols = edge_of(static_cast<double>(elements));
  // Plain loops take about a second.
  problem.matmul_order = config.matmul_order.value_or(device_is_host ? 768 : 3200);
  // A rank numbers its columns in 32 bits: of its rows and of those beside them.
  problem.sparse_rows = config.sparse_rows.value_or(
      std::min(most_counted / 2, setting.beyond_cache() / (27 * (word + 4))) *
      setting.share.ranks);
  problem.batch_count = config.batch_count.value_or(0);
  problem.values.seed = setting.seed;
  problem.setting = setting;
  require_rows("rows", problem.rows, setting);
  require_rows("columns", problem.cols, setting);
  return problem;
}

} // namespace strata::matvec
