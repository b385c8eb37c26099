#include "cubes.hpp"

#include <algorithm>

namespace strata::bench {

/// S2's Stencil3D: o(i, j, k) = Σ of a over the 27 neighbours.
template <class A, class O>
struct Neighbours
{
  static constexpr index_t margin = 1;
  A a;
  O o;

  KOKKOS_FUNCTION auto extent(int r) const { return o.extent(r); }
  KOKKOS_FUNCTION void operator()(index_t i, index_t j, index_t k) const
  {
    int sum = 0;
    for (index_t x = i - 1; x <= i + 1; ++x)
      for (index_t y = j - 1; y <= j + 1; ++y)
        for (index_t z = k - 1; z <= k + 1; ++z)
          sum += a(x, y, z);
    o(i, j, k) = sum;
  }
};

namespace {

/// What a pass writes over -1, summed along one index after another.
template <bool Right>
std::vector<int> sums_of_neighbours(index_t n)
{
  auto const at = [=](index_t i, index_t j, index_t k) {
    return static_cast<std::size_t>((i * n + j) * n + k);
  };
  auto sums = laid_out<true>(n, n, n, value);
  std::size_t const steps[] = {at(1, 0, 0), at(0, 1, 0), at(0, 0, 1)};
  for (auto const step : steps) {
    auto const whole = sums;
    for (std::size_t e = step; e + step < whole.size(); ++e)
      sums[e] = whole[e - step] + whole[e] + whole[e + step];
  }
  return laid_out<Right>(n, n, n, [&](index_t i, index_t j, index_t k) {
    bool const written = std::min({i, j, k}) > 0 && std::max({i, j, k}) < n - 1;
    return written ? sums[at(i, j, k)] : -1;
  });
}

template <class Layout>
std::vector<int> const& neighbours(index_t edge)
{
  return known(cube_name<Layout>("neighbours", edge),
               [=] { return sums_of_neighbours<is_right<Layout>>(edge); });
}

} // namespace

struct Stencil3D
{
  static constexpr char const* name = "Stencil3D";
  static constexpr bool takes_parts = false;

  template <class H>
  static Running prepare()
  {
    int* const in = input_cube<typename H::Space, typename H::Layout>(H::edge);
    int* const out = kept<typename H::Space>("output", H::count);
    auto const a = H::template see<int const>(in);
    auto const o = H::see(out);
    return writing<H>(
        Neighbours<std::remove_const_t<decltype(a)>, std::remove_const_t<decltype(o)>>{a, o},
        in, out, []() -> auto const& { return neighbours<typename H::Layout>(H::edge); });
  }
};

void add_stencils(Cases& cases)
{
  add_cubes<Stencil3D>(cases);
}

} // namespace strata::bench
