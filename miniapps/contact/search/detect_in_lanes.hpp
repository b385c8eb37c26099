#pragma once

#include "kept_rows.hpp"
#include "row_views.hpp"

#include "base/bit_word.hpp"
#include "grid/cell_table.hpp"
#include "grid/lanes.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

// A search on a host: neighbouring slots, one in each lane of vectors, are tested with one
// candidate after another. Most of their candidates are the same.

namespace strata::contact {

template <class Kernel>
struct DetectInLanes;

#if defined(STRATA_LANES)

/// Kernel is a Detect whose Touch TestsLanes. A work item searches for `lanes` slots.
template <class Kernel>
struct DetectInLanes
{
  static constexpr char const* name() { return Kernel::name(); }
  Kernel detect;
  index_t slots;
  index_t rows;

  /// Inlined whole, as a BySlot is.
  [[gnu::flatten]] void operator()(index_t item) const
  {
    auto const& at = detect.touch.in.at;
    auto const& cells = detect.cells;
    index_t const end = std::min((item + 1) * lanes, slots);
    for (index_t first = item * lanes; first < end;) {
      double const y = at[1][first];
      double const z = at[2][first];
      index_t last = std::min<index_t>(end, cells.end_of_line(y, z));
      auto const farthest = cells.place_along(0, at[0][first]) + apart;
      while (cells.place_along(0, at[0][last - 1]) > farthest)
        --last;
      search(first, last - first,
             NearStretches::of_line(cells, at[0][first], at[0][last - 1], y, z));
      first = last;
    }
  }

private:
  using View = decltype(Kernel::view);
  static constexpr bool counts = OnlyCounts<View>;
  static constexpr bool keeps = counts && Keeps<View>;
  static constexpr bool recalls = !counts && Keeps<View>;
  /// How many cells the slots of one search are apart at most: beside a gap in a line of cells,
  /// its neighbours may have any number of objects. Grids have up to four cells an object.
  static constexpr index_t apart = 4 * lanes;
  static constexpr index_t registers = lanes / register_lanes;
  static constexpr int word_bits = KeptBits::word_bits;

  /// Finds the entries of `count` slots from `first` on, which lie in one line of cells.
  void search(index_t first, index_t count, NearStretches stretches) const
  {
    index_t one = -1;
    for_each_row(first, count, [&](index_t k, index_t) { one = first + k; });
    if (one < 0)
      return;
    prefetch_rows(first, count);
    if constexpr (recalls)
      if (detect.view.kept(one).fits()) // all of these slots have the same candidates
        return recall(first, count, stretches);
    Kernel const by = detect;
    Keeping found[lanes];
    std::int32_t candidate[word_bits];
    std::int32_t j = 0;
    std::int32_t end = 0;
    index_t itself = -lanes; // which of the candidates is the first slot
    for (bool more = true; more; itself -= word_bits) {
      LaneMasks words[registers] = {};
      LaneMasks bit = LaneMasks{} + 1;
      int candidates = 0;
      while (candidates < word_bits) {
        if (j == end) {
          more = stretches.next(j, end);
          if (!more)
            break;
          if (j <= first && first < end)
            itself = candidates + first - j;
        }
        for (; j < end && candidates < word_bits; ++j, bit <<= 1) {
          for (index_t r = 0; r < registers; ++r)
            words[r] |= by.touch.near(j, LaneIndex{first + r * register_lanes}) & bit;
          candidate[candidates++] = j;
        }
      }
      if (candidates == 0)
        break;
      std::uint64_t near[lanes];
      std::memcpy(near, words, sizeof(near));
      for_each_row(first, count, [&](index_t k, index_t row) {
        if (index_t const own = itself + k; 0 <= own && own < word_bits)
          near[k] &= ~(std::uint64_t{1} << own);
        if (!detect.near_is_entry())
          for (auto left = near[k]; left != 0; left &= left - 1)
            if (!detect.is_entry(row, first + k, candidate[lowest_bit(left)]))
              near[k] ^= left & -left;
        if constexpr (counts)
          found[k].take(near[k]);
        else
          add(by, row, first + k, candidate, near[k]);
      });
    }
    if constexpr (counts)
      for_each_row(first, count, [&](index_t k, index_t row) {
        detect.view.count(row, found[k].count());
        if constexpr (keeps)
          detect.view.kept(first + k) = found[k].bits();
      });
  }

  /// Adds the entries that the first pass has kept.
  void recall(index_t first, index_t count, NearStretches stretches) const
  {
    std::int32_t candidate[KeptBits::room];
    int candidates = 0;
    std::int32_t j = 0;
    for (std::int32_t end = 0; stretches.next(j, end);)
      for (; j < end; ++j)
        candidate[candidates++] = j;
    Kernel const by = detect;
    for_each_row(first, count, [&](index_t k, index_t row) {
      auto const kept = by.view.kept(first + k);
      index_t entry = by.view.entry(row, 0);
      set(by, entry, first + k, candidate, kept.word[0]);
      set(by, entry, first + k, candidate + word_bits, kept.word[1]);
    });
  }

  /// Calls f(k, row) for each slot first + k that has a row.
  template <class F>
  void for_each_row(index_t first, index_t count, F const& f) const
  {
    for (index_t k = 0; k < count; ++k)
      if (index_t const row = detect.touch.in.order[first + k]; row < rows)
        f(k, row);
  }
  /// Rows of neighbouring slots lie anywhere in memory. Inlined by force, as prefetch() says.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_rows(index_t first, index_t count) const
  {
    auto const& view = detect.view;
    if constexpr (SetsByNumber<View> && requires { view.prefetch(index_t{}); })
      for (index_t k = 0; k < count; ++k)
        if (index_t const row = detect.touch.in.order[first + k]; row < rows)
          view.prefetch(view.entry(row, 0));
  }

  // `by` is a copy of `detect` on the caller's stack: of an object whose address others may
  // have, GCC would load the members again for every entry, as a store might have changed them.

  /// Adds the candidates of the bits that are set.
  static void add(Kernel const& by, index_t row, index_t slot, std::int32_t const* candidate,
                  std::uint64_t bits)
  {
    if constexpr (requires { by.view.append(row, index_t{}); }) {
      if (bits == 0)
        return;
      index_t entry = by.view.append(row, bits_set(bits));
      if (entry < 0)
        return;
      set(by, entry, slot, candidate, bits);
    } else
      for (; bits != 0; bits &= bits - 1)
        by.add(by.touch, row, slot, candidate[lowest_bit(bits)]);
  }
  /// Sets entries from `entry` on to them, and moves it on.
  static void set(Kernel const& by, index_t& entry, index_t slot, std::int32_t const* candidate,
                  std::uint64_t bits)
  {
    for (; bits != 0; bits &= bits - 1) {
      index_t const j = candidate[lowest_bit(bits)];
      by.view.set(entry++, by.touch.gap(slot, j), by.touch.in.order[j], by.step);
    }
  }
};

#endif

} // namespace strata::contact
