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
  UpdateTrial(Choice const& choice, Shared const& problem)
      : ContactTrial<Rows>(choice, problem)
      , candidates_(this->population().rows())
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
    at_start_ = this->rows_.totals().entries;
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
                      std::abs(static_cast<double>(now - this->rows_.totals().entries)), 0));
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
    bool const moves = this->scenery().scene().moves;
    double const skin = moves ? this->problem_->config().skin : 0;
    this->scenery().look_around(skin);
    this->population().remember();
    auto in = this->scenery().grid.packed();
    in.half_list = this->choice_.half_list();
    in.bonded = false; // bonds may break before the grid is made anew
    in.gap += skin;
    if (this->scenery().scene().shape == Shape::sphere)
      find_by(TouchingSpheres{in});
    else
      find_by(TouchingBoxes{in});
  }
  template <class Touch>
  void find_by(Touch const& touch)
  {
    auto const& grid = this->scenery().grid;
    candidates_.build([&](auto const& view) {
      return Detect<Touch, GridRanges, std::decay_t<decltype(view)>>{
          touch, {grid.cells()}, grid.slot_of(), view, 0};
    });
  }
  void advance()
  {
    auto& population = this->population();
    population.move_to(population.step() + 1);
    auto const& config = this->problem_->config();
    double const moved = population.displacement();
    if (moved > config.skin)
      ++long_steps_;
    if (config.rebuild == "every" || moved > config.skin / 2) {
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
    auto const candidates = candidates_.view();
    for_each(this->rows_.rows(),
             RenameNeighbours<decltype(candidates), decltype(view)>{
                 view, candidates, before, this->population().geometry().gid,
                 this->scenery().scene().bounds.kind == Bounds::Kind::periodic});
  }
  template <class Touch>
  void update_by(Now<Touch> const& now)
  {
    auto const candidates = candidates_.view();
    using Candidate = decltype(candidates_.view());
    auto const step = static_cast<std::int32_t>(this->population().step());
    if constexpr (Rows::dynamic) {
      this->with_room([&] {
        this->rows_.update([&](auto const& view) {
          return UpdateRow<Touch, Candidate, std::decay_t<decltype(view)>>{
              now, candidates, view, changes_.data(), step};
        });
      });
    } else {
      auto const old = this->rows_.view();
      spare_.build([&](auto const& view) {
        return RewriteRow<Touch, Candidate, std::decay_t<decltype(old)>,
                          std::decay_t<decltype(view)>>{now,  candidates,      old,
                                                        view, changes_.data(), step};
      });
      std::swap(this->rows_, spare_);
    }
  }

  Candidates candidates_;
  Rows spare_; ///< where rows are rewritten
  Array<Changes, Extents<index_t>, LayoutRight> changes_;
  index_t at_start_ = 0;
  int steps_ = 0;
  index_t rebuilds_ = 0;
  index_t long_steps_ = 0; ///< in which something moved by more than the skin at once
};

} // namespace strata::contact
