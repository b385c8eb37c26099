#pragma once

#include "contact_rows.hpp"

#include "base/bit_word.hpp"
#include "search/touching.hpp"

#include <cstdint>

namespace strata::contact {

/// Contacts that began and ended.
struct Changes
{
  tally_t began = 0;
  tally_t ended = 0;
};

/// Finds the births of a row's entries by neighbour; fast if asked in about the order of the
/// entries.
template <class View>
class BirthsInTurn
{
public:
  KOKKOS_FUNCTION BirthsInTurn(View const& view, index_t row)
      : view_(view)
      , begin_(view.begin(row))
      , end_(view.end(row))
      , next_(begin_)
  {
  }
  /// −1 where there is no such entry.
  KOKKOS_FUNCTION std::int32_t of(std::int32_t neighbour)
  {
    for (index_t e = next_; e < end_; ++e)
      if (view_.neighbour(e) == neighbour) {
        next_ = e + 1;
        return view_.born(e);
      }
    for (index_t e = begin_; e < next_; ++e)
      if (view_.neighbour(e) == neighbour)
        return view_.born(e);
    return -1;
  }

private:
  View const& view_;
  index_t begin_, end_, next_;
};

/// Removes the entries of a row whose contact has ended, keeps the births of the others, and
/// adds those that have begun.
template <class Touch, class View>
struct UpdateRow
{
  static constexpr char const* name() { return "strata::contact::UpdateRow"; }
  Touching<Touch> touching;
  View view;
  Changes* changes;
  std::int32_t step;

  /// Updates the entry's gap; returns false if its contact has ended.
  template <class Entry>
  KOKKOS_FUNCTION bool renew(index_t row, Entry entry) const
  {
    auto const& now = touching.now;
    index_t const j = view.neighbour(entry);
    if (j < 0)
      return false;
    view.gap(entry) = now.gap(row, j);
    return now.is(row, j);
  }
  struct Parted
  {
    index_t kept = 0;
    index_t ended = 0;
  };
  /// Removes ended entries. On a GPU, all numbered entries are tested before one is removed, so
  /// that several loads are in flight; on a host this gains nothing.
  KOKKOS_FUNCTION Parted part(index_t row) const
  {
    auto const move = [this](auto to, auto from) { view.move(to, from); };
    Parted parted;
    if constexpr (!device_is_host && NumberedRowsView<View>) {
      index_t const length = view.length(row);
      if (length == view.numbered(row) && length <= 64) {
        std::uint64_t ended = 0;
        for (int k = 0; k < static_cast<int>(length); ++k)
          ended |= static_cast<std::uint64_t>(!renew(row, view.entry(row, k))) << k;
        parted.ended = bits_set(ended);
        parted.kept = length - parted.ended;
        remove_numbered(view, row, ended, move);
        return parted;
      }
    }
    parted.ended = view.remove_if(
        row,
        [&](auto entry) {
          bool const stays = renew(row, entry);
          parted.kept += stays ? 1 : 0;
          return !stays;
        },
        move);
    return parted;
  }
  /// Everything is inlined, as which parts GCC inlines by itself depends on what else a source
  /// file has.
  [[gnu::flatten]] KOKKOS_FUNCTION void operator()(index_t row) const
  {
    auto const [kept, ended] = part(row);
    index_t began = 0;
    index_t const words = touching.words(row);
    for (index_t number = 0; number < words; ++number) {
      auto const bits = touching.word(row, number);
      if (words == 1 && bits_set(bits) == kept)
        break; // entries are candidates: none has begun
      touching.for_each(row, number, bits, [&](index_t j) {
        bool there = false;
        view.for_each_entry(row, [&](auto entry) { there |= view.neighbour(entry) == j; });
        if (!there &&
            view.add(row, touching.now.gap(row, j), static_cast<std::int32_t>(j), step))
          ++began;
      });
    }
    if (began > 0)
      Kokkos::atomic_add(&changes->began, static_cast<tally_t>(began));
    if (ended > 0)
      Kokkos::atomic_add(&changes->ended, static_cast<tally_t>(ended));
  }
};

/// The first pass that rewrites rows: stores the lengths, and the first word of bits of each
/// row for the second pass.
template <class Touch>
struct CountTouching
{
  static constexpr char const* name() { return "strata::contact::CountTouching"; }
  Touching<Touch> touching;
  RaggedCountView view;
  std::uint64_t* first_word;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    index_t const words = touching.words(row);
    auto const first = words > 0 ? touching.word(row, 0) : 0;
    first_word[row] = first;
    index_t entries = bits_set(first);
    for (index_t number = 1; number < words; ++number)
      entries += bits_set(touching.word(row, number));
    view.count(row, entries);
  }
};

/// The second pass that rewrites rows: an entry of the old row keeps its birth.
template <class Touch, class Old, class View>
struct RewriteRow
{
  static constexpr char const* name() { return "strata::contact::RewriteRow"; }
  Touching<Touch> touching;
  Old old;
  View view;
  std::uint64_t const* first_word;
  Changes* changes;
  std::int32_t step;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    BirthsInTurn<Old> births(old, row);
    index_t began = 0;
    index_t kept = 0;
    index_t const words = touching.words(row);
    for (index_t number = 0; number < words; ++number) {
      auto const bits = number == 0 ? first_word[row] : touching.word(row, number);
      index_t entry = view.append(row, bits_set(bits));
      if (entry < 0)
        return;
      touching.for_each(row, number, bits, [&](index_t j) {
        auto const neighbour = static_cast<std::int32_t>(j);
        auto const born = births.of(neighbour);
        view.set(entry++, touching.now.gap(row, j), neighbour, born < 0 ? step : born);
        ++(born < 0 ? began : kept);
      });
    }
    index_t const ended = old.length(row) - kept;
    if (began > 0)
      Kokkos::atomic_add(&changes->began, static_cast<tally_t>(began));
    if (ended > 0)
      Kokkos::atomic_add(&changes->ended, static_cast<tally_t>(ended));
  }
};

} // namespace strata::contact
