#pragma once

#include "add_parts.hpp"
#include "factor.hpp"
#include "finish.hpp"
#include "fused_pass.hpp"
#include "kernels.hpp"
#include "launches.hpp"
#include "team_sums.hpp"

#include "array/launch/for_each.hpp"
#include "array/launch/reduce.hpp"

namespace strata::mgs {

/// This rank's rows of a multivector. Columns are padded, so that each starts on a cache line
/// of a GPU (128 bytes; of floats, on half a one), and so that 2^n rows, n > 4, do not give a
/// power-of-two stride.
template <class Layout, class T = double>
using Multivector = Array<T, Dynamic<2>, Layout>;

inline index_t padded(index_t rows)
{
  return (rows + 15) / 16 * 16 + 16;
}

/// Launches over an array a(row, column), whose results stay on the device. On one rank the
/// host never waits. `RowsAreTogether`: neighbouring rows of a column are neighbours in memory.
template <class Out, class In, bool RowsAreTogether>
class LaunchesOver : public RowOperations
{
public:
  LaunchesOver(Out const& a, In const& in, index_t rows, Factor const& factor, OverRanks& ranks)
      : a_(a)
      , in_(in)
      , rows_(rows)
      , factor_(factor)
      , ranks_(ranks)
      , parts_("strata::mgs::parts", Dynamic<1>(device_is_host ? 0 : most_parts(rows)))
  {
  }

  void norm(index_t j) override
  {
    add(ColumnNorm<In>{in_, j}, factor_.square(j));
    ranks_.sum(factor_.square(j), 1);
  }
  void scale(index_t j) override
  {
    each(ColumnScale<Out, OnDevice>{a_, j, {factor_.square(j)}, factor_.r(j, j)}, wide);
  }
  void dot(index_t j, index_t k) override
  {
    add(ColumnDot<In>{in_, j, k}, factor_.r(j, k));
    ranks_.sum(factor_.r(j, k), 1);
  }
  void update(index_t j, index_t k) override
  {
    ColumnUpdate<Out, OnDevice> const kernel{a_, j, k, {factor_.r(j, k)}};
    if constexpr (!device_is_host)
      if (fits_at_once_by_twos())
        return for_each(walk(), kernel, wide, Tuning<0, 2>{});
    each(kernel, wide);
  }

  void dots(index_t j) override { products(j, j + 1, columns(), factor_.r(j, j + 1)); }
  void updates(index_t j) override
  {
    chunks<chunk>(j + 1, columns(), [&](index_t first, int count) {
      each(RowUpdate<Out, OnDevice>{a_, j, first, count, {factor_.r(j, first)}}, many);
    });
  }

  void first_row() override { products(0, 0, columns(), factor_.products(0)); }
  void fused(index_t j) override
  {
    double* const next = factor_.products(j + 1) + j + 1;
    [[maybe_unused]] index_t const begin = first_deferred(j);
    [[maybe_unused]] bool const stores = stores_step(j, columns());
    chunks<summed>(j + 1, columns(), [&](index_t first, int count) {
      double* const sums = next + (first - j - 1);
      if constexpr (deferred_steps == 1)
        add_many(FusedStep<Out>{a_, j, first, count, factor_.products(j)}, count, sums);
      else
        add_many(FusedPass<Out>{a_, begin, j, first, count, stores, factor_.products(begin),
                                factor_.pitch()},
                 count, sums);
    });
    ranks_.sum(next, columns() - j - 1);
  }
  void last_column() override
  {
    index_t const j = columns() - 1;
    each(ColumnScale<Out, OnDevice>{a_, j, {factor_.products(j) + j}, nullptr}, wide);
  }
  void finish_fused() override
  {
    for_each(columns() * columns(),
             FinishFused{factor_.products(0), factor_.r(0), factor_.pitch(), columns()});
  }

  void project(index_t j, bool again) override
  {
    products(j, 0, j, factor_.products(j, again));
  }
  void subtract(index_t j, bool again, bool last) override
  {
    chunks<chunk>(0, j, [&](index_t first, int count) {
      add(Subtract<Out>{a_, j, first, count, {factor_.products(j, again) + first}},
          factor_.square(j));
    });
    if (last)
      ranks_.sum(factor_.square(j), 1);
  }
  void finish_classical(bool twice) override
  {
    for_each(columns() * columns(),
             FinishClassical{factor_.products(0), twice ? factor_.products(0, true) : nullptr,
                             factor_.r(0), factor_.pitch(), columns()});
  }

protected:
  // A pack is of neighbouring rows. On a GPU, launches that update many columns need no packs:
  // they have enough loads in flight.
  static constexpr int width = RowsAreTogether ? pack_width<double> : 1;
  static constexpr Packs<width> wide{};
  static constexpr Packs<RowsAreTogether && device_is_host ? pack_width<double> : 1> many{};
  /// Four steps of one sum in flight. Beside the core's own eight a dot of columns, `left`,
  /// takes 0.93, 0.98 and 1.005 of the time for 10^5, 10^6 and 2^24 rows (H200).
  static constexpr Tuning<0, 4> of_columns{};

  [[nodiscard]] index_t columns() const { return factor_.columns(); }
  [[nodiscard]] Factor const& factor() const { return factor_; }
  [[nodiscard]] OverRanks& ranks() const { return ranks_; }
  [[nodiscard]] Out const& out() const { return a_; }
  [[nodiscard]] In const& in() const { return in_; }

  template <class Kernel, int W>
  void each(Kernel const& kernel, Packs<W> packs) const
  {
    for_each(rows_, kernel, packs);
  }
  /// Whether a GPU has room for a thread for every two packs of rows, but not for every one.
  /// Threads with two each then take less: a dot and an update of 10^6 rows 0.96 (H200).
  [[nodiscard]] bool fits_at_once_by_twos() const
  {
    index_t const threads = Device().concurrency();
    index_t const packs = rows_ / width;
    return threads < packs && packs <= 2 * threads;
  }
  /// One sum.
  template <class Kernel>
  void add(Kernel const& kernel, double* result) const
  {
    reduce(walk(), kernel, Span<double, Extents<index_t>, LayoutRight>(result, {}), wide,
           of_columns);
  }
  /// One launch's sums, of `count` columns.
  template <class Kernel>
  void add_many(Kernel const& kernel, int count, double* results) const
  {
    if constexpr (device_is_host) {
      using Many = Sums<double, summed>;
      reduce(walk(), kernel,
             Span<Many, Extents<index_t>, LayoutRight>(reinterpret_cast<Many*>(results), {}),
             wide);
    } else if (count <= summed / 4)
      add_by_teams<summed / 8>(kernel, results);
    else if (count <= summed / 2)
      add_by_teams<summed / 4>(kernel, results);
    else
      add_by_teams<summed / 2>(kernel, results);
  }

  /// Calls f(first, count) for columns [begin, end), at most Most at a time; the call that has
  /// column `begin` is the last one, as a fused pass requires.
  template <int Most, class F>
  static void chunks(index_t begin, index_t end, F const& f)
  {
    if (begin == end)
      return;
    for (index_t first = begin + (end - 1 - begin) / Most * Most; first >= begin; first -= Most)
      f(first, static_cast<int>(std::min<index_t>(Most, end - first)));
  }
  /// results[n] = a_j·a_{begin+n} on this rank.
  void add_products(index_t j, index_t begin, index_t end, double* results) const
  {
    chunks<summed>(begin, end, [&](index_t first, int count) {
      add_many(RowDots<In>{in_, j, first, count}, count, results + (first - begin));
    });
  }

private:
  void products(index_t j, index_t begin, index_t end, double* results)
  {
    add_products(j, begin, end, results);
    ranks_.sum(results, end - begin);
  }
  template <class Kernel, int N>
  using Teams = TeamSums<Kernel, N, width>;
  template <int N, class Kernel>
  void add_by_teams(Kernel const& kernel, double* results) const
  {
#if defined(KOKKOS_ENABLE_CUDA)
    if constexpr (HasSlots<Kernel> && RowsAreTogether) {
      using Staged = TeamSums<Kernel, N, width, true>;
      if (Staged::pays(rows_) && holds_its_teams<Staged::members, Staged>())
        return add_by<Staged>(kernel, results);
    }
#endif
    add_by<Teams<Kernel, N>>(kernel, results);
  }
  template <class OfTeams, class Kernel>
  void add_by(Kernel const& kernel, double* results) const
  {
    index_t const teams = OfTeams::teams_for(rows_);
    for_each_team<OfTeams::members>(teams, OfTeams{kernel, rows_, teams, parts_.data()});
    AddParts::launch({parts_.data(), results, OfTeams::width, teams});
  }
  static index_t most_parts(index_t rows)
  {
    return std::max({Teams<RowDots<In>, summed / 8>::values_for(rows),
                     Teams<RowDots<In>, summed / 4>::values_for(rows),
                     Teams<RowDots<In>, summed / 2>::values_for(rows)});
  }
  [[nodiscard]] auto walk() const { return in_order_of<LayoutRight>(Dynamic<1>(rows_)); }

  Out a_;
  In in_;
  index_t rows_;
  Factor const& factor_;
  OverRanks& ranks_;
  Array<double, Dynamic<1>, LayoutRight> parts_; ///< partial sums, on a GPU
};

/// The same over the core's spans; whatever is stored, sums and coefficients are doubles.
template <class Layout, class T = double>
class RowLaunches
    : public LaunchesOver<Span<T, Dynamic<2>, Layout>, Span<T const, Dynamic<2>, Layout>,
                          !std::is_same_v<Layout, LayoutRight>>
{
public:
  RowLaunches(Multivector<Layout, T> const& a, index_t rows, Factor const& factor,
              OverRanks& ranks)
      : RowLaunches::LaunchesOver(a.write(), a.template read<AccessDefault>(), rows, factor,
                                  ranks)
  {
  }

protected:
  using Out = Span<T, Dynamic<2>, Layout>;
  using In = Span<T const, Dynamic<2>, Layout>;
};

} // namespace strata::mgs
