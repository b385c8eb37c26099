#include "base/error.hpp"
#include "measure/turns.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace strata::measure {

namespace {

/// Two sides in threads of one process; what they measured, in the order of time.
class TurnsTest : public ::testing::Test
{
protected:
  using Side = std::function<void(Turns&)>;

  void meet(Side const& first, Side const& second)
  {
    auto const path =
        std::filesystem::temp_directory_path() / ("turns-" + std::to_string(::getpid()));
    std::filesystem::remove(path);
    auto const run = [&](bool is_first, Side const& side) {
      Turns turns({is_first, path.string()});
      side(turns);
    };
    std::thread other(run, false, second);
    run(true, first);
    other.join();
    std::filesystem::remove(path);
  }

  /// Takes the samples of a round.
  void round(Turns& turns, std::string const& side, int samples)
  {
    for (int i = 1; i <= samples; ++i) {
      turns.begin();
      {
        std::scoped_lock const lock(mutex_);
        ++measuring_;
        EXPECT_EQ(measuring_, 1) << "both measure at once";
        order_ += side + std::to_string(i) + ' ';
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      {
        std::scoped_lock const lock(mutex_);
        --measuring_;
      }
      turns.end();
    }
  }

  std::string order_;

private:
  std::mutex mutex_;
  int measuring_ = 0;
};

TEST_F(TurnsTest, TheSidesBeginInTurn)
{
  auto const side = [&](std::string const& name) {
    return [this, name](Turns& turns) {
      for (int i = 0; i < 2; ++i) {
        round(turns, name, 3);
        auto const wish = turns.agree({});
        EXPECT_FALSE(wish.again);
        EXPECT_FALSE(wish.stop);
      }
      EXPECT_GT(turns.waited_s(), 0);
    };
  };
  meet(side("a"), side("b"));
  EXPECT_EQ(order_, "a1 b1 b2 a2 a3 b3 b1 a1 a2 b2 b3 a3 ");
}

TEST_F(TurnsTest, OneSideIsEnoughToBeginAgainAndBothEnd)
{
  auto const side = [&](bool is_first) {
    return [is_first](Turns& turns) {
      auto wish = turns.agree({.again = is_first, .stop = true});
      EXPECT_TRUE(wish.again);
      EXPECT_TRUE(wish.stop);
      wish = turns.agree({.again = false, .stop = !is_first});
      EXPECT_FALSE(wish.again);
      EXPECT_FALSE(wish.stop);
    };
  };
  meet(side(true), side(false));
}

// A case that only one build has.
TEST_F(TurnsTest, ASideMayHaveMoreSamplesInARound)
{
  for (bool const first_has_more : {true, false}) {
    order_.clear();
    auto const side = [&](std::string const& name, bool more) {
      return [this, name, more](Turns& turns) {
        for (int i = 0; i < 3; ++i) {
          round(turns, name, more ? 4 : 1);
          turns.agree({});
        }
      };
    };
    meet(side("a", first_has_more), side("b", !first_has_more));
    EXPECT_EQ(order_, first_has_more ? "a1 b1 a2 a3 a4 b1 a1 a2 a3 a4 a1 b1 a2 a3 a4 "
                                     : "a1 b1 b2 b3 b4 b1 a1 b2 b3 b4 a1 b1 b2 b3 b4 ");
  }
}

TEST_F(TurnsTest, ASideGoesOnAloneWhereTheOtherEnds)
{
  auto const ends = [&](Turns& turns) { round(turns, "a", 1); };
  auto const goes_on = [&](Turns& turns) {
    round(turns, "b", 3);
    EXPECT_TRUE(turns.agree({.again = false, .stop = true}).stop);
    round(turns, "b", 1);
  };
  meet(ends, goes_on);
  EXPECT_EQ(order_, "a1 b1 b2 b3 b1 ");
}

TEST(Meeting, NamesASideAndASocket)
{
  auto const found = Meeting::parse("second:/tmp/a:b");
  EXPECT_FALSE(found.first);
  EXPECT_EQ(found.path, "/tmp/a:b");
  EXPECT_TRUE(Meeting::parse("first:x").first);
  for (auto const* const wrong : {"", "first", "third:x", "first:"})
    EXPECT_THROW(Meeting::parse(wrong), std::invalid_argument) << wrong;
  EXPECT_NO_THROW(Meeting::parse("first:" + std::string(107, 'x')));
  EXPECT_THROW(Meeting::parse("first:" + std::string(108, 'x')), std::invalid_argument);
}

TEST(Turns, SayWhereTheyCannotMeet)
{
  try {
    Turns const turns({true, "/no/such/folder/turns"});
    FAIL();
  } catch (Error const& error) {
    EXPECT_EQ(error.exit(), Exit::placement);
    EXPECT_STREQ(error.what(), "--in-turn /no/such/folder/turns: No such file or directory");
  }
}

} // namespace

} // namespace strata::measure
