#include "cubes.hpp"

namespace strata::bench {

/// o(i, j, k) = a(i, j, k).
template <class A, class O>
struct Copied
{
  static constexpr index_t margin = 0;
  A a;
  O o;

  KOKKOS_FUNCTION auto extent(int r) const { return o.extent(r); }
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k) const
  {
    o(i, j, k) = a(i, j, k);
  }
};

namespace {

/// What a copy must write.
template <class Layout>
std::vector<int> const& copied(index_t edge)
{
  return known(cube_name<Layout>("input", edge),
               [=] { return laid_out<is_right<Layout>>(edge, edge, edge, value); });
}

template <class H, class From>
Running copying()
{
  int* const in = input_cube<typename H::Space, From>(H::edge);
  int* const out = kept<typename H::Space>("output", H::count);
  auto const a = H::template see<int const, From>(in);
  auto const o = H::see(out);
  return writing<H>(
      Copied<std::remove_const_t<decltype(a)>, std::remove_const_t<decltype(o)>>{a, o}, in, out,
      []() -> auto const& { return copied<typename H::Layout>(H::edge); });
}

} // namespace

/// Between arrays of one layout.
struct Copy3D
{
  static constexpr char const* name = "Copy3D";
  static constexpr bool takes_parts = false;
  template <class H>
  static Running prepare()
  {
    return copying<H, typename H::Layout>();
  }
};

/// To a layout from the other one; the loops match, or cross, the memory that is written.
struct Permute3D
{
  static constexpr char const* name = "Permute3D";
  static constexpr bool takes_parts = false;
  template <class H>
  static Running prepare()
  {
    return copying<H,
                   std::conditional_t<is_right<typename H::Layout>, LayoutLeft, LayoutRight>>();
  }
};

void add_copies(Cases& cases)
{
  add_cubes<Copy3D>(cases);
  add_cubes<Permute3D>(cases);
}

} // namespace strata::bench
