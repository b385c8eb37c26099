#include "every_case.hpp"

#include "wide/triangle.hpp"

#include <gtest/gtest.h>

#include <string>

// cholesky2 of more columns than a tile has: on a GPU that processes them at once the only
// tests of what its tensor cores do; on other devices by panels.

namespace strata::mgs {

namespace {

Config cholesky_of(index_t rows, index_t columns, std::string const& matrix = "random")
{
  auto config = everything(rows, columns, matrix);
  config.algorithm = {"cholesky2"};
  config.variant = {"span"};
  config.results = {"device"};
  config.scalar = {"double"};
  return config;
}

/// Number of Allreduces that a step asks for.
index_t allreduces_made(driver::Trial& trial)
{
  index_t made = 0;
  with_any(trial, [&](auto& found) { made = found.allreduces(); });
  return made;
}

TEST(MgsWideTrials, PassForEveryNumberOfStrips)
{
  auto const world = runtime::Communicator::world();
  for (int strips = 3; strips <= Triangle::most_strips; ++strips)
    for (int const steps : {1, 2}) {
      index_t const columns = strips * Triangle::width - (strips * 5 + steps) % Triangle::width;
      index_t const rows = 211 + 401 * (strips % 4); // some less than four times the columns
      each_trial(
          cholesky_of(rows, columns), steps,
          [&](driver::Case const& one, driver::Trial& trial) {
            EXPECT_TRUE(testing::passes(trial, steps))
                << one.label << ' ' << rows << " x " << columns << " after " << steps;
          },
          world);
    }
}

TEST(MgsWideTrials, TakeAllColumnsAtOnceWhereRoundingGrowsLittle)
{
  for (std::string const matrix : {"random", "kahan"})
    each_trial(cholesky_of(1000, 64, matrix), 1,
               [&](driver::Case const& one, driver::Trial& trial) {
                 bool const at_once = is_wide(64) && matrix == "random";
                 EXPECT_EQ(allreduces_made(trial), at_once ? 2 : 6) << one.label;
                 EXPECT_LT(error_of(trial, "orthogonality"), 1e-13);
                 EXPECT_LT(error_of(trial, "residual"), 1e-14);
               });
}

} // namespace

} // namespace strata::mgs
