#include "problem.hpp"
#include "slots.hpp"

#include "array/dense/array.hpp"
#include "array/launch/elementwise.hpp"
#include "controls/native_batched.hpp"
#include "controls/vendor.hpp"
#include "driver/axis.hpp"
#include "kernels/batched_kernels.hpp"
#include "operands/check.hpp"
#include "operands/values.hpp"
#include "verify/elements.hpp"

#include <algorithm>
#include <cmath>

// y_b = A_b x_b of many small matrices.

namespace strata::matvec {

namespace {

/// Matrix b has the global matrix' elements (row b·N + i, j); y becomes NaN.
template <class Matrices, class Rows>
struct FillBatch
{
  static constexpr char const* name() { return "strata::matvec::FillBatch"; }
  Matrices A;
  Rows x;
  Rows y;
  Values values;
  index_t first;

  KOKKOS_FUNCTION void operator()(index_t b) const
  {
    index_t const order = A.extent(1);
    for (index_t i = 0; i < order; ++i) {
      index_t const row = (first + b) * order + i;
      for (index_t j = 0; j < order; ++j)
        A(b, i, j) = values.matrix(row, j);
      x(b, i) = values.vector(row);
      y(b, i) = NAN;
    }
  }
};

/// rows(b·N + i) = y(b, i)
template <class From, class To>
struct TakeRows
{
  static constexpr char const* name() { return "strata::matvec::TakeRows"; }
  From from;
  To to;
  index_t order;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    to(row) = from(row / order, row % order);
  }
};

/// The matrices as one block-diagonal matrix: the operator of check_product.
struct BlockOperator
{
  Values values;
  index_t order = 1;
  index_t count = 0; ///< of the matrices, over all ranks

  [[nodiscard]] index_t terms() const { return order; }
  template <class F>
  KOKKOS_FUNCTION void row(index_t r, F const& f) const
  {
    for (index_t j = 0; j < order; ++j)
      f(r / order * order + j, values.matrix(r, j));
  }
};

index_t matrices(Choice const& choice, Problem const& problem)
{
  if (problem.batch_count > 0)
    return problem.batch_count;
  return std::max<index_t>(
             1, problem.setting.beyond_cache() /
                    (choice.block * choice.block * static_cast<index_t>(sizeof(double)))) *
         problem.setting.share.ranks;
}

/// This rank's matrices and vectors in device memory.
struct Batch
{
  double* a;
  double* x;
  double* y;
  index_t count;
  index_t order;
};

template <class Layout, std::size_t N = dyn>
auto matrices_of(Batch const& batch)
{
  using Matrices = Span<double, Extents<index_t, dyn, N, N>, Layout>;
  return Matrices(batch.a, typename Matrices::mapping_type(typename Matrices::extents_type(
                               batch.count, batch.order, batch.order)));
}
template <class Layout, std::size_t N = dyn>
auto vectors_of(Batch const& batch, double* data)
{
  using Vectors = Span<double, Extents<index_t, dyn, N>, Layout>;
  return Vectors(data, typename Vectors::mapping_type(
                           typename Vectors::extents_type(batch.count, batch.order)));
}

/// The parts of a case that depend on the layout.
struct Functions
{
  void (*launch)(Batch const& batch, bool by_rows);
  void (*fill)(Batch const& batch, Values const& values, index_t first);
  void (*take)(Batch const& batch, double* rows);
  verify::Output (*output)(Batch const& batch);
  native::BatchProduct by_hand; ///< or the vendor's; replaces launch, unless null
};

template <class Layout, std::size_t N>
void launch(Batch const& batch, bool by_rows)
{
  auto const read_only = [](auto const& span) {
    using Given = std::remove_cvref_t<decltype(span)>;
    return Span<double const, typename Given::extents_type, Layout>(span)
        .template with<AccessReadOnly>();
  };
  launch_batch<Layout>(read_only(matrices_of<Layout, N>(batch)),
                       read_only(vectors_of<Layout, N>(batch, batch.x)),
                       vectors_of<Layout, N>(batch, batch.y), by_rows);
}

template <class Layout>
void fill(Batch const& batch, Values const& values, index_t first)
{
  auto const a = matrices_of<Layout>(batch);
  auto const x = vectors_of<Layout>(batch, batch.x);
  auto const y = vectors_of<Layout>(batch, batch.y);
  verify::for_every(
      batch.count,
      FillBatch<std::remove_const_t<decltype(a)>, std::remove_const_t<decltype(x)>>{
          a, x, y, values, first});
}

template <class Layout>
void take(Batch const& batch, double* rows)
{
  using Rows = Span<double, Dynamic<1>, LayoutRight>;
  index_t const count = batch.count * batch.order;
  Rows const to(rows, Rows::mapping_type(Dynamic<1>(count)));
  auto const from = vectors_of<Layout>(batch, batch.y);
  verify::for_every(count,
                    TakeRows<std::remove_const_t<decltype(from)>, Rows>{from, to, batch.order});
}

template <class Layout>
verify::Output output(Batch const& batch)
{
  auto const y = vectors_of<Layout>(batch, batch.y);
  return verify::elements_of(batch.y, y.mapping(), y.extents());
}

class BatchedTrial : public driver::Trial
{
public:
  BatchedTrial(Choice const& choice, Problem const& problem, Functions const& functions,
               std::vector<driver::Slot> const& slots, driver::Workspace& workspace)
      : product_{problem.values, choice.block, matrices(choice, problem)}
      , first_(problem.setting.share.begin(product_.count))
      , by_rows_(choice.parallel == "row")
      , functions_(functions)
  {
    for (auto const& slot : slots)
      memory_.push_back(workspace.take(slot));
    auto const at = [&](std::size_t i) {
      return reinterpret_cast<double*>(memory_.at(i).data());
    };
    batch_ = {at(0), at(1), at(2), problem.setting.share.count(product_.count), product_.order};
  }

  void reset() override { functions_.fill(batch_, product_.values, first_); }
  void step() override
  {
    if (functions_.by_hand != nullptr)
      functions_.by_hand({batch_.a, batch_.x, batch_.y, batch_.count, batch_.order});
    else
      functions_.launch(batch_, by_rows_);
  }

  [[nodiscard]] measure::Work work() const override
  {
    constexpr auto word = static_cast<std::int64_t>(sizeof(double));
    index_t const rows = batch_.count * batch_.order;
    return {(batch_.order + 1) * rows * word, rows * word, 2 * batch_.order * rows};
  }
  [[nodiscard]] std::vector<driver::Metric> metrics() const override
  {
    return {{"bandwidth", "B/s", static_cast<double>(work().bytes())},
            {"flops", "flop/s", static_cast<double>(work().flops)},
            {"matrices", "matrices/s", static_cast<double>(batch_.count)}};
  }
  std::vector<verify::Verdict> verify(int) override
  {
    index_t const rows = batch_.count * batch_.order;
    Array<double, Dynamic<1>> const ordered("strata::matvec::batched rows", Dynamic<1>(rows));
    functions_.take(batch_, ordered.data());
    return check_product(product_, first_ * product_.order,
                         static_cast<double const*>(ordered.data()), rows);
  }
  verify::Output output() override { return functions_.output(batch_); }

private:
  BlockOperator product_;
  index_t first_;
  bool by_rows_;
  Functions functions_;
  std::vector<Memory<>> memory_;
  Batch batch_{};
};

using Layouts = driver::Axis<LayoutLeft, LayoutRight, LayoutTiled<32>>;

/// Null launch where there is none.
Functions functions_of(Choice const& choice)
{
  Functions found{};
  bool const fixed = choice.extents == "static";
  Layouts::at(choice.layout, [&]<class Layout>() {
    found = {!fixed              ? &launch<Layout, dyn>
             : choice.block == 3 ? &launch<Layout, 3>
             : choice.block == 8 ? &launch<Layout, 8>
                                 : nullptr,
             &fill<Layout>, &take<Layout>, &output<Layout>, nullptr};
  });
  bool const left = choice.layout == driver::word_of<LayoutLeft>();
  bool const right = choice.layout == driver::word_of<LayoutRight>();
  if (choice.variant == "span" || found.launch == nullptr)
    return found;
  if (choice.variant == "vendor") {
    if (right && choice.parallel == "auto" && !fixed)
      found.by_hand = vendor::batched_gemv();
  } else if (left || right)
    found.by_hand =
        native::batch_product(left, choice.parallel == "row", fixed ? choice.block : 0);
  if (found.by_hand == nullptr)
    found.launch = nullptr;
  return found;
}

std::vector<driver::Slot> batched_slots(Choice const& choice, Problem const& problem)
{
  constexpr index_t tile = 32; // the last may be padded
  index_t const mine = problem.setting.share.count(matrices(choice, problem));
  index_t const padded = (mine + tile - 1) / tile * tile * static_cast<index_t>(sizeof(double));
  return {{BatchedSlot::matrix, padded * choice.block * choice.block},
          {BatchedSlot::x, padded * choice.block},
          {BatchedSlot::y, padded * choice.block}};
}

} // namespace

driver::Maker batched_maker(Choice const& choice, Problem const& problem)
{
  auto const functions = functions_of(choice);
  bool const there =
      choice.variant == "span" || choice.variant == "native" || choice.variant == "vendor";
  if (!there || choice.parallel == "team" || functions.launch == nullptr)
    return {};
  return [choice, problem, functions](driver::Workspace& workspace) {
    return std::make_unique<BatchedTrial>(choice, problem, functions,
                                          batched_slots(choice, problem), workspace);
  };
}

report::Facts batched_facts(Choice const& choice, Problem const& problem)
{
  return {{"matrices", std::to_string(matrices(choice, problem))},
          {"order", std::to_string(choice.block)}};
}

void batched_memory(Choice const& choice, Problem const& problem, driver::Case& made)
{
  made.slots = batched_slots(choice, problem);
  if (matrices(choice, problem) < problem.setting.share.ranks && made.unavailable.empty())
    made.unavailable = "fewer matrices than ranks; raise problem.batch_count";
}

} // namespace strata::matvec
