#pragma once

#include "near.hpp"

#include "array/ragged/ragged.hpp"
#include "grid/device_vector.hpp"

#include <concepts>

namespace strata::contact {

/// Views of rows that one launch counts and a second one fills.
template <class View>
concept InTwoPasses =
    std::derived_from<View, RaggedCountView> || std::derived_from<View, RaggedFillView>;

/// Such a view with the bits that the first launch leaves for the second.
template <class View>
struct KeepingView : View
{
  KeptBits* bits;

  [[nodiscard]] KOKKOS_FUNCTION KeptBits& kept(index_t row) const { return bits[row]; }
};

template <class View>
concept Keeps = requires(View const& view) { view.kept(0); };

/// The memory of these bits.
class KeptRows
{
public:
  static constexpr index_t bytes_per_row = sizeof(KeptBits);

  template <class View>
  [[nodiscard]] auto with(View const& view)
  {
    if constexpr (InTwoPasses<View>)
      return KeepingView<View>{view, bits_.reserve(view.rows())};
    else
      return view;
  }
  [[nodiscard]] index_t bytes() const { return bits_.bytes(); }

private:
  DeviceVector<KeptBits> bits_{"rows' bits"};
};

} // namespace strata::contact
