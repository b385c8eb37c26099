#include "dense_launch.hpp"
#include "slots.hpp"

#include "array/launch/elementwise.hpp"
#include "controls/vendor.hpp"
#include "driver/axis.hpp"
#include "kernels/row_dot.hpp"
#include "kernels/split.hpp"
#include "kernels/symmetric_kernels.hpp"
#include "operands/check.hpp"
#include "ranks/vectors.hpp"

// y = A x of a symmetric matrix in packed storage; in full storage by the vendor's library.

namespace strata::matvec {

namespace {

using Matrix = PackedRows<double const>;
using Layout = LayoutSymmetric<>;

constexpr int stored_place = DenseSlot::partial + 1; // among a case's slots: behind the others

/// Whether all of the square is stored, by columns.
bool is_full(Choice const& choice)
{
  return choice.layout == driver::word_of<LayoutLeft>();
}

/// Partial sums of a host's threads; a GPU adds atomically.
index_t parts_of()
{
  return device_is_host ? Device().concurrency() : 1;
}
constexpr index_t most_threads = 1024; // the number is not known when cases are only listed

struct Rows
{
  index_t order, first, end;

  [[nodiscard]] index_t elements() const
  {
    Layout::mapping<Dynamic<2>> const whole(Dynamic<2>(end, end));
    return whole.required_span_size() - whole(first, index_t{0});
  }
};

/// This rank's rows: ranks have equal areas of the triangle.
Rows rows_of(Problem const& problem)
{
  auto const& share = problem.setting.share;
  return {problem.rows, equal_area(0, problem.rows, share.rank, share.ranks),
          equal_area(0, problem.rows, share.rank + 1, share.ranks)};
}

Part symmetric_part(Problem const& problem)
{
  return {problem.setting.share, {}, problem.rows, problem.rows};
}

template <class Packed>
struct FillPacked
{
  static constexpr char const* name() { return "strata::matvec::FillPacked"; }
  Packed stored;
  Layout::mapping<Dynamic<2>> mapping;
  Values values;
  Rows rows;

  /// One team per row, so that a host's threads touch rows as they read them.
  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    index_t const part = team.index();
    index_t const first = equal_area(rows.first, rows.end, part, parts);
    index_t const end = equal_area(rows.first, rows.end, part + 1, parts);
    index_t const base = mapping(rows.first, index_t{0});
    for (index_t i = first; i < end; ++i)
      for (index_t j = team.rank(); j <= i; j += Team::size)
        stored(mapping(i, j) - base) = values.symmetric(i, j);
  }
  index_t parts;
};

/// All of the square: one team per row, which is a column of the same values.
template <class Square>
struct FillFull
{
  static constexpr char const* name() { return "strata::matvec::FillFull"; }
  Square stored;
  Values values;
  index_t order;

  template <class Team>
  KOKKOS_FUNCTION void operator()(Team const& team) const
  {
    index_t const i = team.index();
    for (index_t j = team.rank(); j < order; j += Team::size)
      stored(i * order + j) = values.symmetric(i, j);
  }
};

class SymmetricTrial : public driver::Trial
{
public:
  SymmetricTrial(Choice const& choice, Problem const& problem, driver::Workspace& workspace);

  void reset() override;
  void step() override
  {
    vectors_.gather(at(DenseSlot::x));
    if (full_)
      vendor::symv(rows_.order, at(stored_place), at(DenseSlot::x), at(DenseSlot::y));
    else if (variant_ == "vendor")
      vendor::spmv(rows_.order, at(stored_place), at(DenseSlot::x), at(DenseSlot::y));
    else if (parallel_ == "row")
      by_rows();
    else
      both_places();
    vectors_.add_over_ranks(at(DenseSlot::y), rows_.order);
  }

  [[nodiscard]] measure::Work work() const override
  {
    auto const word = static_cast<std::int64_t>(sizeof(double));
    index_t const stored = rows_.elements();
    return {(stored + rows_.end) * word, rows_.end * word,
            2 * (2 * stored - (rows_.end - rows_.first))};
  }
  [[nodiscard]] std::vector<driver::Metric> metrics() const override
  {
    return {{"bandwidth", "B/s", static_cast<double>(work().bytes())},
            {"flops", "flop/s", static_cast<double>(work().flops)}};
  }
  [[nodiscard]] std::vector<report::Phase> phases() const override { return vectors_.phases(); }
  std::vector<verify::Verdict> verify(int) override
  {
    DenseOperator const product{values_, DenseOperator::Kind::symmetric, rows_.order};
    index_t const first = share_.begin(rows_.order);
    return check_product(product, first, static_cast<double const*>(at(DenseSlot::y) + first),
                         share_.count(rows_.order));
  }
  verify::Output output() override
  {
    return {at(DenseSlot::y) + share_.begin(rows_.order), share_.count(rows_.order)};
  }

private:
  [[nodiscard]] double* at(int slot) const
  {
    return reinterpret_cast<double*>(memory_[slot].data());
  }
  void by_rows();
  void both_places();

  Values values_;
  runtime::Share share_;
  Rows rows_;
  std::string variant_, parallel_;
  Vectors<double> vectors_;
  std::vector<Memory<>> memory_;
  bool full_;
  bool filled_ = false;
};

std::vector<driver::Slot> symmetric_slots(Choice const& choice, Problem const& problem)
{
  constexpr auto word = static_cast<index_t>(sizeof(double));
  auto const rows = rows_of(problem);
  index_t const threads = problem.setting.device_bytes > 0 ? parts_of() : most_threads;
  bool const full = is_full(choice);
  index_t const stored = full ? rows.order * rows.order : rows.elements();
  return {{DenseSlot::x, rows.order * word},
          {DenseSlot::y, rows.order * word},
          {DenseSlot::partial, threads * rows.order * word},
          {full ? SymmetricSlot::full : SymmetricSlot::packed, stored * word}};
}

SymmetricTrial::SymmetricTrial(Choice const& choice, Problem const& problem,
                               driver::Workspace& workspace)
    : values_(problem.values)
    , share_(problem.setting.share)
    , rows_(rows_of(problem))
    , variant_(choice.variant)
    , parallel_(choice.parallel)
    , vectors_(symmetric_part(problem), false, problem.setting)
    , full_(is_full(choice))
{
  for (auto const& slot : symmetric_slots(choice, problem))
    memory_.push_back(workspace.take(slot));
}

void SymmetricTrial::reset()
{
  auto const stored =
      output_span(at(stored_place), full_ ? rows_.order * rows_.order : rows_.elements());
  if (!filled_ && full_)
    for_each_team<tuning::symmetric_team>(
        rows_.order,
        FillFull<std::remove_const_t<decltype(stored)>>{stored, values_, rows_.order});
  else if (!filled_) {
    index_t const parts = device_is_host ? parts_of() : rows_.end - rows_.first;
    for_each_team<tuning::symmetric_team>(
        parts, FillPacked<std::remove_const_t<decltype(stored)>>{
                   stored, Matrix::Mapping(Dynamic<2>(rows_.order, rows_.order)), values_,
                   rows_, parts});
  }
  filled_ = true;
  vectors_.reset(values_, at(DenseSlot::x), at(DenseSlot::y), nullptr);
  auto const y = output_span(at(DenseSlot::y), rows_.order);
  verify::for_every(rows_.order, Set<std::remove_const_t<decltype(y)>>{y, NAN});
}

void SymmetricTrial::by_rows()
{
  using Whole = Span<double const, Dynamic<2>, Layout, AccessReadOnly>;
  Whole const matrix(at(stored_place),
                     Whole::mapping_type(Dynamic<2>(rows_.order, rows_.order)));
  auto const x = input_span(at(DenseSlot::x), rows_.order);
  auto const y = output_span(at(DenseSlot::y), rows_.order);
  for_each(rows_.order,
           RowDot<Whole, std::remove_const_t<decltype(x)>, std::remove_const_t<decltype(y)>>{
               matrix, x, y});
}

void SymmetricTrial::both_places()
{
  Matrix const matrix{
      Matrix::Stored(at(stored_place),
                     Matrix::Stored::mapping_type(Dynamic<1>(rows_.elements()))),
      Matrix::Mapping(Dynamic<2>(rows_.order, rows_.order)), rows_.first, rows_.end};
  auto const x = input_span(at(DenseSlot::x), rows_.order);
  using Input = std::remove_const_t<decltype(x)>;
  auto const y = output_span(at(DenseSlot::y), rows_.order);
  using Output = std::remove_const_t<decltype(y)>;
  if constexpr (device_is_host) {
    using Partial = Span<double, Dynamic<2>, LayoutLeft>;
    Partial const partial(at(DenseSlot::partial),
                          Partial::mapping_type(Dynamic<2>(rows_.order, parts_of())));
    for_each_team<1>(
        parts_of(),
        SymmetricRows<Matrix, Input, Partial, pack_width<double>, tuning::symmetric_host_rows>{
            matrix, x, partial});
    for_each(rows_.order, SumParts<Partial, Output>{partial, y});
  } else {
    using Atomic = Span<double, Dynamic<1>, LayoutRight, AccessAtomic>;
    for_each(rows_.order, Set<Output>{y, 0});
    SymmetricTiles<Matrix, Input, Atomic, tuning::symmetric_rows, tuning::symmetric_team,
                   tuning::symmetric_pieces> const kernel(matrix, x,
                                                          Atomic(at(DenseSlot::y),
                                                                 y.mapping()));
    for_each_team<tuning::symmetric_team>(kernel.teams(), kernel);
  }
}

} // namespace

driver::Maker symmetric_maker(Choice const& choice, Problem const& problem)
{
  bool const known = choice.variant == "span" && !is_full(choice)
                         ? choice.parallel == "row" || choice.parallel == "auto"
                         : choice.variant == "vendor" && choice.parallel == "auto";
  if (!known)
    return {};
  return [choice, problem](driver::Workspace& workspace) {
    return std::make_unique<SymmetricTrial>(choice, problem, workspace);
  };
}

report::Facts symmetric_facts(Choice const&, Problem const& problem)
{
  return {{"rows", std::to_string(problem.rows)}};
}

void symmetric_memory(Choice const& choice, Problem const& problem, driver::Case& made)
{
  made.slots = symmetric_slots(choice, problem);
  bool const needs_all = choice.variant == "vendor" || choice.parallel == "row";
  if (needs_all && problem.setting.share.ranks > 1 && made.unavailable.empty())
    made.unavailable = "it needs the whole triangle on one rank";
  if (problem.rows > most_symmetric_order) // as `auto` may be
    made.unavailable = "its order is at most 2^28; lower problem.rows";
}

} // namespace strata::matvec
