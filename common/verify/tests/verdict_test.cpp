#include "verify/tolerance.hpp"
#include "verify/verdict.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace strata::verify {

namespace {

TEST(Verdict, PassesUpToWhatIsAllowed)
{
  EXPECT_TRUE(judge("error", 0, 0).passed);
  EXPECT_TRUE(judge("error", 1e-13, 1e-13).passed);
  EXPECT_FALSE(judge("error", std::nextafter(1e-13, 1), 1e-13).passed);
  EXPECT_FALSE(judge("error", std::numeric_limits<double>::infinity(), 1).passed);
}

TEST(Verdict, NeverPassesANaN)
{
  double const nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(judge("error", nan, 1).passed);
  EXPECT_FALSE(judge("error", 0, nan).passed);
}

TEST(Verdict, KeepsWhatWasMeasured)
{
  auto const verdict = judge("orthogonality", 0.25, 0.5);
  EXPECT_EQ(verdict.metric, "orthogonality");
  EXPECT_EQ(verdict.error, 0.25);
  EXPECT_EQ(verdict.allowed, 0.5);
}

TEST(Tolerance, GrowsWithOperationsAndEpsilon)
{
  EXPECT_EQ(rounding<double>(8), 8 * std::numeric_limits<double>::epsilon());
  EXPECT_EQ(rounding<float>(1), double{std::numeric_limits<float>::epsilon()});
}

} // namespace

} // namespace strata::verify
