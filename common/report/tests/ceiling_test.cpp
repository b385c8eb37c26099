#include "example.hpp"

#include "report/ceiling.hpp"

#include <gtest/gtest.h>

namespace strata::report {
namespace {

constexpr Ceiling ceiling{.read = 4, .write = 1, .copy = 2, .triad = 3};

TEST(Bound, IsThatOfTheSameMixOfReadsAndWrites)
{
  auto const bound = [](std::int64_t reads, std::int64_t writes) {
    auto const found = bound_of(ceiling, {reads, writes, 0});
    return std::pair(found.rate, found.name);
  };
  EXPECT_EQ(bound(7, 0), std::pair(4.0, std::string("read")));
  EXPECT_EQ(bound(0, 7), std::pair(1.0, std::string("write")));
  EXPECT_EQ(bound(7, 7), std::pair(2.0, std::string("copy")));
  EXPECT_EQ(bound(14, 7), std::pair(3.0, std::string("triad")));
  EXPECT_EQ(bound(1000, 9).second, "read"); // a vector beside a matrix
}

TEST(Bound, LiesBetweenItsNeighboursByTimePerByte)
{
  auto const found = bound_of(ceiling, {1, 3, 0}); // half write, half copy
  EXPECT_EQ(found.name, "write-copy");
  EXPECT_DOUBLE_EQ(found.rate, 1 / ((1.0 / 1 + 1.0 / 2) / 2));
  EXPECT_EQ(bound_of(ceiling, {3, 1, 0}).name, "triad-read");
  EXPECT_DOUBLE_EQ(bound_of(ceiling, {5, 1, 0}).rate, 1 / ((1.0 / 3 + 1.0 / 4) / 2));
}

TEST(Ceiling, IsTheRatesOfItsCases)
{
  auto const found = ceiling_of(example::record().ceilings);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->read, 3.9e12, 1e3);
  EXPECT_NEAR(found->write, 3.1e12, 1e3);
  EXPECT_NEAR(found->copy, 3.8e12, 1e3);
  EXPECT_NEAR(found->triad, 4e12, 1e3);
}

TEST(Ceiling, IsMissingWhereACaseIs)
{
  for (std::size_t i = 0; i < 4; ++i) {
    auto record = example::record();
    record.ceilings[i].status = Status::failed;
    record.ceilings[i].reason = "wrong";
    EXPECT_FALSE(ceiling_of(record.ceilings));
    EXPECT_EQ(why_no_ceiling(record), record.ceilings[i].label + " failed: wrong");
    record.ceilings.erase(record.ceilings.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(ceiling_of(record.ceilings));
  }
}

TEST(Share, IsTheRateOfTheBytesOverTheirBound)
{
  auto const record = example::record();
  auto const ceiling_found = ceiling_of(record.ceilings);
  auto one = example::stream_case("triad", "span", 3e-3, 0.002);
  auto const share = share_of(ceiling_found, one);
  ASSERT_TRUE(share);
  EXPECT_NEAR(share->of_bound, 1, 1e-9);
  EXPECT_EQ(share->bound, "triad");
  EXPECT_FALSE(share_of(std::nullopt, one));
  one.work = {0, 0, 1000};
  EXPECT_FALSE(share_of(ceiling_found, one));
  one.work = {1, 1, 0};
  one.samples_s.clear();
  EXPECT_FALSE(share_of(ceiling_found, one));
}

} // namespace
} // namespace strata::report
