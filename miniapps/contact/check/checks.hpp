#pragma once

#include "reference.hpp"

#include "domain/scenery.hpp"
#include "grid/geometry.hpp"
#include "rows/contact_rows.hpp"
#include "scene/mix.hpp"
#include "verify/every.hpp"
#include "verify/verdict.hpp"

#include <bit>
#include <cstring>
#include <unordered_map>
#include <vector>

// Checks that apply to every list of contacts, whatever its structure.

namespace strata::contact {

/// Sums over this rank's entries.
struct Tally
{
  std::uint64_t forward = 0;       ///< checksum over i -> j, elements only
  std::uint64_t backward = 0;      ///< the same over j -> i
  std::uint64_t forward_since = 0; ///< over i -> j with its birth
  std::uint64_t backward_since = 0;
  std::uint64_t of_points = 0;
  index_t entries = 0;
  index_t point_entries = 0;
  index_t wrong = 0; ///< entries that do not touch, have another gap or an impossible birth
  index_t age = 0;
  index_t longest = 0;
  index_t coincident = 0; ///< pairs of elements with the same centre

  KOKKOS_FUNCTION Tally& operator+=(Tally const& other)
  {
    forward += other.forward;
    backward += other.backward;
    forward_since += other.forward_since;
    backward_since += other.backward_since;
    of_points += other.of_points;
    entries += other.entries;
    point_entries += other.point_entries;
    wrong += other.wrong;
    age += other.age;
    longest = other.longest > longest ? other.longest : longest;
    coincident += other.coincident;
    return *this;
  }
};

/// The narrow phase of any shape, chosen at run time: for kernels that are not timed.
struct AnyTouch
{
  Geometry in;
  Shape shape;
  int dim;

  KOKKOS_FUNCTION bool is(index_t i, index_t j, double gap) const
  {
    if (shape == Shape::sphere)
      return is_by(TouchingSpheres{in}, i, j, gap);
    if (shape == Shape::box)
      return is_by(TouchingBoxes{in}, i, j, gap);
    if (dim == 2)
      return is_by(TouchingSimplices<2>{in}, i, j, gap);
    return is_by(TouchingSimplices<3>{in}, i, j, gap);
  }

private:
  template <class Touch>
  KOKKOS_FUNCTION bool is_by(Touch const& touch, index_t i, index_t j, double gap) const
  {
    return in.counts(i, j) && touch.near(i, j) && touch.touch(i, j) && gap == touch.gap(i, j);
  }
};

template <class View>
struct AddEntries
{
  static constexpr char const* name() { return "strata::contact::AddEntries"; }
  View view;
  AnyTouch touch;
  std::int32_t step;
  index_t objects;

  KOKKOS_FUNCTION void operator()(Tally& tally, index_t row) const
  {
    auto const& in = touch.in;
    Tally mine;
    view.for_each_entry(row, [&](auto entry) {
      index_t const j = view.neighbour(entry);
      std::int32_t const born = view.born(entry);
      ++mine.entries;
      if (j < 0 || j >= objects || born < 0 || born > step ||
          !touch.is(row, j, view.gap(entry))) {
        ++mine.wrong;
        return;
      }
      if (in.gid[j] >= in.elements) {
        ++mine.point_entries;
        mine.of_points += pair_hash(in.gid[row], in.gid[j]);
      } else {
        auto const forward = pair_hash(in.gid[row], in.gid[j]);
        auto const backward = pair_hash(in.gid[j], in.gid[row]);
        mine.forward += forward;
        mine.backward += backward;
        mine.forward_since += entry_hash(forward, 0, born);
        mine.backward_since += entry_hash(backward, 0, born);
        mine.coincident += in.gid[row] < in.gid[j] && are_coincident(row, j) ? 1 : 0;
      }
      mine.age += step - born;
    });
    mine.longest = mine.entries;
    tally += mine;
  }
  KOKKOS_FUNCTION bool are_coincident(index_t i, index_t j) const
  {
    auto const& at = touch.in.at;
    return at[0][i] == at[0][j] && at[1][i] == at[1][j] && at[2][i] == at[2][j];
  }
};

/// Sums of some rows, to be held against brute force.
template <class View>
struct SumRows
{
  static constexpr char const* name() { return "strata::contact::SumRows"; }
  View view;
  index_t const* gid;
  index_t objects;
  index_t const* rows;
  RowSum* sums;

  KOKKOS_FUNCTION void operator()(index_t item) const
  {
    index_t const row = rows[item];
    RowSum sum{gid[row], 0, 0};
    view.for_each_entry(row, [&](auto entry) {
      index_t const j = view.neighbour(entry);
      ++sum.entries;
      if (j < 0 || j >= objects)
        return;
      double const gap = view.gap(entry);
      std::uint64_t bits = 0;
      memcpy(&bits, &gap, sizeof(bits));
      sum.hash += entry_hash(pair_hash(gid[row], gid[j]), bits, view.born(entry));
    });
    sums[item] = sum;
  }
};

template <class View>
Tally tally_of(View const& view, Scenery const& scenery, bool half_list)
{
  auto geometry = scenery.population.geometry();
  geometry.half_list = half_list;
  AnyTouch const touch{geometry, scenery.scene().shape, scenery.scene().dim};
  return verify::sum_of_every<Tally>(
      scenery.population.rows(),
      AddEntries<View>{view, touch, static_cast<std::int32_t>(scenery.population.step()),
                       scenery.population.all()});
}

/// What a check finds over all ranks.
struct Findings
{
  std::uint64_t checksum = 0; ///< over directed contacts
  index_t entries = 0;
  index_t longest = 0;
  index_t age = 0;
  index_t coincident = 0; ///< pairs of elements with the same centre
};

/// All verdicts but the comparison with brute force. Collective.
std::vector<verify::Verdict> judge_tally(Tally const& mine,
                                         std::optional<Expected> const& expected,
                                         runtime::Communicator const& world, bool half_list,
                                         Findings& findings);

/// The rows of this rank that brute force has computed, and its results.
struct RowsToCheck
{
  std::vector<index_t> rows;
  std::vector<RowSum> expected;
};
RowsToCheck rows_to_check(Population const& population, std::vector<RowSum> const& all);

/// The number of rows on this rank that differ from brute force.
template <class View>
index_t differing_rows(View const& view, Scenery const& scenery, RowsToCheck const& check)
{
  auto const count = static_cast<index_t>(check.rows.size());
  DeviceVector<index_t> rows("rows checked");
  DeviceVector<RowSum> sums("sums of rows checked");
  rows.upload(check.rows);
  sums.reserve(count);
  verify::for_every(count, SumRows<View>{view, scenery.population.geometry().gid,
                                         scenery.population.all(), rows.data(), sums.data()});
  auto const found = sums.download(count);
  index_t differing = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    differing +=
        found[i].entries != check.expected[i].entries || found[i].hash != check.expected[i].hash
            ? 1
            : 0;
  return differing;
}

} // namespace strata::contact
