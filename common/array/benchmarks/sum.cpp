#include "cubes.hpp"

namespace strata::bench {

/// S2's Sum3D: Σ a(i, j, k).
template <class A>
struct Sum
{
  static constexpr index_t margin = 0;
  A a;

  KOKKOS_FUNCTION auto extent(int r) const { return a.extent(r); }
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k, int& sum) const
  {
    sum += a(i, j, k);
  }
};

struct Sum3D
{
  static constexpr char const* name = "Sum3D";
  static constexpr bool takes_parts = false;

  template <class H>
  static Running prepare()
  {
    int* const in = input_cube<typename H::Space, typename H::Layout>(H::edge);
    auto const a = H::template see<int const>(in);
    return summing<H>(Sum<std::remove_const_t<decltype(a)>>{a}, in);
  }
};

void add_sums(Cases& cases)
{
  add_cubes<Sum3D>(cases);
}

} // namespace strata::bench
