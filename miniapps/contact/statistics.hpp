#pragma once

#include "stored_statistics.hpp"
#include "trial.hpp"

#include "array/ragged/row_group.hpp"
#include "verify/fill.hpp"

namespace strata::contact {

/// The statistics of all rows folded into five words, whatever the order: how many entries, and
/// the rows' least, greatest, summed and mean gaps in quanta.
struct Digest
{
  std::uint64_t words[5] = {};

  KOKKOS_FUNCTION Digest& operator+=(Digest const& other)
  {
    for (int w = 0; w < 5; ++w)
      words[w] += other.words[w];
    return *this;
  }
};

/// What a pass finds out about the gaps of a row.
struct RowFigures
{
  int entries = 0;
  double least = HUGE_VAL;
  double greatest = -HUGE_VAL;
  double sum = 0;

  KOKKOS_FUNCTION void add(double gap)
  {
    least = gap < least ? gap : least;
    greatest = gap > greatest ? gap : greatest;
    sum += gap;
    ++entries;
  }
  /// Without a branch: what is not there is nothing(), which changes no sum.
  KOKKOS_FUNCTION void add(double gap, bool there)
  {
    least = there && gap < least ? gap : least;
    greatest = there && gap > greatest ? gap : greatest;
    sum += gap;
    entries += there ? 1 : 0;
  }
  static KOKKOS_FUNCTION double nothing() { return 0; }

#if defined(STRATA_ROW_LANES)
  /// The same of neighbouring rows, a lane each.
  struct Lanes
  {
    strata::Lanes entries = {};
    strata::Lanes least = HUGE_VAL - strata::Lanes{};
    strata::Lanes greatest = -HUGE_VAL - strata::Lanes{};
    strata::Lanes sum = {};

    void add(strata::Lanes gap, LaneMasks there)
    {
      strata::Lanes const low = there ? gap : HUGE_VAL - strata::Lanes{};
      strata::Lanes const high = there ? gap : -HUGE_VAL - strata::Lanes{};
      least = low < least ? low : least;
      greatest = high > greatest ? high : greatest;
      sum += there ? gap : strata::Lanes{};
      entries += there ? 1.0 - strata::Lanes{} : strata::Lanes{};
    }
  };
#endif
};

/// A pass over all rows: entry count, minimum, maximum, sum and average of each (S5 section
/// 6.1.3). Every figure enters the digest; `keep` gets those of the row's gaps.
template <class View, class Keep, int Group>
struct RowStatistics
{
  static constexpr char const* name() { return "strata::contact::RowStatistics"; }
  using Rows = RowGroup<Group>;
  View view;
  Keep keep;
  double per_quantum;

  KOKKOS_FUNCTION std::uint64_t quanta(double gap) const
  {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(gap * per_quantum));
  }
  /// Enters what is known of rows.
  struct Enter
  {
    RowStatistics const& pass;
    Digest& digest;

    KOKKOS_FUNCTION void operator()(index_t number, RowFigures const& row) const
    {
      if (row.entries == 0) {
        pass.keep(number, GapStatistics{});
        return;
      }
      double const mean = row.sum / row.entries;
      pass.keep(number, GapStatistics{row.least, row.greatest, row.sum, mean});
      digest.words[0] += static_cast<std::uint64_t>(row.entries);
      digest.words[1] += pass.quanta(row.least);
      digest.words[2] += pass.quanta(row.greatest);
      digest.words[3] += pass.quanta(row.sum);
      digest.words[4] += pass.quanta(mean);
    }
#if defined(STRATA_ROW_LANES)
    void operator()(index_t first, RowFigures::Lanes const& rows) const
    {
      LaneMasks const some = rows.entries > strata::Lanes{};
      strata::Lanes const least = some ? rows.least : strata::Lanes{};
      strata::Lanes const greatest = some ? rows.greatest : strata::Lanes{};
      strata::Lanes const mean = rows.sum / (some ? rows.entries : 1.0 - strata::Lanes{});
      if constexpr (!std::is_same_v<Keep, KeepNothing>)
        for (int u = 0; u < row_lanes; ++u)
          pass.keep(first + u, GapStatistics{least[u], greatest[u], rows.sum[u], mean[u]});
      add(0, rows.entries);
      add(1, least * pass.per_quantum);
      add(2, greatest * pass.per_quantum);
      add(3, rows.sum * pass.per_quantum);
      add(4, mean * pass.per_quantum);
    }
    void add(int word, strata::Lanes wholes) const
    {
      auto const numbers = __builtin_convertvector(wholes, LaneMasks);
      for (int u = 0; u < row_lanes; ++u)
        digest.words[word] += static_cast<std::uint64_t>(numbers[u]);
    }
#endif
  };
  KOKKOS_FUNCTION void operator()(Digest& digest, index_t group) const
  {
    fold_rows<RowFigures>(
        view, Rows(group, view.rows()), [this](auto entry) { return &view.gap(entry); },
        Enter{*this, digest});
  }
};

/// The digest of rows that were listed before.
template <class Rows>
class StatisticsTrial : public ContactTrial<Rows>
{
public:
  StatisticsTrial(Choice const& choice, Shared const& problem, Fill<Rows> const& fill)
      : ContactTrial<Rows>(choice, problem, fill)
      , digest_("strata::contact digest", Extents<index_t>())
      , stored_(choice.stores_rows() ? this->rows_.rows() : 0)
  {
    this->population().start_over();
    this->scenery().look_around(0);
    this->world().together([this] { this->detect(); }); // the checks are collective
    if constexpr (requires { this->rows_.churn(std::uint64_t{}); })
      if (choice.list_order == "churned")
        this->rows_.churn(problem->setting().seed);
    verdicts_ = this->check(0);
    auto const gaps = gaps_by_row(this->rows_.view());
    expected_ = digest_of(gaps);
    if (choice.stores_rows())
      expected_rows_ = statistics_of(gaps);
    totals_ = row_totals(this->rows_);
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
  /// entry, a division and four scalings a row.
  [[nodiscard]] measure::Work work() const override
  {
    index_t const rows = this->rows_.rows();
    return {totals_.entries * 8 + rows * 4, stored_.bytes(), 3 * totals_.entries + 5 * rows};
  }
  [[nodiscard]] std::vector<driver::Metric> metrics() const override
  {
    return {{"entries_visited", "1/s", static_cast<double>(totals_.entries)},
            {"rows_visited", "1/s", static_cast<double>(this->rows_.rows())},
            {"bandwidth", "B/s", static_cast<double>(work().bytes())}};
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
    return {digest_.data(), 5, sizeof(double), true};
  }

private:
  template <class Keep>
  void pass(Keep const& keep)
  {
    if constexpr (NumberedEntries<decltype(this->rows_.view())>)
      if (totals_.entries < this->rows_.rows()) {
        pass_by<empty_rows>(keep);
        return;
      }
    pass_by<filled_rows>(keep);
  }
  template <int Group, class Keep>
  void pass_by(Keep const& keep)
  {
    auto const view = this->rows_.view();
    using Kernel = RowStatistics<decltype(view), Keep, Group>;
    reduce(in_order_of<LayoutRight>(Dynamic<1>(Kernel::Rows::count(view.rows()))),
           Kernel{view, keep, this->population().geometry().quanta.finest().per_unit}, digest_);
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
  StoredStatistics stored_;
  std::vector<GapStatistics> expected_rows_;
  std::vector<verify::Verdict> verdicts_;
  Digest expected_;
  RowTotals totals_;
};

} // namespace strata::contact
