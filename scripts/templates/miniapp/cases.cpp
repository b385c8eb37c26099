#include "cases.hpp"

#include "kernels.hpp"

#include "array/elementwise.hpp"
#include "array/for_each.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "verify/compare.hpp"

#include <limits>

namespace strata::appname {

namespace {

/// This rank's part of the vectors.
struct Part
{
  index_t first = 0; ///< global index
  index_t count = 0;
};

/// The pooled memory of vectors x (0) and y (1).
template <class T>
std::vector<driver::Slot> slots(Part const& part)
{
  auto const bytes = part.count * static_cast<index_t>(sizeof(T));
  return {{0, bytes}, {1, bytes}};
}

template <class T>
class ScaleTrial final : public driver::Trial
{
public:
  ScaleTrial(Part const& part, driver::Workspace& workspace)
      : part_(part)
      , x_(workspace.take(slots<T>(part)[0]), Sizes(part.count))
      , y_(workspace.take(slots<T>(part)[1]), Sizes(part.count))
  {
  }

  void reset() override
  {
    auto const x = x_.write();
    auto const y = y_.write();
    for_each(part_.count, Initialise<decltype(x)>{x, part_.first});
    for_each(part_.count, Set<decltype(y)>{y, std::numeric_limits<T>::quiet_NaN()});
  }
  void step() override { for_each(part_.count, kernel(), widest_packs<T, LayoutDefault>); }
  [[nodiscard]] measure::Work work() const override { return work::of(kernel(), part_.count); }
  [[nodiscard]] std::vector<driver::Metric> metrics() const override
  {
    return {{"bandwidth", "B/s", static_cast<double>(work().bytes())}};
  }
  std::vector<verify::Verdict> verify(int /*steps*/) override
  {
    auto const walk = in_order_of<LayoutDefault>(y_.extents());
    auto const error = verify::largest_error(walk, y_.read(), Expected{part_.first});
    return {verify::judge("max_relative_error", error, 0)};
  }
  verify::Output output() override { return {y_.data(), part_.count, sizeof(T), true}; }

private:
  using Sizes = Dynamic<1>;
  using Vector = Array<T, Sizes>;

  [[nodiscard]] auto kernel() const
  {
    auto const x = x_.read();
    auto const y = y_.write();
    return Scale<decltype(x), decltype(y)>{x, y, static_cast<T>(factor)};
  }

  Part part_;
  Vector x_, y_;
};

template <class T>
driver::Case scale_case(std::string const& scalar, Part const& part)
{
  driver::Case made;
  made.label = "scale/" + scalar;
  made.axes = {{"kernel", "scale"}, {"scalar", scalar}};
  made.slots = slots<T>(part);
  made.make = [part](driver::Workspace& workspace) -> std::unique_ptr<driver::Trial> {
    return std::make_unique<ScaleTrial<T>>(part, workspace);
  };
  return made;
}

} // namespace

deck::Schema<Config> schema()
{
  deck::Schema<Config> deck("appname", "Scales a vector.");
  deck.field("problem.size", &Config::size, "elements of one vector, summed over ranks")
      .word("auto")
      .between(1, index_t{1} << 46);
  deck.field("cases.scalar", &Config::scalar, "type of the elements")
      .one_of({"double", "float"});
  return deck;
}

std::vector<driver::Case> cases(Config const& config, driver::Setting const& setting)
{
  auto const& share = setting.share;
  auto const enough = setting.beyond_cache() / static_cast<index_t>(sizeof(double));
  auto const size = config.size.value_or(enough * share.ranks);
  if (size < share.ranks)
    throw Error(Exit::deck, "problem.size is " + std::to_string(size) + " for " +
                                text::plural(share.ranks, "rank") +
                                "; raise it or use fewer ranks");
  Part const part{share.begin(size), share.count(size)};
  std::vector<driver::Case> all;
  for (auto const& scalar : config.scalar) {
    all.push_back(scalar == "float" ? scale_case<float>(scalar, part)
                                    : scale_case<double>(scalar, part));
    all.back().problem = {{"size", std::to_string(size)}};
  }
  return all;
}

} // namespace strata::appname
