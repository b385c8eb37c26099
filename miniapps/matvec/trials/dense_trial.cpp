#include "dense_trial.hpp"

#include "dense_launch.hpp"
#include "slots.hpp"

#include "array/launch/elementwise.hpp"
#include "kernels/tuning.hpp"
#include "operands/check.hpp"
#include "ranks/vectors.hpp"
#include "runtime/mpi/exchange.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace strata::matvec {

namespace {

/// Cases whose matrix has the same elements at the same addresses share its memory.
int matrix_slot(Choice const& choice)
{
  auto const names = MatrixLayouts::words();
  auto const layout = std::find(names.begin(), names.end(), choice.layout) - names.begin();
  auto const scalar = scalar_number(choice.scalar);
  auto const kind = 2 * (4 * layout + scalar) + (choice.partition == "grid" ? 1 : 0);
  return DenseSlot::matrix + static_cast<int>(kind);
}

index_t matrix_elements(std::string const& layout, index_t rows, index_t cols)
{
  index_t elements = 0;
  MatrixLayouts::at(layout, [&]<class Layout>() {
    elements = mapping_for<Layout>(rows, cols).required_span_size();
  });
  return elements;
}

/// Of teams that share blocks of rows: one for each such block.
constexpr index_t ticket_count = device_is_host ? 0 : tuning::most_sharing_teams;
/// Sums that such teams store.
constexpr index_t most_shared_sums = tuning::most_sharing_teams * tuning::most_team_rows;

/// The slots of a case, in the order of DenseSlot.
std::vector<driver::Slot> slots_of_part(Choice const& choice, Part const& part)
{
  auto const [stored, bytes] = driver::with_scalar(choice.scalar, [&]<class T>() {
    return std::pair<index_t, index_t>(sizeof(T), sizeof(computed_t<T>));
  });
  bool const transposed = choice.kernel == "matvec_t";
  index_t const in = transposed ? part.my_rows() : part.my_cols();
  index_t const out = transposed ? part.my_cols() : part.my_rows();
  std::vector<driver::Slot> slots{
      {DenseSlot::x, in * bytes},
      {DenseSlot::y, out * bytes},
      {DenseSlot::partial,
       (device_is_host ? most_parts_of(in) * out : most_shared_sums) * bytes},
      {DenseSlot::pieces, part.across.ranks * (part.across.count(out) + 1) * bytes},
      {DenseSlot::tickets, ticket_count * static_cast<index_t>(sizeof(unsigned))},
      {matrix_slot(choice),
       matrix_elements(choice.layout, part.my_rows(), part.my_cols()) * stored}};
  for (auto& slot : slots)
    slot.bytes += 64;
  return slots;
}

template <class T>
class DenseTrial : public driver::Trial
{
  using Number = computed_t<T>;

public:
  DenseTrial(Choice const& choice, Problem const& problem, Launch<T> launch,
             driver::Workspace& workspace)
      : values_(rounded_to<T>(problem.values))
      , part_(part_of(choice.partition, problem.setting.share, problem.rows, problem.cols))
      , transposed_(choice.kernel == "matvec_t")
      , launch_(std::move(launch))
      , fill_(fill_of<T>(choice.layout))
      , vectors_(part_, transposed_, problem.setting)
  {
    auto const slots = slots_of_part(choice, part_);
    for (auto const& slot : slots)
      memory_.push_back(workspace.take(slot));
    tickets_ = reinterpret_cast<unsigned*>(memory_[DenseSlot::tickets].data());
    // Half of the cache: a GPU's may keep a line in both of its halves.
    bool const cached = slots[DenseSlot::matrix].bytes <= problem.setting.cache_bytes / 2;
    operands_ = {reinterpret_cast<T*>(memory_[DenseSlot::matrix].data()),
                 at(DenseSlot::x),
                 at(DenseSlot::y),
                 at(DenseSlot::partial),
                 tickets_,
                 part_.my_rows(),
                 part_.my_cols(),
                 cached};
  }

  void reset() override
  {
    if (!filled_) {
      if constexpr (!device_is_host) // packs load the padding; a host's fill places the pages
        Kokkos::deep_copy(memory_[DenseSlot::matrix], std::byte{0});
      fill_(operands_.matrix, values_, part_);
      auto const tickets = output_span(tickets_, ticket_count);
      for_each(ticket_count, Set<std::remove_const_t<decltype(tickets)>>{tickets, 0});
    }
    filled_ = true;
    vectors_.reset(values_, at(DenseSlot::x), at(DenseSlot::y), at(DenseSlot::pieces));
  }
  void step() override
  {
    vectors_.gather(at(DenseSlot::x));
    loop_ = launch_(operands_);
    vectors_.combine(at(DenseSlot::y), at(DenseSlot::pieces));
  }

  [[nodiscard]] measure::Work work() const override
  {
    constexpr std::int64_t bytes = sizeof(Number);
    index_t const elements = operands_.rows * operands_.cols;
    index_t const in = transposed_ ? operands_.rows : operands_.cols;
    index_t const out = transposed_ ? operands_.cols : operands_.rows;
    return {elements * static_cast<std::int64_t>(sizeof(T)) + in * bytes, out * bytes,
            2 * elements};
  }
  [[nodiscard]] std::vector<driver::Metric> metrics() const override
  {
    index_t const out = transposed_ ? operands_.cols : operands_.rows;
    index_t const elements = operands_.rows * operands_.cols;
    double const accessed =
        static_cast<double>(elements) * sizeof(T) +
        static_cast<double>(elements + 2 * out) * static_cast<double>(sizeof(Number));
    return {{"bandwidth", "B/s", static_cast<double>(work().bytes())},
            {"flops", "flop/s", static_cast<double>(work().flops)},
            {"accesses_as_S2_counts", "B/s", accessed}};
  }
  [[nodiscard]] std::vector<report::Phase> phases() const override { return vectors_.phases(); }
  /// The loop of this rank; all ranks have parts of about the same shape.
  [[nodiscard]] report::Facts outcome() const override
  {
    if (loop_.kernel == nullptr)
      return {};
    return {{"loop", loop_.kernel},
            {"pack", std::to_string(loop_.pack)},
            {"lanes", std::to_string(loop_.lanes)},
            {"blocks_of_rows", std::to_string(loop_.blocks)},
            {"parts_of_columns", std::to_string(loop_.parts)},
            {"loads", loop_.streams ? "streaming" : "cached"}};
  }

  std::vector<verify::Verdict> verify(int) override
  {
    using Kind = DenseOperator::Kind;
    DenseOperator const product{values_, transposed_ ? Kind::transposed : Kind::plain,
                                transposed_ ? part_.rows : part_.cols};
    auto const mine = vectors_.mine();
    return check_product(product, mine.first, static_cast<Number const*>(outputs()),
                         mine.count);
  }
  verify::Output output() override { return {outputs(), vectors_.mine().count}; }

private:
  /// This rank's elements of y.
  [[nodiscard]] Number* outputs() const
  {
    auto const mine = vectors_.mine();
    return at(mine.in_pieces ? DenseSlot::pieces : DenseSlot::y) + mine.offset;
  }
  [[nodiscard]] Number* at(DenseSlot::Number slot) const
  {
    return reinterpret_cast<Number*>(memory_[slot].data());
  }

  Values values_;
  Part part_;
  bool transposed_;
  Launch<T> launch_;
  Fill<T> fill_;
  Vectors<Number> vectors_;
  std::vector<Memory<>> memory_;
  unsigned* tickets_ = nullptr;
  Operands<T> operands_{};
  Loop loop_;
  bool filled_ = false;
};

} // namespace

index_t most_parts_of(index_t cols)
{
  return std::clamp<index_t>(cols / tuning::least_columns, 1, tuning::most_parts);
}

std::vector<driver::Slot> dense_slots(Choice const& choice, Problem const& problem)
{
  return slots_of_part(
      choice, part_of(choice.partition, problem.setting.share, problem.rows, problem.cols));
}

template <class T>
driver::Maker dense_maker(Choice const& choice, Problem const& problem, Launch<T> launch)
{
  return [choice, problem, launch = std::move(launch)](driver::Workspace& workspace) {
    return std::make_unique<DenseTrial<T>>(choice, problem, launch, workspace);
  };
}
template driver::Maker dense_maker(Choice const&, Problem const&, Launch<double>);
template driver::Maker dense_maker(Choice const&, Problem const&, Launch<float>);
template driver::Maker dense_maker(Choice const&, Problem const&, Launch<float16>);
template driver::Maker dense_maker(Choice const&, Problem const&, Launch<bfloat16>);

} // namespace strata::matvec
