#pragma once

#include "problem.hpp"

#include "base/text.hpp"
#include "check/checks.hpp"
#include "domain/load.hpp"
#include "rows/contact_count.hpp"
#include "rows/contact_rows.hpp"
#include "rows/row_facts.hpp"
#include "search/detect.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

namespace strata::contact {

/// The common part of a structure's trials: its rows, how they are filled and checked.
template <class Rows>
class ContactTrial : public driver::Trial
{
public:
  ContactTrial(Choice const& choice, Shared problem, Fill<Rows> const& fill)
      : choice_(choice)
      , problem_(std::move(problem))
      , rows_(population().rows(), problem_->row_options())
      , fill_(fill)
  {
  }
  verify::Output output() override { return Entries(rows_.view()).output(); }
  [[nodiscard]] report::Facts findings() const override
  {
    char checksum[17];
    std::snprintf(checksum, sizeof(checksum), "%016llx",
                  static_cast<unsigned long long>(found_.checksum));
    report::Facts facts{{"contacts", std::to_string(found_.entries)},
                        {"checksum", checksum},
                        {"longest_row", std::to_string(found_.longest)}};
    if (found_.coincident > 0)
      facts.push_back({"coincident", std::to_string(found_.coincident)});
    if (near_ties_)
      facts.push_back({"near_ties", std::to_string(*near_ties_)});
    return facts;
  }
  [[nodiscard]] report::Facts outcome() const override
  {
    auto facts = facts_of(load_, choice_.broad_phase() == Broad::brute);
    for (auto& fact : facts_of(row_facts_))
      facts.push_back(std::move(fact));
    return facts;
  }

  /// Time of the exchanges of ghosts, waiting included, per step.
  [[nodiscard]] std::vector<report::Phase> phases() const override
  {
    if (world().ranks() == 1 || steps_ == 0)
      return {};
    return {{"communication", (population().communication_s() - communicated_) / steps_}};
  }

protected:
  [[nodiscard]] Population& population() const { return problem_->scenery().population; }
  [[nodiscard]] Scenery& scenery() const { return problem_->scenery(); }
  [[nodiscard]] runtime::Communicator const& world() const { return problem_->setting().world; }

  /// Memory of the rows on this rank.
  [[nodiscard]] virtual index_t row_bytes() const { return rows_.bytes(); }
  /// Resets the counters; called at the end of reset().
  void start_counting()
  {
    steps_ = 0;
    communicated_ = population().communication_s();
  }
  /// Lists all contacts anew at the objects' present step.
  void detect() { detect(rows_); }
  void detect(Rows& rows)
  {
    auto const search = scenery().search(choice_.half_list());
    if constexpr (requires { Rows::allocated_bytes; })
      demand_memory(search, Rows::allocated_bytes);
    with_room([&] { fill_(rows, search); }, [&](auto const&) { return contact_count(search); });
  }
  std::vector<verify::Verdict> check(std::int64_t step)
  {
    auto const view = rows_.view();
    auto verdicts = judge_tally(tally_of(view, scenery(), choice_.half_list()),
                                problem_->expected(step), world(), choice_.half_list(), found_);
    auto const& expected = problem_->expected_rows(step, choice_.half_list());
    if (!scenery().scene().exact)
      near_ties_ = problem_->near_ties();
    auto const differing =
        differing_rows(view, scenery(), rows_to_check(population(), expected));
    verdicts.push_back(
        verify::judge("rows_off_brute_force", static_cast<double>(world().sum(differing)), 0));
    bool const good =
        world().all(std::all_of(verdicts.begin(), verdicts.end(),
                                [](verify::Verdict const& verdict) { return verdict.passed; }));
    if (auto const first = problem_->first_checksum(step, choice_, found_.checksum, good))
      verdicts.push_back(
          verify::judge("checksum_off_first_case", *first == found_.checksum ? 0 : 1, 0));
    load_ = load_of(scenery(), world());
    row_facts_ = facts_of_rows(rows_, row_bytes(), world());
    if (problem_->to_be_written())
      problem_->write(row_lengths(rows_.view()));
    return verdicts;
  }
  /// Positions and sizes of all objects, read once, and the entries, written once.
  [[nodiscard]] measure::Work detection_work() const
  {
    constexpr auto number = static_cast<index_t>(sizeof(double));
    index_t const halves = scenery().scene().shape == Shape::sphere ? 1 : 3;
    auto const totals = row_totals(rows_);
    return {(3 + halves) * number * population().all(),
            totals.entries * (number + 8) + population().rows() * 4, 0};
  }

  Choice choice_;
  Shared problem_;
  Rows rows_;
  Findings found_;
  int steps_ = 0;           ///< since reset, where they copy ghosts
  double communicated_ = 0; ///< seconds up to then
  Load load_;
  RowFacts row_facts_;
  std::optional<index_t> near_ties_;

  /// Runs `add`, and reports an overflow in the deck's terms. `entries(rows)` is an upper bound
  /// of the entries in all rows of this rank.
  template <class F, class Entries>
  void with_room(F const& add, Entries const& entries) const
  {
    try {
      add();
    } catch (RowOverflow const& overflow) {
      if constexpr (requires { rows_.capacity_for(0); })
        refuse(overflow, "the pool of its rank's rows is full",
               rows_.capacity_for(entries(rows_)));
      else
        refuse(overflow, "its row room for " + std::to_string(overflow.room()),
               overflow.demand());
    }
  }

private:
  /// Names the capacity that suffices on this rank, unless it exceeds what a deck may have.
  [[noreturn]] void refuse(RowOverflow const& overflow, std::string const& full,
                           index_t enough) const
  {
    auto const& element = population().objects().all[static_cast<std::size_t>(overflow.row())];
    throw Error(Exit::memory,
                "element " + std::to_string(element.gid) + " has " +
                    text::plural(static_cast<std::size_t>(overflow.demand()), "contact") +
                    " and " + full + "; " +
                    (enough > most_capacity
                         ? std::string()
                         : "raise problem.capacity to " + std::to_string(enough) + " or ") +
                    "set problem.overflow to grow");
  }
  /// Throws, at the first call, if the entries would need more memory than there is.
  void demand_memory(Search const& search, index_t entry_bytes)
  {
    if (std::exchange(memory_demanded_, true))
      return;
    auto options = problem_->row_options();
    options.max_slots = options.max_slots / entry_bytes * options.slot_bytes;
    options.slot_bytes = entry_bytes;
    check_slots("strata::contact rows", contact_count(search), options);
  }

  Fill<Rows> fill_;
  bool memory_demanded_ = false;
};

/// Sorts the objects into cells and lists all contacts anew.
template <class Rows>
class BuildTrial : public ContactTrial<Rows>
{
public:
  BuildTrial(Choice const& choice, Shared const& problem, Fill<Rows> const& fill)
      : ContactTrial<Rows>(choice, problem, fill)
  {
    reset();
    BuildTrial::step();
    work_ = this->detection_work();
    entries_ = row_totals(this->rows_).entries;
  }
  void reset() override
  {
    this->population().start_over();
    this->rows_.spoil();
    Kokkos::fence();
    this->start_counting();
  }
  void step() override
  {
    this->scenery().look_around(0, this->choice_.broad_phase());
    this->detect();
    ++this->steps_;
  }
  [[nodiscard]] measure::Work work() const override { return work_; }
  [[nodiscard]] std::vector<driver::Metric> metrics() const override
  {
    return {{"elements_built", "1/s", static_cast<double>(this->rows_.rows())},
            {"contacts_found", "1/s", static_cast<double>(entries_)}};
  }
  std::vector<verify::Verdict> verify(int /*steps*/) override { return this->check(0); }

private:
  measure::Work work_;
  index_t entries_ = 0;
};

} // namespace strata::contact
