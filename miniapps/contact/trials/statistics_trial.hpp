#pragma once

#include "trial.hpp"

#include "array/launch/reduce.hpp"
#include "array/launch/team.hpp"
#include "rows/statistics.hpp"
#include "rows/touched_sectors.hpp"
#include "verify/fill.hpp"

#include <algorithm>
#include <utility>

namespace strata::contact {

/// The digest of rows that were listed before.
template <class Rows>
class StatisticsTrial : public ContactTrial<Rows>
{
public:
  StatisticsTrial(Choice const& choice, Shared const& problem, Fill<Rows> const& fill)
      : ContactTrial<Rows>(choice, problem, fill)
      , digest_("strata::contact digest", Extents<index_t>())
      , of_teams_("strata::contact digests of teams", Dynamic<1>(teams()))
      , stored_(choice.stores_rows() ? this->rows_.rows() : 0)
  {
    this->population().start_over();
    this->scenery().look_around(0);
    this->world().together([this] { this->detect(); }); // the checks are collective
    if constexpr (requires { this->rows_.churn(std::uint64_t{}); })
      if (choice.list_order == "churned")
        this->rows_.churn(problem->setting().seed);
    verdicts_ = this->check(0);
    auto const gaps = Entries(this->rows_.view()).gaps_by_row();
    expected_ = digest_of(gaps);
    if (choice.stores_rows())
      expected_rows_ = statistics_of(gaps);
    totals_ = row_totals(this->rows_);
    filled_ = std::ranges::count_if(gaps, [](auto const& row) { return !row.empty(); });
    if constexpr (in_one_array)
      sectors_ = touched_sectors(this->rows_.view(), this->rows_.slots());
  }
  void reset() override
  {
    Kokkos::fence();
    verify::fill(digest_.memory(), std::byte{0xA5});
    stored_.spoil();
  }
  void step() override
  {
    if (this->choice_.stores_rows())
      pass(stored_.view());
    else
      pass(KeepNothing{});
  }
  /// Gaps and row lengths, read once, and what is kept; one addition and two comparisons an
  /// entry, a division and four scalings a row that has some.
  [[nodiscard]] measure::Work work() const override
  {
    index_t const rows = this->rows_.rows();
    return {totals_.entries * 8 + rows * 4, stored_.bytes(), 3 * totals_.entries + 5 * filled_};
  }
  [[nodiscard]] std::vector<driver::Metric> metrics() const override
  {
    index_t const rows = this->rows_.rows();
    std::vector<driver::Metric> all{
        {"entries_visited", "1/s", static_cast<double>(totals_.entries)},
        {"rows_visited", "1/s", static_cast<double>(rows)},
        {"bandwidth", "B/s", static_cast<double>(work().bytes())}};
    if (in_one_array)
      all.push_back(
          {"sector_bandwidth", "B/s",
           static_cast<double>(sectors_ * sector_bytes + rows * 4 + stored_.bytes())});
    return all;
  }
  std::vector<verify::Verdict> verify(int /*steps*/) override
  {
    Kokkos::fence();
    auto const found = value_of(digest_);
    int differing = 0;
    for (int w = 0; w < 5; ++w)
      differing += found.words[w] != expected_.words[w] ? 1 : 0;
    auto verdicts = verdicts_;
    verdicts.push_back(verify::judge("digest_words_differing", differing, 0));
    if (this->choice_.stores_rows())
      verdicts.push_back(verify::judge(
          "rows_stored_wrong", static_cast<double>(stored_.differing(expected_rows_)), 0));
    return verdicts;
  }
  verify::Output output() override
  {
    if (this->choice_.stores_rows())
      return stored_.output();
    return {reinterpret_cast<std::int64_t*>(digest_.data()), 5};
  }

private:
  using View = decltype(std::declval<Rows const&>().view());
  /// Whether the gaps of all rows lie in one array, as in the core's structures.
  static constexpr bool in_one_array = requires(Rows const& rows) { rows.slots(); };

  template <class Keep>
  void pass(Keep const& keep)
  {
    if constexpr (NumberedRowsView<View>)
      if (totals_.entries < this->rows_.rows()) {
        if constexpr (device_is_host)
          pass_by<EmptyRows>(keep);
        else
          pass_by_teams(keep);
        return;
      }
    pass_by<FilledRows>(keep);
  }
  template <class Kind, class Keep>
  void pass_by(Keep const& keep)
  {
    using Kernel = RowStatistics<View, Keep, Kind>;
    auto const view = this->rows_.view();
    reduce(in_order_of<LayoutRight>(Dynamic<1>(Kernel::Rows::count(view.rows()))),
           Kernel{view, keep, per_quantum()}, digest_);
  }
  template <class Keep>
  void pass_by_teams(Keep const& keep)
  {
    using Kernel = FilledRowStatistics<View, Keep>;
    Digest* const digests = of_teams_.data();
    for_each_team<Kernel::members>(
        teams(), Kernel{this->rows_.view(), keep, per_quantum(), digests, teams()});
    reduce(in_order_of<LayoutRight>(Dynamic<1>(teams())), SumDigests{digests}, digest_);
  }
  static index_t teams()
  {
    if constexpr (device_is_host || !NumberedRowsView<View>)
      return 0;
    else
      return teams_of_device<FilledRowStatistics<View, KeepNothing>>();
  }
  [[nodiscard]] double per_quantum() const
  {
    return this->population().geometry().quanta.finest().per_unit;
  }
  /// By a serial loop on the host over a copy of the rows.
  [[nodiscard]] Digest digest_of(std::vector<std::vector<double>> const& rows) const
  {
    Digest all;
    double const quantum = this->population().geometry().quanta.finest().size;
    for (auto const& gaps : rows) {
      if (gaps.empty())
        continue;
      auto const [least, greatest] = std::minmax_element(gaps.begin(), gaps.end());
      std::int64_t sum = 0;
      for (double const gap : gaps)
        sum += std::llrint(gap / quantum);
      double const mean = static_cast<double>(sum) * quantum / static_cast<double>(gaps.size());
      all.words[0] += gaps.size();
      all.words[1] += static_cast<std::uint64_t>(std::llrint(*least / quantum));
      all.words[2] += static_cast<std::uint64_t>(std::llrint(*greatest / quantum));
      all.words[3] += static_cast<std::uint64_t>(sum);
      all.words[4] += static_cast<std::uint64_t>(static_cast<std::int64_t>(mean / quantum));
    }
    return all;
  }

  Array<Digest, Extents<index_t>, LayoutRight> digest_;
  Array<Digest, Dynamic<1>, LayoutRight> of_teams_; ///< of a launch by teams
  StoredStatistics stored_;
  std::vector<GapStatistics> expected_rows_;
  std::vector<verify::Verdict> verdicts_;
  Digest expected_;
  RowTotals totals_;
  index_t filled_ = 0;  ///< rows with entries
  index_t sectors_ = 0; ///< of memory, that hold gaps
};

} // namespace strata::contact
