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
int summed(index_t i, index_t j, index_t k)
{
  return value(i, j, k) + summand(i, j, k);
}

/// The matrices of a device in a layout.
template <class D, class Layout>
struct Matrices
{
  using Space = typename D::Space;
  static constexpr index_t n = D::matrices;

  static std::string name(char const* what)
  {
    return std::string(what) + " matrices " + order_name<Layout>() + " " + std::to_string(n);
  }
  static std::vector<int> const& made(char const* what, int (*f)(index_t, index_t, index_t))
  {
    return known(name(what), [=] { return laid_out<is_right<Layout>>(n, 3, 3, f); });
  }
  static int* summands() { return kept<Space>(name("summand"), made("summand", summand)); }
  static int* sums() { return kept<Space>(name("sum"), made("start", value)); }

  static Running checked(int* s, int* o)
  {
    return {.pass = {},
            .wait = D::wait,
            .clear = [] { sums(); },
            .wrong =
                [=] {
                  return difference(on_host<Space>(o, static_cast<std::size_t>(9 * n)),
                                    made("total", summed));
                },
            .spoil = [=](int by) { add_to<Space>(s + n / 2, by); }};
  }
};

template <class D, class Way, class Layout, class Order, bool Static>
Running prepare_matrices()
{
  using All = Matrices<D, Layout>;
  constexpr index_t n = All::n;
  constexpr index_t block = D::is_gpu ? 1 : 1000;
  constexpr std::size_t inner = Static ? 3 : dyn;
  int* const summands = All::summands();
  int* const sums = All::sums();
  auto const see = []<class T>(T* p) {
    return Way::template see<T, Layout, typename D::Space, dyn, inner, inner>(p, n, 3, 3);
  };
  auto const s = see(static_cast<int const*>(summands));
  auto const o = see(sums);
  AddMatrices<std::remove_const_t<decltype(s)>, std::remove_const_t<decltype(o)>, Order> const
      add{block, s, o};
  auto running = All::checked(summands, sums);
  running.pass = [=] { D::each(0, (n + block - 1) / block, add); };
  return running;
}

template <class Layout, class Order>
void add_layout(Cases& cases)
{
  each_device([&]<class D>(D) {
    each_way<D>([&]<class Way>(Way) {
      auto const add = [&](char const* extents, auto prepare) {
        cases.push_back({"TinyMatrixSum", order_name<Layout>(),
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
  add_layout<LayoutRight, LayoutRight>(cases);
  add_layout<LayoutRight, LayoutLeft>(cases);
  add_layout<LayoutLeft, LayoutLeft>(cases);
  add_layout<LayoutLeft, LayoutRight>(cases);
}

} // namespace strata::bench
