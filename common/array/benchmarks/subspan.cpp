#include "cubes.hpp"
#include "parts.hpp"

namespace strata::bench {

/// S2's Subspan3D: the sum by a part of a part.
template <class A>
struct SumOfParts
{
  static constexpr index_t margin = 0;
  A a;

  KOKKOS_FUNCTION auto extent(int r) const { return a.extent(r); }
  /// On a processor: one plane, of which each row is taken once.
  template <class Order>
  KOKKOS_FUNCTION int plane(index_t outer) const
  {
    using At = Loops<Order>;
    SumOfParts const k = *this;
    auto const part = plane_of<Order>(k.a, outer);
    int sum = 0;
    for (index_t mid = 0; mid < At::end(k, 1); ++mid) {
      auto const row = row_of<Order>(part, mid);
      for (index_t inner = 0; inner < At::end(k, At::innermost); ++inner)
        sum += row(inner);
    }
    return sum;
  }
};

/// On a GPU: each thread takes the parts of its elements.
template <class A, class Order>
struct ElementOfParts : SumOfParts<A>
{
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k, int& sum) const
  {
    index_t const outer = is_right<Order> ? i : k;
    sum += row_of<Order>(plane_of<Order>(this->a, outer), j)(is_right<Order> ? k : i);
  }
};

struct Subspan3D
{
  static constexpr char const* name = "Subspan3D";
  static constexpr bool takes_parts = true;

  template <class H>
  static Running prepare()
  {
    int* const in = input_cube<typename H::Space, typename H::Layout>(H::edge);
    auto const a = H::template see<int const>(in);
    using A = std::remove_const_t<decltype(a)>;
    SumOfParts<A> const parts{a};
    if constexpr (H::Device::is_gpu)
      return summing<H>(ElementOfParts<A, typename H::Visited>{parts}, in);
    else
      return summing<H>(parts, in);
  }
};

void add_subspans(Cases& cases)
{
  add_cubes<Subspan3D>(cases);
}

} // namespace strata::bench
