#pragma once

#include "detect_crowded.hpp"
#include "detect_in_lanes.hpp"
#include "detect_together.hpp"
#include "kept_rows.hpp"
#include "near.hpp"
#include "virtual_touch.hpp"

#include "grid/grid.hpp"

#include <cstdint>
#include <functional>
#include <type_traits>

namespace strata::contact {

/// Lists the contacts of a row anew: broad phase by cells, narrow phase by `touch`.
template <class Touch, class View>
struct Detect
{
  static constexpr char const* name() { return "strata::contact::Detect"; }
  Touch touch; ///< on positions in the order of slots
  Cells cells;
  std::int32_t const* slot_of;
  View view;
  std::int32_t step;

  KOKKOS_FUNCTION void operator()(index_t row) const { look(row, slot_of[row]); }
  KOKKOS_FUNCTION void look(index_t row, index_t slot) const
  {
    auto const& in = touch.in;
    auto const stretches = [&](auto const& take) {
      cells.for_each_stretch(in.at[0][slot], in.at[1][slot], in.at[2][slot], take);
    };
    if constexpr (Keeps<View>)
      keep_or_fill(row, slot, stretches);
    else if constexpr (!device_is_host && requires { touch.of(slot); })
      add_near(touch.of(slot), row, slot, stretches);
    else
      add_near(touch, row, slot, stretches);
  }

  /// Whether all that are near are entries.
  KOKKOS_FUNCTION bool near_is_entry() const
  {
    return Touch::near_is_touch && touch.in.counts_all();
  }
  KOKKOS_FUNCTION bool is_entry(index_t row, index_t slot, index_t j) const
  {
    return j != slot && touch.in.counts(row, touch.in.order[j]) && touch.touch(slot, j);
  }
  template <class Test>
  KOKKOS_FUNCTION void add(Test const& test, index_t row, index_t slot, index_t j) const
  {
    auto const neighbour = touch.in.order[j]; // not behind the gap's root, as the radii
    view.add(row, test.gap(slot, j), neighbour, step);
  }

private:
  template <class Test, class Stretches>
  KOKKOS_FUNCTION void add_near(Test const& test, index_t row, index_t slot,
                                Stretches const& stretches) const
  {
    for_each_near(test, slot, stretches, [&](index_t j) {
      if (is_entry(row, slot, j))
        add(test, row, slot, j);
    });
  }
  /// The first of two passes counts entries and keeps which candidates they are; the second
  /// adds those.
  template <class Stretches>
  KOKKOS_FUNCTION void keep_or_fill(index_t row, index_t slot, Stretches const& stretches) const
  {
    auto const is = [&](index_t j) { return is_entry(row, slot, j); };
    if constexpr (requires { view.count(row, slot); }) {
      if (near_is_entry())
        view.count(row, keep_near(touch, slot, stretches, All{}, view.kept(slot)));
      else
        view.count(row, keep_near(touch, slot, stretches, is, view.kept(slot)));
    } else if (view.left(row) > 0) {
      index_t entry = -1;
      auto const begin = [&](index_t count) {
        entry = view.append(row, count);
        return entry >= 0;
      };
      auto const set = [&, found = touch](index_t j) {
        view.set(entry++, found.gap(slot, j), found.in.order[j], step);
      };
      if (!for_each_kept(view.kept(slot), stretches, begin, set))
        add_near(touch, row, slot, stretches);
    }
  }
};

/// Runs Detect over slots in place of rows: neighbouring slots are near in space and in memory,
/// however elements are numbered.
template <class Kernel>
struct BySlot
{
  static constexpr char const* name() { return Kernel::name(); }
  Kernel kernel;
  index_t rows;

  /// Everything is inlined: GCC reloads the address of every array in a function that it does
  /// not inline.
  [[gnu::flatten]] KOKKOS_FUNCTION void operator()(index_t slot) const
  {
    index_t const row = kernel.touch.in.order[slot];
    if (row < rows) // others' objects and images have none
      kernel.look(row, slot);
  }
};

/// Tests a slot against the slots behind it in half of the neighbouring cells, so that every
/// pair is tested once, and adds an entry to both rows.
template <class Touch, class View>
struct DetectPairs
{
  static constexpr char const* name() { return "strata::contact::DetectPairs"; }
  Touch touch;
  Cells cells;
  index_t rows;
  View view;
  std::int32_t step;

  KOKKOS_FUNCTION void add(index_t i, index_t j) const
  {
    auto const& in = touch.in;
    index_t const row = in.order[i];
    index_t const other = in.order[j];
    if (row < rows && in.counts(row, other) && touch.touch(i, j))
      view.add_atomic(row, touch.gap(i, j), static_cast<std::int32_t>(other), step);
  }
  KOKKOS_FUNCTION void operator()(index_t slot) const
  {
    auto const& in = touch.in;
    auto const stretches = [&](auto const& take) {
      cells.for_each_stretch_behind(slot, in.at[0][slot], in.at[1][slot], in.at[2][slot], take);
    };
    for_each_near(touch, slot, stretches, [&](index_t j) {
      add(slot, j);
      add(j, slot);
    });
  }
};

/// The input of a search: the grid of the objects, and what is stored between its passes.
struct Search
{
  Scene const& scene;
  Grid const& grid;
  KeptRows& kept;
  index_t rows; ///< elements whose contacts are listed
  std::int32_t step;
  bool half_list;

  [[nodiscard]] Geometry sorted() const
  {
    auto in = grid.sorted();
    in.half_list = half_list;
    return in;
  }
  /// A view of rows with what is stored for the second pass.
  template <class View>
  [[nodiscard]] auto keeping(View const& view) const
  {
    return kept.with(view, grid.slots(), device_is_host ? 0 : search_teams(grid.slots()));
  }
};

/// Launches a Detect for `rows` rows over the slots of the search: on a device by teams, on a
/// host by the lanes of vectors if its test has such.
template <class Kernel>
void launch(Search const& search, index_t rows, Kernel const& kernel)
{
  index_t const slots = search.grid.slots();
  auto const together = [&]<class Coarsely>(Coarsely const& coarse) {
    using Together = DetectTogether<Kernel, Coarsely>;
    for_each_team<Together::members>(search_teams(slots),
                                     Together{kernel, coarse, slots, rows});
    if constexpr (Together::recalls && Together::leaves_crowded)
      if (search.kept.is_crowded()) {
        using Crowded = DetectCrowded<Kernel, Coarsely>;
        for_each_team<Crowded::members>(Crowded::teams(slots),
                                        Crowded{kernel, coarse, slots, rows});
      }
  };
  if constexpr (device_is_host && TestsLanes<decltype(Kernel::touch)>)
    for_each((slots + lanes - 1) / lanes, DetectInLanes<Kernel>{kernel, slots, rows});
  else if constexpr (device_is_host)
    for_each(slots, BySlot<Kernel>{kernel, rows});
  else if constexpr (std::is_same_v<decltype(Kernel::touch), TouchingSpheres>)
    together(search.grid.coarse(kernel.touch.in.gap));
  else
    together(NoCoarse{});
}

/// Lists all contacts anew; one of the functions below.
template <class Rows>
using Fill = std::function<void(Rows& rows, Search const& search)>;

template <class Touch, class Rows>
void fill_by(Touch const& touch, Rows& rows, Search const& search)
{
  auto const& grid = search.grid;
  auto const kernel_of = [&](auto const& rows_view) {
    auto const view = search.keeping(rows_view);
    return Detect<Touch, std::remove_const_t<decltype(view)>>{
        touch, grid.cells(), grid.slot_of(), view, search.step};
  };
  auto const each = [&](index_t count, auto const& kernel) { launch(search, count, kernel); };
  if constexpr (requires { rows.build_born(search.step, kernel_of, each); })
    rows.build_born(search.step, kernel_of, each);
  else
    rows.build(kernel_of, each);
}

/// Row by row, with the shape's test inlined.
template <class Rows>
void fill_inlined(Rows& rows, Search const& search)
{
  auto const& scene = search.scene;
  with_touch(scene.shape, scene.dim,
             [&]<class Touch>() { fill_by(Touch{search.sorted()}, rows, search); });
}

/// Row by row, with a virtual call per candidate. Only one source file may do so for a kind of
/// Rows.
template <class Rows>
Fill<Rows> fill_virtual(Scene const& scene)
{
  auto const shape = make_touch<Rows>(scene.shape, scene.dim);
  return [shape](Rows& rows, Search const& search) {
    fill_by(VirtualTouch{search.sorted(), shape.get()}, rows, search);
  };
}

/// Pair by pair, into rows to which several work items may add.
template <class Rows>
void fill_pairs(Rows& rows, Search const& search)
{
  auto const& scene = search.scene;
  auto const& grid = search.grid;
  with_touch(scene.shape, scene.dim, [&]<class Touch>() {
    rows.build_from(grid.slots(), [&](auto const& view) {
      return DetectPairs<Touch, std::decay_t<decltype(view)>>{
          Touch{search.sorted()}, grid.cells(), rows.rows(), view, search.step};
    });
  });
}

} // namespace strata::contact
