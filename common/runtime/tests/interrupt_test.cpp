#include "runtime/node/interrupt.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace strata::runtime {

namespace {

TEST(Interrupt, SignalsSetTheFlagAndASecondOneEndsTheProcess)
{
  EXPECT_EXIT(
      {
        watch_interrupts();
        bool const before = interrupted();
        std::raise(SIGTERM);
        std::_Exit(!before && interrupted() ? 9 : 1);
      },
      ::testing::ExitedWithCode(9), "");
  EXPECT_EXIT(
      {
        watch_interrupts();
        std::raise(SIGINT);
        if (interrupted())
          std::raise(SIGINT);
      },
      ::testing::KilledBySignal(SIGINT), "");
}

} // namespace

} // namespace strata::runtime
