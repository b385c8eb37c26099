#pragma once

#include "array.hpp"
#include "copy.hpp"

#include "../access/bits.hpp"

#include <string>

namespace strata {

/// An owning array of bool with one bit per element: Array needs elements that have an address.
/// It allocates whole words; the values of padding bits are unspecified.
template <class E, class Layout = LayoutDefault, class Space = DeviceSpace>
class BitArray
{
public:
  using Words = Array<BitWord, Dynamic<1>, LayoutRight, Space>;
  using mapping_type = typename Layout::template mapping<E>;

  /// No elements, no memory.
  BitArray() = default;

  /// Sizes as arguments, all or the run-time ones alone.
  template <class... I>
    requires detail::AreSizesOf<E, I...>
  explicit BitArray(std::string const& label, I... sizes)
      : BitArray(label, E(sizes...))
  {
  }
  BitArray(std::string const& label, E const& extents)
      : BitArray(label, mapping_type(extents))
  {
  }
  BitArray(std::string const& label, mapping_type const& mapping)
      : words_(label, Dynamic<1>(words_for(mapping)))
      , mapping_(mapping)
  {
  }
  /// Elements in memory that was allocated before and that this array keeps alive. Throws if it
  /// is too small.
  BitArray(Memory<Space> const& memory, mapping_type const& mapping)
      : words_(memory, typename Words::mapping_type(Dynamic<1>(words_for(mapping))))
      , mapping_(mapping)
  {
  }

  [[nodiscard]] std::string label() const { return words_.label(); }
  [[nodiscard]] E const& extents() const { return mapping_.extents(); }
  [[nodiscard]] mapping_type const& mapping() const { return mapping_; }
  /// Number of index tuples.
  [[nodiscard]] index_t size() const { return cardinality(extents()); }
  [[nodiscard]] Words const& words() const { return words_; }

  /// Bytes an array of this mapping occupies, padding included.
  static index_t bytes_for(mapping_type const& mapping)
  {
    return words_for(mapping) * static_cast<index_t>(sizeof(BitWord));
  }

  [[nodiscard]] Span<bool, E, Layout, AccessIn<AccessBits, Space>> write() const
  {
    return {BitPointer<BitWord>(words_.data()), mapping_, words_.write().label()};
  }
  [[nodiscard]] Span<bool const, E, Layout, AccessIn<AccessBits, Space>> read() const
  {
    return write();
  }

private:
  static index_t words_for(mapping_type const& mapping)
  {
    return (static_cast<index_t>(mapping.required_span_size()) + word_bits - 1) / word_bits;
  }

  Words words_;
  mapping_type mapping_ = {};
};

/// As host_mirror of an Array.
template <class E, class Layout, class Space>
auto host_mirror(BitArray<E, Layout, Space> const& bits)
{
  if constexpr (Kokkos::SpaceAccessibility<HostSpace, Space>::accessible)
    return bits;
  else
    return BitArray<E, Layout, HostSpace>(bits.label() + " (host)", bits.mapping());
}

/// Copies all bits, as words, and waits. Throws std::invalid_argument where sizes differ.
template <class E, class Layout, class Space, class OtherSpace>
void copy(BitArray<E, Layout, Space> const& to, BitArray<E, Layout, OtherSpace> const& from)
{
  detail::require(to.mapping() == from.mapping(),
                  "copy of array '%s' to '%s': they differ in their sizes",
                  from.label().c_str(), to.label().c_str());
  copy(to.words(), from.words());
}

} // namespace strata
