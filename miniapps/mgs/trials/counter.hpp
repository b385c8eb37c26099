#pragma once

#include "measure/work.hpp"
#include "panels/panels.hpp"
#include "rows/fused_pass.hpp"
#include "rows/launches.hpp"
#include "tiles/tiles.hpp"

namespace strata::mgs {

/// Counts the work of an algorithm on `rows` rows of one rank, without launching anything:
/// bytes and flops of the multivector (without the small matrices), and Allreduces.
class Counter : public RowOperations, public TileOperations, public PanelOperations
{
public:
  /// `fused` defers its stores by so many steps; for the last two see mgs::most_in_one_pass
  /// and mgs::divides_by_inverses.
  Counter(index_t rows, index_t columns, int deferred = deferred_steps,
          index_t most_in_one_pass = 0, bool by_inverses = false)
      : rows_(rows)
      , columns_(columns)
      , deferred_(deferred)
      , most_in_one_pass_(most_in_one_pass)
      , by_inverses_(by_inverses)
  {
  }
  [[nodiscard]] measure::Work const& work() const { return work_; }
  [[nodiscard]] index_t allreduces() const { return allreduces_; }

  void norm(index_t) override { sum(), add(1, 0, 2); }
  void scale(index_t) override { add(1, 1, 1); }
  void dot(index_t, index_t) override { sum(), add(2, 0, 2); }
  void update(index_t, index_t) override { add(2, 1, 2); }

  void dots(index_t j) override;
  void updates(index_t j) override;
  void first_row() override;
  void fused(index_t j) override;
  void last_column() override { scale(columns_ - 1); }
  void finish_fused() override {}
  void project(index_t j, bool again) override;
  void subtract(index_t j, bool again, bool last) override;
  void finish_classical(bool) override {}

  /// Factor and explicit Q: each reads and writes all columns once at least, and makes
  /// 2 N M² flops (terms without N left out).
  void householder();

  void pass(TilePass const& pass) override;
  void factor(TileFactor const&) override {}
  [[nodiscard]] bool divides_again() const override { return dividing_is_faster(rows_); }
  [[nodiscard]] bool divides_all_again() const override { return by_inverses_; }

  void multiply(PanelStep const& step) override;
  void factor(PanelStep const&) override {}
  void refine(PanelStep const& step) override;
  void repair(PanelStep const&) override {} // made only where it is needed; not counted
  void update(PanelStep const& step, ColumnRange const& next) override;

  [[nodiscard]] bool has_all_at_once() const override { return by_inverses_; }
  void multiply_all() override { sum(), add(columns_, 0, columns_ * (columns_ + 1)); }
  bool factor_all(bool) override { return true; } // what follows if not is not counted
  void divide_all() override { add(columns_, columns_, columns_ * columns_); }

private:
  /// Per row: columns read, columns written, flops.
  void add(index_t read, index_t written, index_t flops);
  void sum() { ++allreduces_; }

  index_t rows_;
  index_t columns_;
  int deferred_;
  index_t most_in_one_pass_;
  bool by_inverses_;
  measure::Work work_;
  index_t allreduces_ = 0;
};

struct Algorithm;

/// The work of one factorisation of `rows` rows; for the last see mgs::divides_by_inverses.
measure::Work work_of(Algorithm const& algorithm, index_t rows, index_t columns,
                      index_t bytes_of_element = sizeof(double), bool by_inverses = false);
index_t allreduces_of(Algorithm const& algorithm, index_t columns, bool by_inverses = false);

} // namespace strata::mgs
