// What the core's indexing costs on one thread, as S2 measured it: Sum3D, Stencil3D,
// TinyMatrixSum and Subspan3D (S2 Figs 3, 5, 7) over spans and over raw pointers that are
// indexed by hand. Rates count every element that a pass visits.
//   strata-arraybench --benchmark_filter=Sum3D --benchmark_enable_random_interleaving=true
//                     --benchmark_repetitions=20 --benchmark_report_aggregates_only=true

#include "array/dense/array.hpp"
#include "array/span/subspan.hpp"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace strata {

namespace {

/// Indexed by hand, as the raw twin of a span: offsets of a cube of edge n, or of 3 x 3
/// matrices where Inner is 3.
template <class T, class Layout, int Inner = 0>
struct Raw
{
  using value_type = T;
  T* p;
  index_t n;

  T& operator()(index_t i, index_t j, index_t k) const
  {
    index_t const rows = Inner > 0 ? Inner : n;
    if constexpr (std::is_same_v<Layout, LayoutRight>)
      return p[(i * rows + j) * rows + k];
    else
      return p[i + n * (j + rows * k)];
  }
};

/// Calls f(i, j, k) on a box with the loops in the order of memory.
template <class Layout, class F>
void loops(index_t begin, index_t ends_i, index_t ends_j, index_t ends_k, F const& f)
{
  if constexpr (std::is_same_v<Layout, LayoutRight>) {
    for (index_t i = begin; i < ends_i; ++i)
      for (index_t j = begin; j < ends_j; ++j)
        for (index_t k = begin; k < ends_k; ++k)
          f(i, j, k);
  } else {
    for (index_t k = begin; k < ends_k; ++k)
      for (index_t j = begin; j < ends_j; ++j)
        for (index_t i = begin; i < ends_i; ++i)
          f(i, j, k);
  }
}

template <class Layout, class A>
void sum(benchmark::State& state, A const& a, index_t n, index_t inner)
{
  for (auto _ : state) {
    int total = 0;
    loops<Layout>(0, n, inner, inner, [&](auto i, auto j, auto k) { total += a(i, j, k); });
    benchmark::DoNotOptimize(total);
  }
  state.SetItemsProcessed(state.iterations() * n * inner * inner);
}

/// o = Σ of the 27 neighbours.
template <class Layout, class A>
void stencil(benchmark::State& state, A const& a, A const& o, index_t n)
{
  for (auto _ : state) {
    loops<Layout>(1, n - 1, n - 1, n - 1, [&](auto i, auto j, auto k) {
      int total = 0;
      for (index_t x = -1; x <= 1; ++x)
        for (index_t y = -1; y <= 1; ++y)
          for (index_t z = -1; z <= 1; ++z)
            total += a(i + x, j + y, k + z);
      o(i, j, k) = total;
    });
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * (n - 2) * (n - 2) * (n - 2));
}

/// o += s, matrix by matrix.
template <class A>
void add_matrices(benchmark::State& state, A const& o, A const& s, index_t n)
{
  for (auto _ : state) {
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < 3; ++j)
        for (index_t k = 0; k < 3; ++k)
          o(i, j, k) += s(i, j, k);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * n * 9);
}

/// Sum3D through a subspan of a subspan.
template <class A>
void sum_of_subspans(benchmark::State& state, A const& a, index_t n)
{
  for (auto _ : state) {
    int total = 0;
    for (index_t i = 0; i < n; ++i) {
      auto const plane = subspan(a, i, full_extent, full_extent);
      for (index_t j = 0; j < n; ++j) {
        auto const row = subspan(plane, j, full_extent);
        for (index_t k = 0; k < n; ++k)
          total += row(k);
      }
    }
    benchmark::DoNotOptimize(total);
  }
  state.SetItemsProcessed(state.iterations() * n * n * n);
}

template <class E, class Layout>
Span<int, E, Layout> span_of(std::vector<int>& values, E const& extents)
{
  return Span<int, E, Layout>(values.data(), typename Layout::template mapping<E>(extents));
}

constexpr index_t edge = 100;         // 4 MB of int, as S2's smaller cubes
constexpr index_t matrices = 1000000; // 36 MB

std::vector<int>& storage(std::size_t which)
{
  static std::vector<int> values[2]{std::vector<int>(9 * matrices, 1),
                                    std::vector<int>(9 * matrices, 1)};
  return values[which];
}

template <class Layout>
void register_cubes()
{
  using E = Dynamic<3>;
  using Fixed = Extents<index_t, edge, edge, edge>;
  auto const name = [](char const* what, char const* how) {
    return std::string(what) + "/" + Layout::name() + "/" + how;
  };
  Raw<int, Layout> const raw{storage(0).data(), edge};
  Raw<int, Layout> const raw_out{storage(1).data(), edge};
  auto const span = span_of<E, Layout>(storage(0), E(edge, edge, edge));
  auto const out = span_of<E, Layout>(storage(1), E(edge, edge, edge));
  auto const fixed = span_of<Fixed, Layout>(storage(0), Fixed());
  auto const add = [](std::string const& label, auto const& run) {
    benchmark::RegisterBenchmark(label.c_str(), run);
  };
  using benchmark::State;
  add(name("Sum3D", "raw"), [=](State& s) { sum<Layout>(s, raw, edge, edge); });
  add(name("Sum3D", "dynamic"), [=](State& s) { sum<Layout>(s, span, edge, edge); });
  add(name("Sum3D", "static"), [=](State& s) { sum<Layout>(s, fixed, edge, edge); });
  add(name("Stencil3D", "raw"), [=](State& s) { stencil<Layout>(s, raw, raw_out, edge); });
  add(name("Stencil3D", "dynamic"), [=](State& s) { stencil<Layout>(s, span, out, edge); });
  if constexpr (std::is_same_v<Layout, LayoutRight>)
    add(name("Subspan3D", "dynamic"), [=](State& s) { sum_of_subspans(s, span, edge); });
}

void register_matrices()
{
  using E = Dynamic<3>;
  using Fixed = Extents<index_t, dyn, 3, 3>;
  using L = LayoutRight;
  Raw<int, L, 3> const raw[2]{{storage(0).data(), matrices}, {storage(1).data(), matrices}};
  auto const add = [](char const* how, auto const& o, auto const& s) {
    benchmark::RegisterBenchmark(
        (std::string("TinyMatrixSum/right/") + how).c_str(),
        [=](benchmark::State& state) { add_matrices(state, o, s, matrices); });
  };
  add("raw", raw[0], raw[1]);
  add("dynamic", span_of<E, L>(storage(0), E(matrices, 3, 3)),
      span_of<E, L>(storage(1), E(matrices, 3, 3)));
  add("static", span_of<Fixed, L>(storage(0), Fixed(matrices)),
      span_of<Fixed, L>(storage(1), Fixed(matrices)));
}

} // namespace

} // namespace strata

int main(int argc, char** argv)
{
  strata::register_cubes<strata::LayoutRight>();
  strata::register_cubes<strata::LayoutLeft>();
  strata::register_matrices();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 2;
  benchmark::RunSpecifiedBenchmarks();
}
