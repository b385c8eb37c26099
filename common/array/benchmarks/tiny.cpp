#include "cases.hpp"
#include "memory.hpp"
#include "ways.hpp"

#include <algorithm>

namespace strata::bench {

/// S2's TinyMatrixSum, o += s of n matrices 3 × 3, for a block of them; the loops run over
/// matrices outermost, as LayoutRight has them in memory, or innermost, as LayoutLeft has.
template <class S, class O, class Order>
struct AddMatrices
{
  index_t block;
  S s;
  O o;

  KOKKOS_FUNCTION void operator()(index_t which) const
  {
    AddMatrices const k = *this; // on the stack, where no store aliases its members
    index_t const begin = which * k.block;
    index_t const n = static_cast<index_t>(k.o.extent(0));
    index_t const end = begin + k.block < n ? begin + k.block : n;
    index_t const rows = static_cast<index_t>(k.o.extent(1));
    index_t const columns = static_cast<index_t>(k.o.extent(2));
    if constexpr (is_right<Order>) {
      for (index_t m = begin; m < end; ++m)
        for (index_t i = 0; i < rows; ++i)
          for (index_t j = 0; j < columns; ++j)
            k.o(m, i, j) += k.s(m, i, j);
    } else {
      for (index_t j = 0; j < columns; ++j)
        for (index_t i = 0; i < rows; ++i)
          for (index_t m = begin; m < end; ++m)
            k.o(m, i, j) += k.s(m, i, j);
    }
  }
};

namespace {

int summand(index_t i, index_t j, index_t k)
{
  return value(j, k, i);
}
int total(index_t i, index_t j, index_t k)
{
  return value(i, j, k) + summand(i, j, k);
}

template <class D, class Way, class Layout, class Order, bool Static>
Running prepare_matrices()
{
  using Space = typename D::Space;
  constexpr bool right = is_right<Layout>;
  constexpr index_t n = D::matrices;
  auto const name = [=](char const* what) {
    return std::string(what) + " matrices " + Layout::name() + std::to_string(n);
  };
  auto const summands =
      known(name("summand"), [] { return laid_out<right>(n, 3, 3, summand); });
  auto const start = [=] {
    return known(name("start"), [] { return laid_out<right>(n, 3, 3, value); });
  };
  int* const s = kept<Space>(name("summand"), summands);
  int* const o = kept<Space>(name("sum"), start());

  constexpr std::size_t inner = Static ? 3 : dyn;
  auto const see = [](auto* p) {
    return Way::template see<std::remove_pointer_t<decltype(p)>, Layout, Space, dyn, inner,
                             inner>(p, n, 3, 3);
  };
  using S = decltype(see(static_cast<int const*>(s)));
  using O = decltype(see(o));
  constexpr index_t block = D::is_gpu ? 1 : 1000;
  AddMatrices<S, O, Order> const add{block, see(static_cast<int const*>(s)), see(o)};
  return {.pass = [=] { D::each(0, (n + block - 1) / block, add); },
          .wait = D::wait,
          .clear = [=] { kept<Space>(name("sum"), start()); },
          .wrong =
              [=] {
                return difference(on_host<Space>(o, summands.size()), known(name("total"), [] {
                                    return laid_out<right>(n, 3, 3, total);
                                  }));
              },
          .spoil = [=](int by) { add_to<Space>(s + n / 2, by); }};
}

template <class Layout, class Order>
void add_ways(Cases& cases)
{
  each_device([&]<class D>(D) {
    each_way([&]<class Way>(Way) {
      auto const add = [&](char const* extents, auto prepare) {
        cases.push_back({"TinyMatrixSum", Layout::name(),
                         std::is_same_v<Layout, Order> ? "matching" : "crossed", extents,
                         D::name, Way::name, 9 * D::matrices, prepare});
      };
      add("dynamic", prepare_matrices<D, Way, Layout, Order, false>);
      add("static", prepare_matrices<D, Way, Layout, Order, true>);
    });
  });
}

} // namespace

void add_matrices(Cases& cases)
{
  add_ways<LayoutRight, LayoutRight>(cases);
  add_ways<LayoutRight, LayoutLeft>(cases);
  add_ways<LayoutLeft, LayoutLeft>(cases);
  add_ways<LayoutLeft, LayoutRight>(cases);
}

} // namespace strata::bench
