#include "array/ragged/ragged_for_each.hpp"
#include "array/tests/on_host.hpp"
#include "testing/listener.hpp"
#include "testing/thread_team.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <vector>

namespace strata {

namespace {

/// Lines of 0 to 40 elements, one of 5000, and many empty ones.
struct Lengths
{
  KOKKOS_FUNCTION index_t operator()(index_t line) const
  {
    if (line >= 1000 && line < 2000)
      return 0;
    return line == 7 ? 5000 : line * line % 41;
  }
};

/// Adds to each element what tells its indices.
template <class A>
struct AddPlaces
{
  static constexpr char const* name() { return "strata::test::AddPlaces"; }
  A a;

  template <class I, class J>
  KOKKOS_FUNCTION void operator()(I i, J j) const
  {
    a(i, j) += place(i, j);
  }
  static KOKKOS_FUNCTION double place(index_t i, index_t j)
  {
    return static_cast<double>(1 + 10000 * i + j);
  }
  template <int W>
  static KOKKOS_FUNCTION Pack<double, W> place(index_t i, PackIndex<W> j)
  {
    Pack<double, W> places;
    for (int w = 0; w < W; ++w)
      places.lane[w] = place(i, j.first + w);
    return places;
  }
  template <int W>
  static KOKKOS_FUNCTION Pack<double, W> place(PackIndex<W> i, index_t j)
  {
    Pack<double, W> places;
    for (int w = 0; w < W; ++w)
      places.lane[w] = place(i.first + w, j);
    return places;
  }
};

template <class A, int W>
void visits_each_element_once(bool rows)
{
  testing::Listener const listener;
  for (index_t const lines : {0, 1, 5, 60, 2000, 3000}) {
    A const array("strata::test::ragged", lines, Lengths());
    fill(array.values(), 0.0);
    auto const a = array.write();
    for_each(in_order_of(a), AddPlaces<decltype(a)>{a}, Packs<W>{});
    test::Scalar const sum("strata::test::sum", Extents<index_t>());
    auto const read = array.read();
    reduce(in_order_of(read), Sum<decltype(read)>{read}, sum.write(), Packs<W>{});

    double expected = 0;
    index_t at = 0;
    auto const host = test::on_host(array.values());
    for (index_t line = 0; line < lines; ++line)
      for (index_t k = 0; k < Lengths{}(line); ++k) {
        double const place = rows ? static_cast<double>(1 + 10000 * line + k)
                                  : static_cast<double>(1 + 10000 * k + line);
        ASSERT_EQ(host.read()(at++), place) << line << " " << k;
        expected += place;
      }
    EXPECT_EQ(value_of(sum), expected) << lines;
  }
  EXPECT_EQ(listener.strangers(), std::vector<std::string>());
}

TEST(RaggedForEach, VisitsEachElementOnce)
{
  visits_each_element_once<RaggedRight<double>, 1>(true);
  visits_each_element_once<RaggedDown<double>, 1>(false);
}

TEST(RaggedForEach, VisitsPacksAndWhatIsLeft)
{
  visits_each_element_once<RaggedRight<double>, 2>(true);
  visits_each_element_once<RaggedDown<double>, 2>(false);
  if constexpr (device_is_host) {
    visits_each_element_once<RaggedRight<double>, 8>(true);
  }
}

/// Goes through an array as a GPU does, by teams of four threads, with two teams too many.
template <int W, class Lengths>
void visit_by_teams(index_t lines, Lengths const& lengths)
{
  RaggedRight<double, HostSpace> const array("strata::test::ragged", lines, lengths);
  auto const values = array.values().write();
  for (index_t entry = 0; entry < values.extent(0); ++entry)
    values(entry) = 0;
  auto const a = array.write();
  auto const walk = in_order_of(a);
  using For = detail::PieceFor<std::remove_const_t<decltype(walk)>, AddPlaces<decltype(a)>, W>;
  static_assert(For::elements > 5 * 41, "a piece has several lines");
  testing::run_on_threads<4>(walk.elements() / For::elements + 2, For{walk, {a}, {}});
  for (index_t line = 0; line < walk.lines().rows(); ++line)
    for (index_t k = 0; k < walk.lines().length(line); ++k)
      ASSERT_EQ(a(line, k), static_cast<double>(1 + 10000 * line + k)) << line << ' ' << k;
}

TEST(RaggedForEach, TeamsOfAGpuVisitPiecesOfManyLines)
{
  visit_by_teams<2>(3000, Lengths());
  visit_by_teams<1>(1000, Lengths());
  visit_by_teams<2>(1, [](index_t) { return index_t{5001}; });
  visit_by_teams<2>(40, [](index_t) { return index_t{0}; });
}

TEST(RaggedForEach, KnowsTheMemoryThatAKernelReads)
{
  RaggedRight<double> const array("strata::test::ragged", 60, Lengths());
  auto const to = array.write();
  auto const from = array.read();
  auto const reads = detail::operands(Copy<decltype(from), decltype(to)>{from, to});
  static_assert(std::is_same_v<decltype(reads), detail::Operands<1> const>);
  EXPECT_EQ(static_cast<void const*>(reads.of[0].data), from.values().data_handle());
  EXPECT_EQ(reads.of[0].element_bytes, 8);
  EXPECT_EQ(reads.of[0].bytes, 8 * array.values().extent(0));
  auto const both =
      detail::operands(Add<decltype(from), decltype(to), decltype(to)>{from, to, to});
  EXPECT_EQ(both.of[0].data, reads.of[0].data);
  EXPECT_EQ(both.of[1].data, reads.of[0].data) << "of a span that may be written, too";
  auto const none = detail::operands(AddPlaces<decltype(to)>{to});
  static_assert(std::is_same_v<decltype(none), detail::Operands<0> const>, "it names nothing");
}

TEST(RaggedForEach, DealsElementsAndNotLinesToAHostsThreads)
{
  RaggedRight<double, HostSpace> const array("strata::test::ragged", 60, Lengths());
  auto const walk = in_order_of(array.read());
  index_t const total = array.values().size();
  for (index_t const parts : {1, 3, 7}) {
    index_t all = 0;
    for (index_t part = 0; part < parts; ++part) {
      index_t mine = 0;
      walk.template pieces<8, 4>(part, parts, [&](index_t line, index_t begin, index_t end) {
        EXPECT_LT(begin, end);
        bool const aligned = (walk.lines().begin(line) + begin) % 4 == 0;
        EXPECT_TRUE(aligned || end - begin < 4) << line;
        mine += end - begin;
      });
      EXPECT_LE(std::abs(mine - total / parts), 8);
      all += mine;
    }
    EXPECT_EQ(all, total);
  }
}

} // namespace

} // namespace strata
