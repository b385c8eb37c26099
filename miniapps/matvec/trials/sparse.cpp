#include "array/sparse/sparse.hpp"

#include "problem.hpp"
#include "vectors.hpp"

#include "array/launch/elementwise.hpp"
#include "array/launch/team.hpp"
#include "controls/native_sparse.hpp"
#include "controls/vendor_sparse.hpp"
#include "kernels/lanes.hpp"
#include "kernels/sparse_kernels.hpp"
#include "kernels/tuning.hpp"
#include "operands/check.hpp"
#include "operands/stencil.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

// y = A x of the matrix of a stencil, compressed by rows or by columns.

namespace strata::matvec {

namespace {

/// The operator of check_product. It visits the points beside a row's by their coordinates, and
/// not as the matrix was made.
struct StencilOperator
{
  Values values;
  int dims;
  index_t edge;

  [[nodiscard]] index_t terms() const { return Stencil::most_neighbours(dims); }
  template <class F>
  KOKKOS_FUNCTION void row(index_t r, F const& f) const
  {
    index_t const x = r % edge;
    index_t const y = r / edge % edge;
    index_t const z = r / edge / edge;
    for (index_t c = below(z); c < above(z) && c * edge * edge < points(); ++c)
      for (index_t b = below(y); b < above(y); ++b)
        for (index_t a = below(x); a < above(x); ++a)
          if (dims == 3 || a == x || b == y)
            f((c * edge + b) * edge + a, values.matrix(r, (c * edge + b) * edge + a));
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
      , stencil_(stencil_of(choice, problem))
      , part_{problem.setting.share, {}, stencil_.points(), stencil_.points()}
      , by_hand_(choice.variant == "native")
      , by_teams_(choice.parallel != "row")
      , matrix_("strata::matvec::sparse", part_.my_rows(), part_.cols,
                StencilLines<rows>{stencil_, values_, part_.first_row(), part_.my_rows()})
      , x_("strata::matvec::sparse x", Dynamic<1>(part_.cols))
      , y_("strata::matvec::sparse y", Dynamic<1>(part_.my_rows()))
      , vectors_(part_, false, problem.setting, stencil_.reach())
  {
    if (choice.variant == "vendor")
      by_vendor_ = vendor::csr_product(raw(), part_.cols);
  }

  void reset() override { vectors_.reset(values_, x_.data(), y_.data(), nullptr); }
  void step() override
  {
    vectors_.gather(x_.data());
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
    index_t const of_x =
        rows ? stencil_.reached(part_.first_row(), part_.my_rows()) : part_.cols;
    return {matrix_.bytes() + of_x * word, part_.my_rows() * word, 2 * matrix_.entries()};
  }
  [[nodiscard]] std::vector<driver::Metric> metrics() const override
  {
    return {{"bandwidth", "B/s", static_cast<double>(work().bytes())},
            {"flops", "flop/s", static_cast<double>(work().flops)}};
  }
  [[nodiscard]] std::vector<report::Phase> phases() const override { return vectors_.phases(); }
  std::vector<verify::Verdict> verify(int) override
  {
    return check_product(StencilOperator{values_, stencil_.dims, stencil_.edge},
                         part_.first_row(), static_cast<double const*>(y_.data()),
                         part_.my_rows());
  }
  verify::Output output() override { return {y_.data(), part_.my_rows()}; }

private:
  static constexpr auto word = static_cast<std::int64_t>(sizeof(double));

  void multiply() const
  {
    auto const matrix = matrix_.read();
    auto const x = x_.read();
    using Input = std::remove_const_t<decltype(x)>;
    if constexpr (rows) {
      auto const y = y_.write();
      if (team_has_groups && by_teams_)
        multiply_by_groups(matrix, x, y);
      else
        for_each(part_.my_rows(), SparseRow<std::remove_const_t<decltype(matrix)>, Input,
                                            std::remove_const_t<decltype(y)>>{matrix, x, y});
    } else {
      auto const zeroed = y_.write();
      for_each(part_.my_rows(), Set<std::remove_const_t<decltype(zeroed)>>{zeroed, 0});
      auto const y = y_.template write<AccessAtomic>();
      for_each(part_.cols, SparseColumn<std::remove_const_t<decltype(matrix)>, Input,
                                        std::remove_const_t<decltype(y)>>{matrix, x, y});
    }
  }
  [[nodiscard]] native::SparseProduct raw() const
  {
    auto const matrix = matrix_.read();
    return {matrix.offsets(), matrix.places(), matrix.values(), x_.data(),
            y_.data(),        matrix.lines(),  part_.my_rows(), matrix_.entries()};
  }
  void multiply_by_hand() const
  {
    auto const product = raw();
    if constexpr (!rows)
      native::csc_columns(product);
    else if (by_teams_)
      native::csr_best(product);
    else
      native::csr_rows(product);
  }
  /// As many work items per row as leave a few entries to each.
  template <class M, class X, class Y>
  void multiply_by_groups(M const& matrix, X const& x, Y const& y) const
  {
    index_t const rows_of_lane = std::max<index_t>(part_.my_rows(), 1) * tuning::sparse_entries;
    with_lanes((matrix_.entries() + rows_of_lane - 1) / rows_of_lane, [&](auto lanes) {
      using Kernel = SparseRows<decltype(lanes)::value, M, X, Y>;
      index_t const tiles = (part_.my_rows() + Kernel::rows - 1) / Kernel::rows;
      index_t const teams = std::min(tiles, teams_of_device<Kernel>());
      for_each_team<Kernel::members>(teams, Kernel{matrix, x, y, teams});
    });
  }

  Values values_;
  Stencil stencil_;
  Part part_;
  bool by_hand_;
  bool by_teams_;
  Matrix matrix_;
  Array<double, Dynamic<1>> x_;
  Array<double, Dynamic<1>> y_;
  Vectors<double> vectors_;
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
  return {{"rows", std::to_string(stencil.points())}, {"edge", std::to_string(stencil.edge)}};
}

void sparse_memory(Choice const& choice, Problem const& problem, driver::Case& made)
{
  auto const stencil = stencil_of(choice, problem);
  index_t const rows = problem.setting.share.count(stencil.points());
  index_t const lines = choice.kernel == "csr" ? rows : stencil.points();
  bool const by_vendor = choice.variant == "vendor";
  made.private_bytes =
      (by_vendor ? (lines + 1) * static_cast<index_t>(sizeof(std::int32_t)) : 0) +
      CSRArray<double>::bytes_for(lines, rows * Stencil::most_neighbours(stencil.dims)) +
      (rows + stencil.points()) * static_cast<index_t>(sizeof(double));
  if (stencil.points() < problem.setting.share.ranks && made.unavailable.empty())
    made.unavailable = "fewer rows than ranks; raise problem.sparse_rows";
  if (stencil.points() > most_counted && made.unavailable.empty())
    made.unavailable = "columns are numbered in 32 bits; lower problem.sparse_rows";
}

} // namespace strata::matvec
