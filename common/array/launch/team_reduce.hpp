#pragma once

#include "device_loop.hpp"
#include "team.hpp"

#include "../../base/kokkos.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

// A reduction to one number on an NVIDIA GPU by teams, in one launch: the host makes it in two
// thirds of the time that Kokkos' own takes (H100, when teams were Kokkos', too: 4.2 us, 5.9),
// and its last steps are shorter.

namespace strata::detail {

/// Whether Execution reduces to a Sum by teams.
template <class Execution, class Sum>
inline constexpr bool reduces_by_teams = false;
#if defined(KOKKOS_ENABLE_CUDA)
template <class Sum>
inline constexpr bool reduces_by_teams<Kokkos::Cuda, Sum> =
    std::is_arithmetic_v<Sum> && sizeof(Sum) <= sizeof(double);
#endif

/// Steps of a team's thread, at least, where one team suffices for so many: fewer teams share a
/// sum then.
inline constexpr index_t least_steps = 4;

/// Memory of the device in which the teams of a launch hand their sums to the last team. A sum
/// is two words, and each has the launch's number beside its half: who waits until both have
/// the number of its launch needs no fence and no ticket. (Such words are those of NCCL's
/// protocol LL.) Kokkos' finalize frees it.
class HandedSums
{
public:
  template <class Execution>
  static HandedSums allocate(int teams, unsigned number = 1)
  {
    using Memory = typename Execution::memory_space;
    using Words = Kokkos::View<Word*, Memory, Kokkos::MemoryUnmanaged>;
    auto const count = 2 * static_cast<std::size_t>(teams) + 1;
    auto* const words = static_cast<Word*>(
        Kokkos::kokkos_malloc<Memory>("strata::HandedSums", sizeof(Word) * count));
    Kokkos::push_finalize_hook([words] { Kokkos::kokkos_free<Memory>(words); });
    Kokkos::deep_copy(Words(words, count), Word{0});
    Kokkos::deep_copy(Words(words + 2 * teams, 1), Word{number});
    return {words, teams};
  }

  /// The number of this launch: never 0, which no sum was handed with.
  KOKKOS_FUNCTION unsigned number() const { return static_cast<unsigned>(words_[2 * teams_]); }
  template <class Sum>
  KOKKOS_FUNCTION void hand(index_t team, Sum const& sum, unsigned number) const
  {
    Word bits = 0;
    std::memcpy(&bits, &sum, sizeof(Sum));
    Word const tag = Word{number} << 32;
    Word volatile* const to = words_ + 2 * team;
    to[0] = tag | (bits & half);
    to[1] = tag | (bits >> 32);
  }
  /// Waits for a team's sum.
  template <class Sum>
  KOKKOS_FUNCTION Sum handed(index_t team, unsigned number) const
  {
    Word const volatile* const from = words_ + 2 * team;
    Word low = 0;
    Word high = 0;
    do {
      low = from[0];
      high = from[1];
    } while (low >> 32 != number || high >> 32 != number);
    Word const bits = high << 32 | (low & half);
    Sum sum;
    std::memcpy(&sum, &bits, sizeof(Sum));
    return sum;
  }
  /// After all sums were handed: gives the next launch its number. When the numbers begin anew,
  /// words that were last handed 2^32 launches ago must not be taken for its own.
  template <class Team>
  KOKKOS_FUNCTION void end(Team const& team, unsigned number) const
  {
    bool const anew = number + 1 == 0;
    if (anew)
#if defined(__CUDA_ARCH__)
#pragma unroll 1 // once in 2^32 launches: the others fetch less code
#endif
      for (int k = team.rank(); k < 2 * teams_; k += Team::size)
        words_[k] = 0;
    if (team.rank() == 0)
      words_[2 * teams_] = anew ? 1 : number + 1;
  }

private:
  using Word = std::uint64_t;
  static constexpr Word half = 0xffffffff;

  HandedSums(Word* words, int teams)
      : words_(words)
      , teams_(teams)
  {
  }

  Word* words_;
  int teams_;
};

/// Loop is a DeviceReduce. The last team, which waits for all others, is the one with the
/// greatest number: teams start in the order of their numbers. It adds their sums in that
/// order.
template <class Loop>
struct TeamReduce
{
  using Sum = typename Loop::value_type;
  static constexpr int members = Loop::block;
  static constexpr unsigned teams_at_once = Loop::blocks_at_once;

  char const* label;
  Loop loop;
  int teams;
  HandedSums sums;
  Sum* result;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    bool const is_last = team.index() == teams - 1;
    Sum sum{};
    index_t const item = team.index() * members + team.rank();
    if (item < loop.items())
      loop(item, sum);
    unsigned number = 0; // loaded by those that use it: all would wait for one word
    if (teams > 1 && (is_last || team.rank() == 0))
      number = sums.number();
    sum = team.sum(sum);
    if (!is_last) {
      if (team.rank() == 0)
        sums.hand(team.index(), sum, number);
      return;
    }
    if (teams > 1) {
      Sum others{};
      for (int k = team.rank(); k < teams - 1; k += members)
        others += sums.template handed<Sum>(k, number);
      sum += team.sum(others);
      sums.end(team, number);
    }
    if (team.rank() == 0)
      *result = sum;
  }
};

/// Launches the loop; `result` lies in the device's memory.
template <class Execution, class Loop, class Label>
void reduce_by_teams(Label const& label, Loop const& loop, typename Loop::value_type* result)
{
  using Kernel = TeamReduce<Loop>;
  // A DeviceReduce has a thread for each that its blocks_at_once have, at most.
  static auto const sums = HandedSums::allocate<Execution>(static_cast<int>(std::max<index_t>(
      1, Execution().concurrency() / multiprocessor_items * Kernel::teams_at_once)));
  auto const teams = static_cast<int>((loop.items() + Kernel::members - 1) / Kernel::members);
  for_each_team<Kernel::members, Execution>(teams, Kernel{label, loop, teams, sums, result});
}

} // namespace strata::detail
