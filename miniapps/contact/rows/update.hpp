#pragma once

#include "contact_rows.hpp"
#include "row_group.hpp"

#include "base/bit_word.hpp"
#include "search/candidates.hpp"
#include "search/geometry.hpp"

#include <cstdint>

namespace strata::contact {

/// Contacts that began and ended.
struct Changes
{
  tally_t began = 0;
  tally_t ended = 0;
};

/// A sphere or a point as a test reads it: a row's neighbours are anywhere, and one piece of
/// memory of each is had sooner than four (H200, counting what touches of ten million spheres:
/// 0.85 to 0.58 ms; on a host `dyn_ragged`, whose rows lie apart, is updated in 0.7 of the
/// time).
struct alignas(4 * sizeof(double)) Place
{
  double number[4]; ///< x, y, z, radius
};

struct GatherPlaces
{
  static constexpr char const* name() { return "strata::contact::GatherPlaces"; }
  Geometry in;
  Place* place;

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    place[i] = {{in.at[0][i], in.at[1][i], in.at[2][i], in.half[0][i]}};
  }
};

/// TouchingSpheres by places.
struct TouchingPlaces
{
  static constexpr bool near_is_touch = true;
  Geometry in;
  Place const* place;

  KOKKOS_FUNCTION Place of(index_t i) const
  {
    using Access = AccessReadOnly::accessor<double const>;
    auto const xy = Access::load<2>(place[i].number, 0);
    auto const zr = Access::load<2>(place[i].number, 2);
    return {{xy.lane[0], xy.lane[1], zr.lane[0], zr.lane[1]}};
  }
  static KOKKOS_FUNCTION double square(Place const& a, Place const& b)
  {
    double const x = b.number[0] - a.number[0];
    double const y = b.number[1] - a.number[1];
    double const z = b.number[2] - a.number[2];
    return x * x + y * y + z * z;
  }
  KOKKOS_FUNCTION bool near(index_t i, index_t j) const
  {
    Place const a = of(i);
    Place const b = of(j);
    double const reach = a.number[3] + b.number[3] + in.gap;
    return square(a, b) <= reach * reach;
  }
  KOKKOS_FUNCTION bool touch(index_t, index_t) const { return true; }
  KOKKOS_FUNCTION double gap(index_t i, index_t j) const
  {
    Place const a = of(i);
    Place const b = of(j);
    return in.quanta.length.rounded(sqrt(square(a, b)) - (a.number[3] + b.number[3]));
  }
};

/// The narrow phase as an update needs it: objects by local index.
template <class Touch>
struct Now
{
  Touch touch;

  KOKKOS_FUNCTION bool is(index_t i, index_t j) const
  {
    bool const near = touch.near(i, j);
    if constexpr (Touch::near_is_touch)
      if (touch.in.counts_all())
        return near;
    return near && touch.in.counts(i, j) && touch.touch(i, j);
  }
  KOKKOS_FUNCTION double gap(index_t i, index_t j) const { return touch.gap(i, j); }
};

/// The candidates of a row, and which of them touch it now, a bit each: all of a word are
/// tested before anything is done with one, since no branch predictor knows which will.
template <class Touch>
struct Touching
{
  static constexpr index_t word_bits = 64;
  Now<Touch> now;
  CandidatesView candidates;

  KOKKOS_FUNCTION index_t words(index_t row) const
  {
    return (candidates.length(row) + word_bits - 1) / word_bits;
  }
  KOKKOS_FUNCTION std::uint64_t word(index_t row, index_t number) const
  {
    index_t const first = candidates.begin(row) + number * word_bits;
    index_t const left = candidates.end(row) - first;
    auto const count = static_cast<int>(left < word_bits ? left : word_bits);
    std::uint64_t bits = 0;
    for (int k = 0; k < count; ++k)
      bits |= static_cast<std::uint64_t>(now.is(row, candidates.neighbour(first + k))) << k;
    return bits;
  }
  /// Calls f(j) for the candidates of a word's bits.
  template <class F>
  KOKKOS_FUNCTION void for_each(index_t row, index_t number, std::uint64_t bits,
                                F const& f) const
  {
    index_t const first = candidates.begin(row) + number * word_bits;
    for (; bits != 0; bits &= bits - 1)
      f(candidates.neighbour(first + lowest_bit(bits)));
  }
};

/// The births of a row's entries, asked for by their neighbours in about the order in which
/// they lie there.
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

/// Entries of a row that have ended go, those that stay keep their birth, begun ones come.
template <class Touch, class View>
struct UpdateRow
{
  static constexpr char const* name() { return "strata::contact::UpdateRow"; }
  Touching<Touch> touching;
  View view;
  Changes* changes;
  std::int32_t step;

  /// Gives the entry its gap; false where its contact has ended.
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
  /// Ended entries go. On a GPU all are looked at before one does where they have numbers, so
  /// that loads of several are under way at once (H200, ten million rows of `dense_left`: 4.00
  /// to 2.13 ms); a host does that by itself.
  KOKKOS_FUNCTION Parted part(index_t row) const
  {
    auto const move = [this](auto to, auto from) { view.move(to, from); };
    Parted parted;
    if constexpr (!device_is_host && NumberedEntries<View>) {
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
  KOKKOS_FUNCTION void operator()(index_t row) const
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

/// The first pass over rows that are written anew: their lengths, and the first word of each
/// for the second.
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

/// The second pass, where nothing can change in place: what was in the old row keeps its birth.
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
