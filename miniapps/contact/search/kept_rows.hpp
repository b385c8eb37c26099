#pragma once

#include "near.hpp"
#include "row_views.hpp"

#include "grid/device_vector.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace strata::contact {

/// Whether the teams of a DetectTogether have rows of more candidates than KeptBits has bits.
struct CrowdedTeams
{
  std::int32_t* is;       ///< 1 or 0 for each team
  std::int32_t* are_some; ///< 1 if one is

  KOKKOS_FUNCTION void set(index_t team, bool is_crowded) const
  {
    is[team] = is_crowded ? 1 : 0;
    if (is_crowded) {
      if constexpr (device_is_host) // teams of several threads
        Kokkos::atomic_exchange(are_some, 1);
      else
        *are_some = 1;
    }
  }
};

/// A view of rows in two passes with what the first launch leaves for the second.
template <class View>
struct KeepingView : View
{
  KeptBits* bits;
  CrowdedTeams crowded;

  /// Of a slot, not of its row: neighbouring work items have neighbouring slots.
  [[nodiscard]] KOKKOS_FUNCTION KeptBits& kept(index_t slot) const { return bits[slot]; }
};

template <class View>
concept Keeps = requires(View const& view) { view.kept(0); };

/// The memory of this.
class KeptRows
{
public:
  static constexpr index_t bytes_per_slot = sizeof(KeptBits);

  /// For a search of `slots` slots by so many teams.
  template <class View>
  [[nodiscard]] auto with(View const& view, index_t slots, index_t teams)
  {
    if constexpr (InTwoPasses<View>) {
      if (are_some_.data() == nullptr)
        are_some_ = Flag(
            Kokkos::view_alloc(Kokkos::WithoutInitializing, "strata::contact crowded teams"));
      if constexpr (std::derived_from<View, RaggedCountView>)
        forget_crowded();
      return KeepingView<View>{
          view, bits_.reserve(slots), {teams_.reserve(teams), are_some_.data()}};
    } else
      return view;
  }
  /// Whether a team is crowded; asked when the first launch has ended.
  [[nodiscard]] bool is_crowded() const
  {
    std::int32_t are_some = 0;
    if constexpr (host_has_flag)
      are_some = are_some_();
    else
      Kokkos::deep_copy(are_some, are_some_);
    return are_some != 0;
  }
  [[nodiscard]] index_t bytes() const { return bits_.bytes() + teams_.bytes(); }

private:
  /// In a host's memory that the device writes to, where there is some: no launch and no copy
  /// is needed to tell that no row is crowded, as of most searches.
  using Flag = Kokkos::View<
      std::int32_t,
      std::conditional_t<Kokkos::SpaceAccessibility<Device, PinnedSpace>::accessible,
                         PinnedSpace, DeviceSpace>>;
  static constexpr bool host_has_flag =
      Kokkos::SpaceAccessibility<HostSpace, Flag::memory_space>::accessible;

  /// Launches that set the flag have ended.
  void forget_crowded() const
  {
    if constexpr (host_has_flag)
      are_some_() = 0;
    else
      Kokkos::deep_copy(are_some_, 0);
  }

  DeviceVector<KeptBits> bits_{"slots' bits"};
  DeviceVector<std::int32_t> teams_{"crowded teams"};
  Flag are_some_;
};

} // namespace strata::contact
