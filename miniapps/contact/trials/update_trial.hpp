#pragma once

#include "trial.hpp"

#include "domain/confinement.hpp"
#include "domain/load.hpp"
#include "domain/migration.hpp"
#include "domain/renaming.hpp"
#include "grid/places.hpp"
#include "rows/update.hpp"
#include "verify/fill.hpp"

#include <cmath>
#include <optional>
#include <type_traits>

namespace strata::contact {

/// Time steps: objects move, and every row is updated from its candidates. These are found
/// again when something has moved by half the skin. If the last search's tests were then spread
/// unevenly over the ranks, elements migrate first, with their rows.
template <class Rows>
class UpdateTrial : public ContactTrial<Rows>
{
public:
  UpdateTrial(Choice const& choice, Shared const& problem, Fill<Rows> const& fill)
      : ContactTrial<Rows>(choice, problem, fill)
      , skin_(this->scenery().scene().moves
                  ? problem->config().skin.value_or(std::ceil(this->population().reach() / 8))
                  : 0)
      , candidates_(this->population().rows(), problem->row_options())
      , spare_(Rows::dynamic ? 0 : this->population().rows(), problem->row_options())
      , changes_("strata::contact changes", Extents<index_t>())
      , rebalancing_(rebalancing())
  {
    this->population().demand_room(this->population().reach() + skin_);
    reset();
  }
  /// Rows as they are at step 0.
  void reset() override
  {
    this->population().start_over();
    if (this->problem_->config().bounds == "fixed" && !box_)
      box_.emplace(this->population(), this->world());
    make_rows();
    find_candidates();
    this->detect();
    verify::fill(changes_.memory(), std::byte{});
    Kokkos::fence();
    at_start_ = row_totals(this->rows_).entries;
    this->start_counting();
    rebuilds_ = 0;
    long_steps_ = 0;
    rebalancing_ = rebalancing();
    migrations_ = 0;
    lossy_migrations_ = 0;
  }
  void step() override
  {
    for (int i = 0; i < this->problem_->config().steps; ++i)
      advance();
    ++this->steps_;
  }
  /// Per time step: positions computed from state at step 0, every entry read and written once,
  /// every candidate read once.
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
         static_cast<double>(changes.began + changes.ended) / std::max(this->steps_, 1)},
        {"elements_updated", "1/s", steps * static_cast<double>(this->population().rows())}};
  }
  std::vector<verify::Verdict> verify(int steps) override
  {
    auto verdicts =
        this->check(static_cast<std::int64_t>(steps) * this->problem_->config().steps);
    Kokkos::fence();
    auto const changes = value_of(changes_);
    auto const balance = at_start_ + static_cast<index_t>(changes.began) -
                         static_cast<index_t>(changes.ended) - row_totals(this->rows_).entries;
    verdicts.push_back(verify::judge("entries_off_balance", // of all ranks: rows change theirs
                                     std::abs(static_cast<double>(this->world().sum(balance))),
                                     0));
    verdicts.push_back(
        verify::judge("lossy_migrations", static_cast<double>(lossy_migrations_), 0));
    verdicts.push_back(verify::judge("contacts_off_rebuild", is_as_built_anew() ? 0 : 1, 0));
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

  [[nodiscard]] report::Facts outcome() const override
  {
    auto facts = ContactTrial<Rows>::outcome();
    facts.push_back({"bisections", std::to_string(rebalancing_.times())});
    facts.push_back({"migrations", std::to_string(migrations_)});
    return facts;
  }

protected:
  /// Includes the spare rows and the bits that a rewrite needs.
  [[nodiscard]] index_t row_bytes() const override
  {
    return this->rows_.bytes() + (Rows::dynamic ? 0 : spare_.bytes() + first_words_.bytes());
  }

private:
  /// Whether a new list of contacts has the number and the checksum of those after the steps.
  [[nodiscard]] bool is_as_built_anew()
  {
    renew_candidates();
    Rows anew(this->population().rows(), this->problem_->row_options());
    this->detect(anew);
    Findings found;
    bool const half_list = this->choice_.half_list();
    judge_tally(tally_of(anew.view(), this->scenery(), half_list), {}, this->world(), half_list,
                found);
    return found.checksum == this->found_.checksum && found.entries == this->found_.entries;
  }
  /// Makes rows for this rank's elements, if their number has changed.
  void make_rows()
  {
    index_t const rows = this->population().rows();
    if (this->rows_.rows() == rows)
      return;
    auto const options = this->problem_->row_options();
    this->rows_ = Rows(rows, options);
    spare_ = Rows(Rows::dynamic ? 0 : rows, options);
    candidates_ = Candidates(rows, options);
  }
  void find_candidates()
  {
    this->scenery().look_around(skin_);
    this->population().remember();
    candidates_.find(this->scenery().search(this->choice_.half_list()), skin_);
  }
  void advance()
  {
    auto& population = this->population();
    population.move_to(population.step() + 1);
    auto const& config = this->problem_->config();
    auto const moved = population.displacement();
    if (moved.farthest > skin_)
      ++long_steps_;
    if (config.rebuild == "every" || moved.farthest > skin_ / 2 || moved.wrapped) {
      rebuild();
    } else
      population.refresh_ghosts();
    auto in = population.geometry();
    in.half_list = this->choice_.half_list();
    auto const& scene = this->scenery().scene();
    with_touch(scene.shape, scene.dim, [&]<class Touch>() {
      if constexpr (std::is_same_v<Touch, TouchingSpheres>) {
        auto* const place = places_.reserve(population.all());
        for_each(population.all(), GatherPlaces{in, place});
        update_by(Now<TouchingPlaces>{{in, place}});
      } else
        update_by(Now<Touch>{Touch{in}});
    });
  }
  void rebuild()
  {
    ++rebuilds_;
    if (box_)
      box_->demand(this->population());
    if (auto const rank_of = ranks_to_be()) {
      migrate_to(*rank_of);
      return;
    }
    renew_candidates();
  }
  /// Finds candidates from the objects' present positions; rows stay as they are.
  void renew_candidates()
  {
    auto const before = this->population().ghost_gids();
    find_candidates();
    rename_neighbours(before);
  }
  [[nodiscard]] Rebalancing rebalancing() const
  {
    return Rebalancing(this->problem_->config().rebalance.value_or(HUGE_VAL));
  }
  /// The new rank of each own object, or nothing if all objects of all ranks stay.
  [[nodiscard]] std::optional<std::vector<int>> ranks_to_be()
  {
    auto const& world = this->world();
    if (world.ranks() == 1 || !this->problem_->config().rebalance ||
        !rebalancing_.is_due(imbalance_of(tests_of(this->scenery()), world)))
      return {};
    auto rank_of = even_ranks(this->scenery(), world);
    bool const stay = std::all_of(rank_of.begin(), rank_of.end(),
                                  [&](int rank) { return rank == world.rank(); });
    return world.all(stay) ? std::nullopt : std::optional(std::move(rank_of));
  }
  void migrate_to(std::vector<int> const& rank_of)
  {
    auto const gid = [this] { return this->population().geometry().gid; };
    auto rows = carried(this->rows_.view(), gid());
    lossy_migrations_ += migrate(this->scenery(), rank_of, rows, this->world()) ? 0 : 1;
    ++migrations_;
    make_rows();
    find_candidates();
    this->with_room([&] { take(this->rows_, rows, candidates_.view(), gid()); },
                    [&](auto const&) { return rows.count + candidates_.entries(); });
  }
  /// Updates the neighbours in rows to the ghosts' new local indices.
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
    Touching<Touch> const touching{now, candidates_.view()};
    auto const step = static_cast<std::int32_t>(this->population().step());
    if constexpr (Rows::dynamic) {
      this->with_room(
          [&] {
            this->rows_.update([&](auto const& view) {
              return UpdateRow<Touch, std::decay_t<decltype(view)>>{touching, view,
                                                                    changes_.data(), step};
            });
          },
          // Those that end give their room back after the launch.
          [this](auto const& rows) { return rows.slots() + candidates_.entries(); });
    } else {
      auto const old = this->rows_.view();
      auto* const first_word = first_words_.reserve(old.rows());
      spare_.build([&]<class View>(View const& view) {
        if constexpr (std::is_base_of_v<RaggedCountView, View>) {
          RaggedCountView const& counts = view;
          return CountTouching<Touch>{touching, counts, first_word};
        } else
          return RewriteRow<Touch, std::decay_t<decltype(old)>, View>{
              touching, old, view, first_word, changes_.data(), step};
      });
      std::swap(this->rows_, spare_);
    }
  }

  double skin_;
  std::optional<Confinement> box_; ///< that no object may leave
  Candidates candidates_;
  Rows spare_; ///< where rows are rewritten
  DeviceVector<Place> places_{"places"};
  DeviceVector<std::uint64_t> first_words_{"rows' first words of bits"};
  Array<Changes, Extents<index_t>, LayoutRight> changes_;
  index_t at_start_ = 0;
  index_t rebuilds_ = 0;
  index_t long_steps_ = 0; ///< in which something moved by more than the skin at once
  Rebalancing rebalancing_;
  index_t migrations_ = 0;       ///< times that objects changed owner
  index_t lossy_migrations_ = 0; ///< after which they were not all there
};

} // namespace strata::contact
