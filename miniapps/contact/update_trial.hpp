#pragma once

#include "trial.hpp"
#include "update.hpp"

namespace strata::contact {

/// Time steps: objects move, and every row is brought up to date from its candidates, which are
/// found anew when something has moved by half the skin.
template <class Rows>
class UpdateTrial : public ContactTrial<Rows>
{
public:
  UpdateTrial(Choice const& choice, Shared const& problem, Fill<Rows> fill)
      : ContactTrial<Rows>(choice, problem, fill)
      , skin_(this->scenery().scene().moves
                  ? problem->config().skin.value_or(std::ceil(this->population().reach() / 8))
                  : 0)
      , candidates_(this->population().rows(), problem->row_options())
      , spare_(Rows::dynamic ? 0 : this->population().rows(), problem->row_options())
      , changes_("strata::contact changes", Extents<index_t>())
  {
    reset();
  }
  /// Rows as they are at step 0.
  void reset() override
  {
    this->population().move_to(0);
    find_candidates();
    this->detect();
    Kokkos::deep_copy(changes_.memory(), std::byte{});
    Kokkos::fence();
    at_start_ = row_totals(this->rows_).entries;
    steps_ = 0;
    rebuilds_ = 0;
    long_steps_ = 0;
  }
  void step() override
  {
    for (int i = 0; i < this->problem_->config().steps; ++i)
      advance();
    ++steps_;
  }
  /// Per step of time: positions from what they follow from, and every entry read and written
  /// once, its candidate read.
  [[nodiscard]] measure::Work work() const override
  {
    constexpr index_t number = sizeof(double);
    auto const steps = static_cast<index_t>(this->problem_->config().steps);
    index_t const own = this->population().own();
    return {steps * (9 * own * number + at_start_ * 16 + candidates_.entries() * 4),
            steps * (3 * own * number + at_start_ * 16), 0};
  }
  [[nodiscard]] std::vector<driver::Metric> metrics() const override
  {
    Kokkos::fence();
    auto const changes = value_of(changes_);
    auto const steps = static_cast<double>(this->problem_->config().steps);
    return {
        {"contacts_changed", "1/s",
         static_cast<double>(changes.began + changes.ended) / std::max(steps_, 1)},
        {"elements_updated", "1/s", steps * static_cast<double>(this->population().rows())}};
  }
  std::vector<verify::Verdict> verify(int steps) override
  {
    auto verdicts =
        this->check(static_cast<std::int64_t>(steps) * this->problem_->config().steps);
    Kokkos::fence();
    auto const changes = value_of(changes_);
    auto const now =
        at_start_ + static_cast<index_t>(changes.began) - static_cast<index_t>(changes.ended);
    verdicts.push_back(
        verify::judge("entries_off_balance",
                      std::abs(static_cast<double>(now - row_totals(this->rows_).entries)), 0));
    return verdicts;
  }
  [[nodiscard]] report::Facts findings() const override
  {
    auto facts = ContactTrial<Rows>::findings();
    facts.push_back({"age", std::to_string(this->found_.age)});
    facts.push_back({"rebuilds", std::to_string(rebuilds_)});
    facts.push_back({"steps_beyond_skin", std::to_string(long_steps_)});
    return facts;
  }

private:
  void find_candidates()
  {
    this->scenery().look_around(skin_);
    this->population().remember();
    candidates_.find(this->scenery(), skin_, this->choice_.half_list());
  }
  void advance()
  {
    auto& population = this->population();
    population.move_to(population.step() + 1);
    auto const& config = this->problem_->config();
    double const moved = population.displacement();
    if (moved > skin_)
      ++long_steps_;
    if (config.rebuild == "every" || moved > skin_ / 2) {
      auto const before = population.ghost_gids();
      find_candidates();
      rename_neighbours(before);
      ++rebuilds_;
    } else
      population.refresh_ghosts();
    auto in = population.geometry();
    in.half_list = this->choice_.half_list();
    with_touch(this->scenery().scene().shape, this->scenery().scene().dim,
               [&]<class Touch>() { update_by(Now<Touch>{Touch{in}}); });
  }
  /// Ghosts have new numbers.
  void rename_neighbours(GhostGids const& before)
  {
    if (before.count == 0)
      return;
    auto const view = this->rows_.view();
    for_each(this->rows_.rows(),
             RenameNeighbours<decltype(view)>{
                 view, candidates_.view(), before, this->population().geometry().gid,
                 this->scenery().scene().bounds.kind == Bounds::Kind::periodic});
  }
  template <class Touch>
  void update_by(Now<Touch> const& now)
  {
    auto const candidates = candidates_.view();
    auto const step = static_cast<std::int32_t>(this->population().step());
    if constexpr (Rows::dynamic) {
      this->with_room([&] {
        this->rows_.update([&](auto const& view) {
          return UpdateRow<Touch, std::decay_t<decltype(view)>>{now, candidates, view,
                                                                changes_.data(), step};
        });
      });
    } else {
      auto const old = this->rows_.view();
      spare_.build([&](auto const& view) {
        return RewriteRow<Touch, std::decay_t<decltype(old)>, std::decay_t<decltype(view)>>{
            now, candidates, old, view, changes_.data(), step};
      });
      std::swap(this->rows_, spare_);
    }
  }

  double skin_;
  Candidates candidates_;
  Rows spare_; ///< where rows are rewritten
  Array<Changes, Extents<index_t>, LayoutRight> changes_;
  index_t at_start_ = 0;
  int steps_ = 0;
  index_t rebuilds_ = 0;
  index_t long_steps_ = 0; ///< in which something moved by more than the skin at once
};

} // namespace strata::contact
