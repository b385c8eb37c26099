#include "ceiling.hpp"

#include "array/launch/elementwise.hpp"
#include "array/launch/for_each.hpp"
#include "array/launch/reduce.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

namespace strata::driver {

namespace {

using Values = Array<double, Dynamic<1>>;
using Store = std::conditional_t<device_is_host, AccessStreaming, AccessDefault>;
constexpr auto read_packs = widest_packs<double, LayoutDefault>;
constexpr auto stored_packs = write_packs<double, LayoutDefault>;
constexpr Pages pages = device_is_host ? Pages::huge : Pages::normal;

/// The values of the arrays. b and c are constant, so every result is constant.
constexpr double b_value = 0.25;
constexpr double c_value = 0.5;
constexpr double factor = 2;

enum class Kind
{
  read,
  write,
  copy,
  triad
};

Slot slot(int number, index_t count)
{
  return {number, count * static_cast<index_t>(sizeof(double)), pages};
}

class CeilingTrial final : public Trial
{
public:
  CeilingTrial(Kind kind, index_t count, Workspace& workspace)
      : kind_(kind)
      , sum_("strata::driver::ceiling sum", Extents<index_t>())
  {
    typename Values::mapping_type const mapping{Dynamic<1>(count)};
    for (int i = 0; i < 3; ++i)
      fields_[static_cast<std::size_t>(i)] = Values(workspace.take(slot(i, count)), mapping);
  }

  /// Fills what the step touches.
  void reset() override
  {
    if (kind_ != Kind::read)
      fill(0, std::numeric_limits<double>::quiet_NaN());
    if (kind_ != Kind::write)
      fill(1, b_value);
    if (kind_ == Kind::triad)
      fill(2, c_value);
    Kokkos::deep_copy(view_of_sum(), std::numeric_limits<double>::quiet_NaN());
  }

  void step() override
  {
    auto const a = fields_[0].write<Store>();
    auto const b = fields_[1].read();
    auto const c = fields_[2].read();
    auto const walk = in_order_of<LayoutRight>(a.extents());
    switch (kind_) {
    case Kind::read:
      return reduce(walk, Sum<decltype(b)>{b}, sum_, read_packs);
    case Kind::write:
      return for_each(walk, Set<decltype(a)>{a, c_value}, stored_packs);
    case Kind::copy:
      return for_each(walk, Copy<decltype(b), decltype(a)>{b, a}, stored_packs);
    case Kind::triad:
      return for_each(walk, Triad<decltype(a), decltype(b), decltype(c)>{a, b, c, factor},
                      stored_packs);
    }
  }

  [[nodiscard]] measure::Work work() const override
  {
    auto const& operand = fields_[0];
    switch (kind_) {
    case Kind::read:
      return work::reads(operand);
    case Kind::write:
      return work::writes(operand);
    case Kind::copy:
      return work::reads(operand) + work::writes(operand);
    default:
      return work::reads(operand, operand) + work::writes(operand) +
             work::flops(2 * operand.size());
    }
  }
  [[nodiscard]] std::vector<Metric> metrics() const override
  {
    return {{"bandwidth", "B/s", static_cast<double>(work().bytes())}};
  }

  std::vector<verify::Verdict> verify(int) override
  {
    double const expected = kind_ == Kind::write  ? c_value
                            : kind_ == Kind::copy ? b_value
                                                  : b_value + factor * c_value;
    auto const count = static_cast<double>(fields_[0].size());
    auto const written = fields_[0].read();
    if (kind_ != Kind::read)
      reduce(in_order_of<LayoutRight>(written.extents()), Sum<decltype(written)>{written}, sum_,
             read_packs);
    double sum = 0;
    Kokkos::deep_copy(sum, view_of_sum());
    double const wanted = count * (kind_ == Kind::read ? b_value : expected); // exact: dyadic
    return {verify::judge("sum", std::abs(sum - wanted) / wanted, 0)};
  }
  /// What the step writes: the sum or the first array.
  verify::Output output() override
  {
    if (kind_ == Kind::read)
      return {sum_.data(), 1};
    return {fields_[0].data(), fields_[0].size()};
  }

private:
  using ViewOfSum = Kokkos::View<double, DeviceSpace, Kokkos::MemoryUnmanaged>;

  [[nodiscard]] ViewOfSum view_of_sum() const { return ViewOfSum(sum_.data()); }

  void fill(std::size_t field, double value)
  {
    auto const values = fields_[field].write<Store>();
    for_each(values.extents().extent(0), Set<decltype(values)>{values, value}, stored_packs);
  }

  Kind kind_;
  std::array<Values, 3> fields_;
  Array<double, Extents<index_t>, LayoutRight> sum_;
};

} // namespace

std::vector<Case> ceiling_cases(Setting const& setting)
{
  // The three arrays take a sixth of the memory at most.
  index_t const bytes = std::min(setting.beyond_cache(), setting.device_bytes / 18);
  index_t const count = bytes / static_cast<index_t>(sizeof(double));

  std::vector<Case> all;
  static constexpr std::array kinds{
      std::pair{"read", Kind::read}, std::pair{"write", Kind::write},
      std::pair{"copy", Kind::copy}, std::pair{"triad", Kind::triad}};
  for (auto const& [name, kind] : kinds) {
    Case one;
    one.label = std::string("ceiling/") + name;
    one.axes = {{"kernel", name}};
    one.problem = {{"size", std::to_string(count)}};
    for (int i = 0; i < 3; ++i)
      one.slots.push_back(slot(i, count));
    one.make = [what = kind, count](Workspace& workspace) -> std::unique_ptr<Trial> {
      return std::make_unique<CeilingTrial>(what, count, workspace);
    };
    all.push_back(std::move(one));
  }
  return all;
}

} // namespace strata::driver
