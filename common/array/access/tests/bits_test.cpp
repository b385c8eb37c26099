#include "array/access/on_host.hpp"
#include "array/dense/bit_array.hpp"
#include "array/launch/elementwise.hpp"
#include "array/launch/for_each.hpp"
#include "array/span/subspan.hpp"
#include "array/tests/on_host.hpp"
#include "measure/work.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <type_traits>
#include <vector>

namespace strata {

namespace {

using namespace test;

using Mutable = AccessBits::accessor<bool>;
using Constant = AccessBits::accessor<bool const>;
static_assert(std::is_trivially_copyable_v<Mutable> &&
              std::is_trivially_copyable_v<BitPointer<BitWord>>);
static_assert(std::is_same_v<Mutable::reference, BitReference> &&
              std::is_same_v<Constant::reference, bool>);
static_assert(std::is_same_v<decltype(Mutable::access({}, 0)), BitReference>);
static_assert(std::is_convertible_v<BitPointer<BitWord>, BitPointer<BitWord const>>);
static_assert(!std::is_convertible_v<BitPointer<BitWord const>, BitPointer<BitWord>>);
static_assert(!Packable<AccessBits, bool>, "packs are of whole words");
static_assert(bit_pack_width<Host> == 512 && bit_write_width<Host> == 256);

/// A bit that depends on i, without a period that a word has.
KOKKOS_FUNCTION bool pattern(index_t i)
{
  return (i * i + i / 7) % 5 < 2;
}

/// values(i) = pattern(i)
template <class Values>
struct PlacePattern
{
  static constexpr char const* name() { return "strata::test::PlacePattern"; }
  Values values;
  KOKKOS_FUNCTION void operator()(index_t i) const { values(i) = pattern(i); }
};

std::vector<bool> bits_of(std::vector<BitWord> const& words)
{
  std::vector<bool> bits;
  for (auto const word : words)
    for (int b = 0; b < word_bits; ++b)
      bits.push_back((word >> b & 1U) != 0);
  return bits;
}

TEST(AccessBits, WritesOneBitAndNoOther)
{
  for (bool const value : {false, true})
    for (std::size_t i = 0; i < 192; ++i) {
      std::vector<BitWord> words(3, value ? 0 : ~BitWord{0});
      Mutable::access(BitPointer<BitWord>(words.data()), i) = value;
      auto expected = std::vector<bool>(192, !value);
      expected[i] = value;
      EXPECT_EQ(bits_of(words), expected) << i;
      EXPECT_EQ(Mutable::access(BitPointer<BitWord>(words.data()), i), value);
      EXPECT_EQ(Constant::access(BitPointer<BitWord const>(words.data()), i), value);
    }
}

TEST(AccessBits, HasHandlesToAnyBit)
{
  std::vector<BitWord> const words{0, BitWord{1} << 5, 0};
  BitPointer<BitWord const> const p(words.data());
  for (std::size_t i = 0; i < 192; ++i)
    for (std::size_t k = 0; k + i < 192; k += 13) {
      auto const there = Constant::offset(Constant::offset(p, i), k);
      EXPECT_EQ(Constant::access(there, 0), i + k == 69);
      EXPECT_LT(there.bit, 64U);
    }
}

TEST(AccessBits, ReferencesAssignValues)
{
  std::vector<BitWord> words{1};
  BitPointer<BitWord> const p(words.data());
  auto const first = Mutable::access(p, 0);
  auto const second = Mutable::access(p, 1);
  second = first;
  EXPECT_EQ(words[0], 3U);
  first = false;
  EXPECT_EQ(words[0], 2U);
}

/// Packs of W at every bit touch exactly their elements.
template <int W>
void expect_packs()
{
  constexpr std::size_t count = 3 * W;
  for (std::size_t at = 0; at + W <= count; ++at) {
    std::vector<BitWord> words(count / word_bits);
    BitPointer<BitWord> const p(words.data());
    std::vector<bool> expected(count);
    for (std::size_t i = 0; i < count; ++i)
      Mutable::access(p, i) = expected[i] = pattern(static_cast<index_t>(i));
    auto pack = Mutable::load<W>(p, at);
    auto const same = Constant::load<W>(p, at);
    EXPECT_EQ(std::memcmp(&pack, &same, sizeof(pack)), 0);
    for (int w = 0; w < W; ++w)
      EXPECT_EQ((pack.word[w / 64] >> (w % 64) & 1U) != 0,
                expected[at + static_cast<std::size_t>(w)]);
    for (int k = 0; k < pack.words; ++k)
      pack.word[k] = ~pack.word[k];
    PackReference<Mutable, W> const there(p, at);
    there = pack;
    for (std::size_t i = at; i < at + W; ++i)
      expected[i] = !expected[i];
    EXPECT_EQ(bits_of(words), expected) << at;
  }
}

TEST(AccessBits, MovesPacksAtAnyBit)
{
  expect_packs<64>();
  expect_packs<128>();
  expect_packs<512>();
}

using Bits = BitArray<Dynamic<1>, LayoutRight>;

/// Elements [0, count) of `bits` by the host, one after the other.
std::vector<bool> found_in(Bits const& bits)
{
  auto const words = on_host(bits.words());
  std::vector<bool> found;
  for (index_t i = 0; i < bits.size(); ++i)
    found.push_back(
        Constant::access(BitPointer<BitWord const>(words.data()), static_cast<std::size_t>(i)));
  return found;
}

std::vector<bool> patterns(index_t count)
{
  std::vector<bool> expected;
  for (index_t i = 0; i < count; ++i)
    expected.push_back(pattern(i));
  return expected;
}

template <int W>
void expect_set_and_copy(index_t count)
{
  Bits const a("strata::test::a", Dynamic<1>(count));
  Bits const c("strata::test::c", Dynamic<1>(count));
  auto const from = a.write();
  auto const in = a.read();
  auto const to = c.write();
  for_each(count, PlacePattern<decltype(from)>{from}); // work items share words
  for_each(count, Set<decltype(to)>{to, false}, Packs<W>{});
  EXPECT_EQ(found_in(c), std::vector<bool>(static_cast<std::size_t>(count), false));
  for_each(count, Copy<decltype(in), decltype(to)>{in, to}, Packs<W>{});
  EXPECT_EQ(found_in(c), patterns(count)) << count << " in packs of " << W;
  for_each(count, Set<decltype(to)>{to, true}, Packs<W>{});
  EXPECT_EQ(found_in(c), std::vector<bool>(static_cast<std::size_t>(count), true));
}

TEST(BitArray, IsSetAndCopiedByTheKernelsOfAnyArray)
{
  for (index_t const count : {0, 1, 63, 64, 65, 511, 512, 513, 5000}) {
    expect_set_and_copy<1>(count);
    expect_set_and_copy<64>(count);
    expect_set_and_copy<bit_pack_width<>>(count);
    expect_set_and_copy<bit_write_width<>>(count);
  }
}

/// Work item i writes the elements that item i + count / 2 has the neighbours of, W at once:
/// work items that run together, a host's two threads too, change the same words.
template <class Values, int W>
struct PlaceInterleaved
{
  static constexpr char const* name() { return "strata::test::PlaceInterleaved"; }
  Values values;
  index_t count; ///< even

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    index_t const half = count / 2;
    index_t const at = i % half * 2 + i / half;
    if constexpr (W == 1)
      values(at) = pattern(at);
    else {
      BitPack<W> pack;
      for (int k = 0; k < pack.words; ++k) {
        pack.word[k] = 0;
        for (int b = 0; b < word_bits; ++b)
          pack.word[k] |= BitWord{pattern(at * W + k * word_bits + b)} << b;
      }
      values(PackIndex<W>{at * W}) = pack;
    }
  }
};

/// From element 1 on, so that no pack begins on a word.
template <int W>
void expect_no_loss(index_t packs)
{
  index_t const count = packs * W;
  Bits const bits("strata::test::bits", Dynamic<1>(count + 1));
  auto const all = bits.write();
  auto const part = subspan(all, Range{1, count + 1});
  auto expected = patterns(count);
  for (int round = 0; round < 20; ++round) {
    bool const start = round % 2 == 1;
    for_each(count + 1, Set<decltype(all)>{all, start}, Packs<64>{});
    for_each(packs, PlaceInterleaved<decltype(part), W>{part, packs});
    expected.insert(expected.begin(), start);
    EXPECT_EQ(found_in(bits), expected) << W << " in round " << round;
    expected.erase(expected.begin());
  }
}

TEST(BitArray, LosesNoBitToOtherWritersOfItsWord)
{
  expect_no_loss<1>(50'000);
  expect_no_loss<64>(2'000);
  expect_no_loss<128>(1'000);
}

TEST(BitArray, TakesPacksInRowsThatBeginInsideWords)
{
  Dynamic<2> const extents(37, 71 + 64);
  auto const size = static_cast<std::size_t>(cardinality(extents));
  BitArray<Dynamic<2>, LayoutRight> const a("strata::test::a", extents);
  BitArray<Dynamic<2>, LayoutRight> const c("strata::test::c", extents);
  Bits const flat_a(a.words().memory(), LayoutRight::mapping<Dynamic<1>>(Dynamic<1>(a.size())));
  Bits const flat_c(c.words().memory(), LayoutRight::mapping<Dynamic<1>>(Dynamic<1>(c.size())));
  auto const pattern_of = flat_a.write();
  for_each(a.size(), PlacePattern<decltype(pattern_of)>{pattern_of});
  auto const in = a.read();
  auto const out = c.write();
  auto const walk = in_order_of<LayoutRight>(extents);
  for_each(walk, Set<decltype(out)>{out, true}, Packs<64>{});
  EXPECT_EQ(found_in(flat_c), std::vector<bool>(size, true));
  for_each(walk, Copy<decltype(in), decltype(out)>{in, out}, Packs<64>{});
  EXPECT_EQ(found_in(flat_c), patterns(c.size()));
}

TEST(BitArray, HasSubspansFromAnyBitOn)
{
  index_t const count = 700;
  index_t const first = 77;
  index_t const last = 640;
  Bits const a("strata::test::a", Dynamic<1>(count));
  Bits const c("strata::test::c", Dynamic<1>(count));
  auto const whole_a = a.write();
  auto const whole_c = c.write();
  for_each(count, PlacePattern<decltype(whole_a)>{whole_a});
  for_each(count, Set<decltype(whole_c)>{whole_c, false});
  auto const in = subspan(a.read(), Range{first, last});
  auto const out = subspan(c.write(), Range{first, last});
  for_each(last - first, Copy<decltype(in), decltype(out)>{in, out}, Packs<64>{});
  auto expected = patterns(count);
  for (index_t i = 0; i < count; ++i)
    if (i < first || i >= last)
      expected[static_cast<std::size_t>(i)] = false;
  EXPECT_EQ(found_in(c), expected);
}

TEST(BitArray, OwnsWholeWords)
{
  Bits const bits("strata::test::bits", Dynamic<1>(129));
  EXPECT_EQ(bits.label(), "strata::test::bits");
  EXPECT_EQ(bits.size(), 129);
  EXPECT_EQ(bits.words().size(), 3);
  EXPECT_EQ(Bits::bytes_for(bits.mapping()), 24);
  EXPECT_EQ(Bits().size(), 0);
  EXPECT_THROW(Bits(allocate<>("strata::test::small", 16), bits.mapping()),
               std::invalid_argument);
}

TEST(BitArray, IsReadByTheHostAndCopiedAsWords)
{
  Bits const bits("strata::test::bits", 129);
  auto const all = bits.write();
  for_each(129, Set<std::remove_const_t<decltype(all)>>{all, true});
  auto const found = host_mirror(bits);
  copy(found, bits);
  EXPECT_EQ(found.extents(), bits.extents());
  auto const read = found.read();
  for (index_t i = 0; i < 129; ++i)
    EXPECT_TRUE(read(i)) << i;
  EXPECT_THROW(copy(bits, Bits("strata::test::other", 128)), std::invalid_argument);
}

// What a kernel on bits says of its traffic is what it does: the bytes that a set changes, and
// those that a copy depends on.

class BitWork : public ::testing::TestWithParam<index_t>
{
protected:
  using HostBits = BitArray<Dynamic<1>, LayoutRight, HostSpace>;

  [[nodiscard]] HostBits array(char const* label) const
  {
    HostBits bits(label, Dynamic<1>(GetParam()));
    std::memset(bits.words().data(), 0, static_cast<std::size_t>(bytes_in(bits)));
    return bits;
  }
  static index_t bytes_in(HostBits const& bits) { return HostBits::bytes_for(bits.mapping()); }
  static unsigned char* bytes(HostBits const& bits)
  {
    return reinterpret_cast<unsigned char*>(bits.words().data());
  }
};

TEST(Bits, CountTheirBytesOnAHostToo)
{
  EXPECT_EQ(AccessOnHost<AccessBits>::bytes(9), 2);
}

TEST_P(BitWork, OfSet)
{
  auto const bits = array("strata::test::bits");
  auto const out = bits.write();
  Set<decltype(out)> const kernel{out, true};
  for_each<Host>(bits.size(), kernel, Packs<bit_pack_width<Host>>{});
  Kokkos::fence();
  index_t changed = 0;
  for (index_t b = 0; b < bytes_in(bits); ++b)
    changed += bytes(bits)[b] != 0 ? 1 : 0;
  EXPECT_EQ(work::of(kernel, bits.size()).bytes_written, changed);
  EXPECT_EQ(work::of(kernel, bits.size()).bytes_read, 0);
}

TEST_P(BitWork, OfCopy)
{
  auto const a = array("strata::test::a");
  auto const c = array("strata::test::c");
  auto const in = a.read();
  auto const out = c.write();
  Copy<decltype(in), decltype(out)> const kernel{in, out};
  index_t read = 0;
  for (index_t b = 0; b < bytes_in(a); ++b) {
    bytes(a)[b] = 0xFF;
    for_each<Host>(a.size(), kernel, Packs<bit_pack_width<Host>>{});
    Kokkos::fence();
    bytes(a)[b] = 0;
    read += bytes(c)[b] != 0 ? 1 : 0;
  }
  EXPECT_EQ(work::of(kernel, a.size()).bytes_read, read);
  EXPECT_EQ(work::of(kernel, a.size()).bytes_written, read);
}

INSTANTIATE_TEST_SUITE_P(Sizes, BitWork, ::testing::Values(1, 64, 131, 512, 1100));

} // namespace

} // namespace strata
