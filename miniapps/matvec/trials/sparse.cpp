#include "array/sparse/sparse.hpp"

#include "problem.hpp"

#include "array/launch/elementwise.hpp"
#include "array/launch/team.hpp"
#include "controls/native_sparse.hpp"
#include "controls/vendor_sparse.hpp"
#include "kernels/lanes.hpp"
#include "kernels/sparse_kernels.hpp"
#include "kernels/tuning.hpp"
#include "operands/check.hpp"
#include "operands/stencil.hpp"
#include "ranks/halo.hpp"
#include "verify/every.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

// y = A x of the matrix of a stencil, compressed by rows or by columns.

namespace strata::matvec {

namespace {

/// The operator of check_product for the rows of a box of the grid, numbered with x fastest. It
/// visits the points beside a row's by their coordinates, and not as the matrix was made.
struct StencilOperator
{
  Values values;
  int dims;
  index_t edge;
  index_t begin[3]; ///< of the box
  index_t size[2];  ///< along x and y

  [[nodiscard]] index_t terms() const { return Stencil::most_neighbours(dims); }
  template <class F>
  KOKKOS_FUNCTION void row(index_t r, F const& f) const
  {
    index_t const x = begin[0] + r % size[0];
    index_t const y = begin[1] + r / size[0] % size[1];
    index_t const z = begin[2] + r / size[0] / size[1];
    index_t const number = (z * edge + y) * edge + x;
    for (index_t c = below(z); c < above(z) && c * edge * edge < points(); ++c)
      for (index_t b = below(y); b < above(y); ++b)
        for (index_t a = below(x); a < above(x); ++a)
          if (dims == 3 || a == x || b == y)
            f((c * edge + b) * edge + a, values.matrix(number, (c * edge + b) * edge + a));
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION index_t points() const
  {
    return dims == 3 ? edge * edge * edge : edge * edge;
  }
  [[nodiscard]] KOKKOS_FUNCTION index_t below(index_t at) const { return at > 0 ? at - 1 : 0; }
  [[nodiscard]] KOKKOS_FUNCTION index_t above(index_t at) const
  {
    return at + 2 < edge ? at + 2 : edge;
  }
};

Stencil stencil_of(Choice const& choice, Problem const& problem)
{
  int const dims = choice.stencil == "5pt" ? 2 : 3;
  auto const points = static_cast<double>(problem.sparse_rows);
  auto const edge =
      static_cast<index_t>((dims == 2 ? std::sqrt(points) : std::cbrt(points)) + 1e-9);
  return {dims, std::max<index_t>(edge, 1)};
}

template <Compressed Along>
class SparseTrial : public driver::Trial
{
public:
  static constexpr bool rows = Along == Compressed::rows;
  using Matrix = Sparse<double, Along>;

  SparseTrial(Choice const& choice, Problem const& problem)
      : values_(problem.values)
      , part_(stencil_of(choice, problem), problem.setting.share)
      , by_hand_(choice.variant == "native")
      , is_auto_(choice.parallel != "row")
      , matrix_("strata::matvec::sparse", my_rows(), part_.reached.count(),
                StencilLines<rows>{part_.stencil, part_.own, part_.reached, values_})
      , x_("strata::matvec::sparse x", Dynamic<1>(part_.reached.count()))
      , y_("strata::matvec::sparse y", Dynamic<1>(my_rows()))
      , halo_(part_, problem.setting)
  {
    if (choice.variant == "vendor")
      by_vendor_ = vendor::csr_product(raw(), part_.reached.count());
  }

  void reset() override
  {
    halo_.reset(values_, x_.data());
    auto const y = y_.write();
    verify::for_every(my_rows(), Set<std::remove_const_t<decltype(y)>>{y, NAN});
  }
  void step() override
  {
    halo_.gather(x_.data());
    if (by_vendor_)
      by_vendor_();
    else if (by_hand_)
      multiply_by_hand();
    else
      multiply();
  }

  /// Values, indices and offsets once; the elements of x that this part needs once; y once.
  [[nodiscard]] measure::Work work() const override
  {
    return {matrix_.bytes() + part_.read() * word, my_rows() * word, 2 * matrix_.entries()};
  }
  [[nodiscard]] std::vector<driver::Metric> metrics() const override
  {
    return {{"bandwidth", "B/s", static_cast<double>(work().bytes())},
            {"flops", "flop/s", static_cast<double>(work().flops)}};
  }
  [[nodiscard]] std::vector<report::Phase> phases() const override { return halo_.phases(); }
  std::vector<verify::Verdict> verify(int) override
  {
    auto const& [dims, edge] = part_.stencil;
    auto const& [begin, size] = part_.own;
    StencilOperator const rows_of_box{
        values_, dims, edge, {begin[0], begin[1], begin[2]}, {size[0], size[1]}};
    return check_product(rows_of_box, 0, static_cast<double const*>(y_.data()), my_rows());
  }
  verify::Output output() override { return {y_.data(), my_rows()}; }

private:
  static constexpr auto word = static_cast<std::int64_t>(sizeof(double));

  [[nodiscard]] index_t my_rows() const { return part_.own.count(); }
  void multiply() const
  {
    auto const matrix = matrix_.read();
    auto const x = x_.read();
    using Input = std::remove_const_t<decltype(x)>;
    if constexpr (rows) {
      auto const y = y_.write();
      using M = std::remove_const_t<decltype(matrix)>;
      using Y = std::remove_const_t<decltype(y)>;
      if constexpr (team_has_groups) {
        if (is_auto_)
          return multiply_by_groups(matrix, x, y);
      } else if constexpr (device_is_host) {
        if (is_auto_ && matrix_.entries() >= tuning::long_sparse_row * my_rows())
          return for_each(my_rows(),
                          LongSparseRow<tuning::sparse_chains, M, Input, Y>{matrix, x, y});
      }
      for_each(my_rows(), SparseRow<M, Input, Y>{matrix, x, y});
    } else {
      auto const zeroed = y_.write();
      for_each(my_rows(), Set<std::remove_const_t<decltype(zeroed)>>{zeroed, 0});
      auto const y = y_.template write<AccessAtomic>();
      constexpr int at_once = device_is_host ? 1 : tuning::column_entries;
      using M = std::remove_const_t<decltype(matrix)>;
      using Y = std::remove_const_t<decltype(y)>;
      for_each(matrix_.columns(), SparseColumn<at_once, M, Input, Y>{matrix, x, y});
    }
  }
  [[nodiscard]] native::SparseProduct raw() const
  {
    auto const matrix = matrix_.read();
    return {matrix.offsets(), matrix.places(), matrix.values(), x_.data(),
            y_.data(),        matrix.lines(),  my_rows(),       matrix_.entries()};
  }
  void multiply_by_hand() const
  {
    auto const product = raw();
    if constexpr (!rows)
      native::csc_columns(product);
    else if (is_auto_)
      native::csr_best(product);
    else
      native::csr_rows(product);
  }
  /// One work item per short row, and of others as many as leave a few entries to each.
  template <class M, class X, class Y>
  void multiply_by_groups(M const& matrix, X const& x, Y const& y) const
  {
    auto const multiply = [&]<int Lanes, int AtOnce>(Number<Lanes>, Number<AtOnce>) {
      using Kernel = SparseRows<Lanes, AtOnce, M, X, Y>;
      for_each_team<Kernel::members>((my_rows() + Kernel::rows - 1) / Kernel::rows,
                                     Kernel{matrix, x, y});
    };
    if (matrix_.entries() <= tuning::short_sparse_row * my_rows())
      return multiply(Number<1>(), Number<tuning::short_sparse_row>());
    index_t const rows_of_lane = my_rows() * tuning::sparse_entries;
    with_lanes<4>((matrix_.entries() + rows_of_lane - 1) / rows_of_lane,
                  [&](auto lanes) { multiply(lanes, Number<tuning::sparse_entries>()); });
  }

  Values values_;
  GridPart part_;
  bool by_hand_;
  bool is_auto_;
  Matrix matrix_;
  Array<double, Dynamic<1>> x_;
  Array<double, Dynamic<1>> y_;
  Halo halo_;
  std::function<void()> by_vendor_; ///< null in other variants
};

template <Compressed Along>
driver::Maker maker(Choice const& choice, Problem const& problem)
{
  return [choice, problem](driver::Workspace&) {
    return std::make_unique<SparseTrial<Along>>(choice, problem);
  };
}

} // namespace

driver::Maker sparse_maker(Choice const& choice, Problem const& problem)
{
  bool const by_vendor = choice.variant == "vendor" && choice.kernel == "csr" &&
                         choice.parallel == "auto" && !vendor::sparse_library().empty();
  if (choice.variant != "span" && choice.variant != "native" && !by_vendor)
    return {};
  if (choice.kernel == "csr")
    return choice.parallel == "team" ? driver::Maker()
                                     : maker<Compressed::rows>(choice, problem);
  return choice.parallel == "row" ? maker<Compressed::columns>(choice, problem)
                                  : driver::Maker();
}

report::Facts sparse_facts(Choice const& choice, Problem const& problem)
{
  auto const stencil = stencil_of(choice, problem);
  return {{"rows", std::to_string(stencil.grid().count())},
          {"edge", std::to_string(stencil.edge)}};
}

void sparse_memory(Choice const& choice, Problem const& problem, driver::Case& made)
{
  auto const& share = problem.setting.share;
  GridPart const part(stencil_of(choice, problem), share);
  index_t const rows = part.own.count();
  index_t const columns = part.reached.count();
  index_t const lines = choice.kernel == "csr" ? rows : columns;
  bool const by_vendor = choice.variant == "vendor";
  made.private_bytes =
      (by_vendor ? (lines + 1) * static_cast<index_t>(sizeof(std::int32_t)) : 0) +
      CSRArray<double>::bytes_for(lines, rows * Stencil::most_neighbours(part.stencil.dims)) +
      (rows + columns) * static_cast<index_t>(sizeof(double));
  if (!made.unavailable.empty())
    return;
  auto const ranks = grid_of_ranks(share.ranks, part.stencil.dims);
  if (part.stencil.edge < *std::max_element(ranks.begin(), ranks.end()))
    made.unavailable = "fewer points along an edge of the grid than ranks; raise "
                       "problem.sparse_rows";
  else if (columns > most_counted)
    made.unavailable = "columns are numbered in 32 bits; lower problem.sparse_rows";
}

} // namespace strata::matvec
