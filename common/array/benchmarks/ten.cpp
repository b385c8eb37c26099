#include "cases.hpp"
#include "memory.hpp"
#include "ways.hpp"

#include <cstddef>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>

// Sum10D: the sum of an array of ten indices, as many as S2 spot-checked. A View has eight at
// most.

namespace strata::bench {

namespace {

constexpr int ranks = 10;
constexpr int half = ranks / 2;

template <class Device>
KOKKOS_FUNCTION constexpr index_t size_of(int r)
{
  return Device::is_gpu ? (r % 2 == 0 ? 5 : 7) : (r % 2 == 0 ? 3 : 5);
}

template <class Device>
constexpr index_t count_of()
{
  index_t count = 1;
  for (int r = 0; r < ranks; ++r)
    count *= size_of<Device>(r);
  return count;
}

/// Indexed by hand; the sizes are known to the compiler where Device is not void.
template <class Device, class Layout>
struct RawTen
{
  int const* p;
  index_t sizes[ranks];

  KOKKOS_FUNCTION index_t extent(int r) const
  {
    if constexpr (std::is_void_v<Device>)
      return sizes[r];
    else
      return size_of<Device>(r);
  }
  KOKKOS_FUNCTION int operator()(index_t a, index_t b, index_t c, index_t d, index_t e,
                                 index_t f, index_t g, index_t h, index_t i, index_t j) const
  {
    auto const n = [this](int r) { return extent(r); };
    index_t o = is_right<Layout> ? a : j;
    if constexpr (is_right<Layout>) {
      o = o * n(1) + b;
      o = o * n(2) + c;
      o = o * n(3) + d;
      o = o * n(4) + e;
      o = o * n(5) + f;
      o = o * n(6) + g;
      o = o * n(7) + h;
      o = o * n(8) + i;
      o = o * n(9) + j;
    } else {
      o = o * n(8) + i;
      o = o * n(7) + h;
      o = o * n(6) + g;
      o = o * n(5) + f;
      o = o * n(4) + e;
      o = o * n(3) + d;
      o = o * n(2) + c;
      o = o * n(1) + b;
      o = o * n(0) + a;
    }
    return p[o];
  }
};

/// Σ of the elements with the same five indices: the outermost ones on a processor, the
/// innermost ones on a GPU, whose threads are to have neighbouring elements.
template <class Device, class Layout, class A>
struct SumTen
{
  using value_type = int;
  static constexpr bool sums_last = is_right<Layout> != Device::is_gpu;
  A a;

  KOKKOS_FUNCTION index_t extent(int r) const { return static_cast<index_t>(a.extent(r)); }

  /// Loops over the indices that are not given yet.
  template <class... Given>
  KOKKOS_FUNCTION void visit(int& sum, Given... given) const
  {
    constexpr int n = sizeof...(Given);
    if constexpr (n == ranks)
      sum += a(given...);
    else if constexpr (sums_last)
      for (index_t i = 0; i < extent(n); ++i)
        visit(sum, given..., i);
    else
      for (index_t i = 0; i < extent(ranks - 1 - n); ++i)
        visit(sum, i, given...);
  }
  template <std::size_t... R>
  KOKKOS_FUNCTION int summed(index_t item, std::index_sequence<R...>) const
  {
    constexpr int first = sums_last ? 0 : half;
    index_t at[half] = {};
    for (int n = 0; n < half; ++n) {
      int const r = is_right<Layout> ? half - 1 - n : n;
      at[r] = item % extent(first + r);
      item /= extent(first + r);
    }
    int sum = 0;
    visit(sum, at[R]...);
    return sum;
  }
  KOKKOS_FUNCTION void operator()(index_t item, int& total) const
  {
    SumTen const k = *this; // on the stack, where no store aliases its members
    total += k.summed(item, std::make_index_sequence<half>());
  }
};

template <class D, class Way, class Layout, bool Static, std::size_t... R>
auto see_ten(int const* p, std::index_sequence<R...>)
{
  if constexpr (std::is_same_v<Way, RawWay>) {
    return RawTen<std::conditional_t<Static, D, void>, Layout>{p, {size_of<D>(R)...}};
  } else if constexpr (std::is_same_v<Way, SpanWay>) {
    using E = Extents<index_t, (Static ? static_cast<std::size_t>(size_of<D>(R)) : dyn)...>;
    return Span<int const, E, Layout>(p, size_of<D>(R)...);
  } else {
#if defined(STRATA_BENCH_MDSPAN)
    using E = md::extents<index_t, (Static ? static_cast<std::size_t>(size_of<D>(R)) : dyn)...>;
    using Order = std::conditional_t<is_right<Layout>, md::layout_right, md::layout_left>;
    using M = md::mdspan<int const, E, Order>;
    return Called<M>{M(p, E(size_of<D>(R)...))};
#endif
  }
}

template <class D, class Way, class Layout, bool Static>
Running prepare_ten()
{
  using Space = typename D::Space;
  constexpr index_t count = count_of<D>();
  index_t items = 1;
  for (int r = 0; r < ranks; ++r)
    if ((r < half) == (is_right<Layout> != D::is_gpu))
      items *= size_of<D>(r);
  auto const name = "ten " + std::to_string(count);
  auto const& values = known(name, [=] { return laid_out<true>(count, 1, 1, value); });
  int* const in = kept<Space>(name, values);
  int* const result = kept<Space>("sum", 1);
  auto const a = see_ten<D, Way, Layout, Static>(in, std::make_index_sequence<ranks>());
  SumTen<D, Layout, std::remove_const_t<decltype(a)>> const sum{a};
  return {.pass = [=] { D::sum(0, items, sum, result); },
          .wait = D::wait,
          .clear = [=] { fill<Space>(result, 1, -1); },
          .wrong =
              [=, &values] {
                int const right = std::accumulate(values.begin(), values.end(), 0);
                return difference(on_host<Space>(result, 1), {right});
              },
          .spoil = [=](int by) { add_to<Space>(in + count / 2, by); }};
}

template <class Layout>
void add_layout_of_ten(Cases& cases)
{
  each_device([&]<class D>(D) {
    each_way<D>([&]<class Way>(Way) {
      if constexpr (!std::is_same_v<Way, ViewWay>) {
        auto const add = [&](char const* extents, auto prepare) {
          cases.push_back({"Sum10D", order_name<Layout>(), "matching", extents, D::name,
                           Way::name, count_of<D>(), prepare});
        };
        add("dynamic", prepare_ten<D, Way, Layout, false>);
        add("static", prepare_ten<D, Way, Layout, true>);
      }
    });
  });
}

} // namespace

void add_sums_of_ten(Cases& cases)
{
  add_layout_of_ten<LayoutRight>(cases);
  add_layout_of_ten<LayoutLeft>(cases);
}

} // namespace strata::bench
