#include "check/launches.hpp"

#include <gtest/gtest.h>

namespace strata::contact {

namespace {

TEST(RequireVisits, AcceptsLaunchesThatVisitAll)
{
  for (index_t const count : {0, 1, 7, 64, 1009})
    EXPECT_NO_THROW(require_visits(count));
}

} // namespace

} // namespace strata::contact
