#pragma once

#include "row_launches.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace strata::mgs {

/// The same launches with results on the host: the host waits for every sum, reduces it over
/// ranks and passes it to the next launch. S1 compares its ValueView with this form.
template <class Layout, class T = double>
class HostLaunches : public RowLaunches<Layout, T>
{
  using Base = RowLaunches<Layout, T>;
  using typename Base::In;
  using typename Base::Out;

public:
  HostLaunches(Multivector<Layout, T> const& a, index_t rows, Factor const& factor,
               OverRanks& ranks)
      : Base(a, rows, factor, ranks)
      , r_(static_cast<std::size_t>(factor.columns() * factor.pitch()), 0.0)
  {
  }

  void norm(index_t j) override
  {
    double* const where = this->factor().square(j);
    this->add(ColumnNorm<In>{this->in(), j}, where);
    square_ = fetched(where, 1).front();
  }
  void scale(index_t j) override
  {
    this->each(ColumnScale<Out, InHand<1>>{this->out(), j, {{square_}}, nullptr}, Base::wide);
    r(j, j) = std::sqrt(square_);
  }
  void dot(index_t j, index_t k) override
  {
    double* const where = this->factor().r(j, k);
    this->add(ColumnDot<In>{this->in(), j, k}, where);
    r(j, k) = fetched(where, 1).front();
  }
  void update(index_t j, index_t k) override
  {
    this->each(ColumnUpdate<Out, InHand<1>>{this->out(), j, k, {{r(j, k)}}}, Base::wide);
  }
  void dots(index_t j) override
  {
    index_t const first = j + 1;
    index_t const count = this->columns() - first;
    double* const where = this->factor().r(j, first);
    this->add_products(j, first, this->columns(), where);
    auto const sums = fetched(where, count);
    std::copy(sums.begin(), sums.end(), &r(j, first));
  }
  void updates(index_t j) override
  {
    this->template chunks<chunk>(j + 1, this->columns(), [&](index_t first, int count) {
      InHand<chunk> coefficients;
      std::copy_n(&r(j, first), count, coefficients.value.value);
      this->each(RowUpdate<Out, InHand<chunk>>{this->out(), j, first, count, coefficients},
                 Base::many);
    });
  }
  /// Copies R, which was on the host until now.
  void finish() override
  {
    auto const size = r_.size();
    Kokkos::deep_copy(Numbers<DeviceSpace>(this->factor().r(0), size),
                      Numbers<HostSpace>(r_.data(), size));
  }

private:
  template <class Space>
  using Numbers = Kokkos::View<double*, Space, Kokkos::MemoryUnmanaged>;

  double& r(index_t j, index_t k)
  {
    return r_[static_cast<std::size_t>(j * this->factor().pitch() + k)];
  }
  std::vector<double> fetched(double* where, index_t count)
  {
    auto const size = static_cast<std::size_t>(count);
    std::vector<double> values(size);
    Kokkos::fence();
    Kokkos::deep_copy(Numbers<HostSpace>(values.data(), size),
                      Numbers<DeviceSpace>(where, size));
    this->ranks().sum(values);
    return values;
  }

  std::vector<double> r_;
  double square_ = 0;
};

} // namespace strata::mgs
