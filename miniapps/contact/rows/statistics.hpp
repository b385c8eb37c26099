#pragma once

#include "filled_rows.hpp"
#include "row_group.hpp"
#include "stored_statistics.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strata::contact {

/// The statistics of all rows folded into five words, whatever the order: how many entries, and
/// the rows' least, greatest, summed and mean gaps in quanta.
struct Digest
{
  std::uint64_t words[5] = {};

  KOKKOS_FUNCTION Digest& operator+=(Digest const& other)
  {
    for (int w = 0; w < 5; ++w)
      words[w] += other.words[w];
    return *this;
  }
};

/// What a pass finds out about the gaps of a row.
struct RowFigures
{
  int entries = 0;
  double least = HUGE_VAL;
  double greatest = -HUGE_VAL;
  double sum = 0;

  KOKKOS_FUNCTION void add(double gap)
  {
    least = gap < least ? gap : least;
    greatest = gap > greatest ? gap : greatest;
    sum += gap;
    ++entries;
  }
  /// Without a branch: an absent value is nothing(), which changes no sum.
  KOKKOS_FUNCTION void add(double gap, bool there)
  {
    least = there && gap < least ? gap : least;
    greatest = there && gap > greatest ? gap : greatest;
    sum += gap;
    entries += there ? 1 : 0;
  }
  static KOKKOS_FUNCTION double nothing() { return 0; }

#if defined(STRATA_ROW_LANES)
  /// The same of neighbouring rows, a lane each.
  struct Lanes
  {
    strata::Lanes entries = {};
    strata::Lanes least = HUGE_VAL - strata::Lanes{};
    strata::Lanes greatest = -HUGE_VAL - strata::Lanes{};
    strata::Lanes sum = {};

    void add(strata::Lanes gap, LaneMasks there)
    {
      strata::Lanes const low = there ? gap : HUGE_VAL - strata::Lanes{};
      strata::Lanes const high = there ? gap : -HUGE_VAL - strata::Lanes{};
      least = low < least ? low : least;
      greatest = high > greatest ? high : greatest;
      sum += there ? gap : strata::Lanes{};
      entries += there ? 1.0 - strata::Lanes{} : strata::Lanes{};
    }
  };
#endif
};

/// Enters what is known of rows: every figure into a digest; `keep` gets those of the row's
/// gaps.
template <class Keep>
struct EnterRows
{
  Keep const& keep;
  double per_quantum;
  Digest& digest;

  KOKKOS_FUNCTION void operator()(index_t number, RowFigures const& row) const
  {
    if (row.entries == 0) {
      keep(number, GapStatistics{});
      return;
    }
    double const mean = row.sum / row.entries;
    keep(number, GapStatistics{row.least, row.greatest, row.sum, mean});
    digest.words[0] += static_cast<std::uint64_t>(row.entries);
    digest.words[1] += quanta(row.least);
    digest.words[2] += quanta(row.greatest);
    digest.words[3] += quanta(row.sum);
    digest.words[4] += quanta(mean);
  }
#if defined(STRATA_ROW_LANES)
  void operator()(index_t first, RowFigures::Lanes const& rows) const
  {
    LaneMasks const some = rows.entries > strata::Lanes{};
    strata::Lanes const least = some ? rows.least : strata::Lanes{};
    strata::Lanes const greatest = some ? rows.greatest : strata::Lanes{};
    strata::Lanes const mean = rows.sum / (some ? rows.entries : 1.0 - strata::Lanes{});
    if constexpr (!std::is_same_v<Keep, KeepNothing>)
      for (int u = 0; u < row_lanes; ++u)
        keep(first + u, GapStatistics{least[u], greatest[u], rows.sum[u], mean[u]});
    add(0, rows.entries);
    add(1, least * per_quantum);
    add(2, greatest * per_quantum);
    add(3, rows.sum * per_quantum);
    add(4, mean * per_quantum);
  }
  void add(int word, strata::Lanes wholes) const
  {
    auto const numbers = __builtin_convertvector(wholes, LaneMasks);
    for (int u = 0; u < row_lanes; ++u)
      digest.words[word] += static_cast<std::uint64_t>(numbers[u]);
  }
#endif
  KOKKOS_FUNCTION std::uint64_t quanta(double gap) const
  {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(gap * per_quantum));
  }
};

/// Where the gap of an entry lies.
template <class View>
struct GapAddress
{
  View const& view;
  template <class Entry>
  KOKKOS_FUNCTION double const* operator()(Entry entry) const
  {
    return &view.gap(entry);
  }
};

/// A pass over all rows: entry count, minimum, maximum, sum and average of each (S5 section
/// 6.1.3).
template <class View, class Keep, class Kind>
struct RowStatistics
{
  static constexpr char const* name() { return "strata::contact::RowStatistics"; }
  using Rows = RowGroup<Kind>;
  View view;
  Keep keep;
  double per_quantum;

  KOKKOS_FUNCTION void operator()(Digest& digest, index_t group) const
  {
    fold_rows<RowFigures>(view, Rows(group, view.rows()), GapAddress<View>{view},
                          EnterRows<Keep>{keep, per_quantum, digest});
  }
};

/// The same by teams of a GPU, if most rows are empty. Each team has a digest of its own.
template <class View, class Keep>
struct FilledRowStatistics
{
  static constexpr char const* name() { return "strata::contact::FilledRowStatistics"; }
  static constexpr int members = 32;
  static constexpr unsigned teams_at_once = 32;
  static constexpr std::size_t scratch_bytes = filled_rows_bytes(members);
  View view;
  Keep keep;
  double per_quantum;
  Digest* digests;
  index_t teams;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    Digest digest;
    fold_filled_rows<RowFigures>(team, teams, view, GapAddress<View>{view},
                                 EnterRows<Keep>{keep, per_quantum, digest});
    team.sum(digest.words);
    if (team.rank() == 0)
      digests[team.index()] = digest;
  }
};

/// The sum of the teams' digests.
struct SumDigests
{
  static constexpr char const* name() { return "strata::contact::SumDigests"; }
  Digest const* digests;

  KOKKOS_FUNCTION void operator()(Digest& digest, index_t team) const
  {
    digest += digests[team];
  }
};

} // namespace strata::contact
