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

template <class H, class From>
Running copying()
{
  using Layout = typename H::Layout;
  int* const in = input_cube<typename H::Space, From>(H::edge);
  int* const out = kept<typename H::Space>("output", H::count);
  auto const see_in = [](int* p) {
    return H::template see<int const, From>(static_cast<int const*>(p));
  };
  using A = decltype(see_in(in));
  using O = decltype(H::see(out));
  return writing<H>(Copied<A, O>{see_in(in), H::see(out)}, in, out, [] {
    return known(cube_name<Layout>("input", H::edge),
                 [] { return laid_out<is_right<Layout>>(H::edge, H::edge, H::edge, value); });
  });
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
