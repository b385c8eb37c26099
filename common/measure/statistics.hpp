#pragma once

#include <optional>
#include <span>

namespace strata::measure {

struct Interval
{
  double low = 0, high = 0;
};

/// Summary of all samples of a case, in seconds where not dimensionless.
struct Statistics
{
  int n = 0;
  double median = 0;
  double best = 0; ///< the smallest time
  double mean = 0;
  double p5 = 0, p95 = 0; ///< percentiles, linear between order statistics
  double cv = 0;          ///< standard deviation (n - 1) over mean; 0 for one sample
  std::optional<Interval> ci95 = std::nullopt; ///< of the median; none for fewer than 6 samples
  int outliers = 0;   ///< beyond 1.5 interquartile ranges; counted, never dropped
  bool drift = false; ///< medians of first and second half differ by > 2 %
};

/// Statistics of at least one sample, given in the order they were taken.
Statistics summarise(std::span<double const> samples);

/// True when the 95 % interval is there and its half-width is at most 1 % of the median.
bool converged(Statistics const& statistics);

/// Half the width of the 95 % interval over the median; none where there is no interval.
std::optional<double> relative_half_width(Statistics const& statistics);

/// Median of the ratios of two cases round by round, which the machine's drift does not change.
struct Ratio
{
  double median = 0;
  std::optional<Interval> ci95 = std::nullopt; ///< as for Statistics
  int n = 0;
};

/// Ratio of two cases measured in the same rounds: element i of both is from round i.
Ratio paired_ratio(std::span<double const> numerator, std::span<double const> denominator);

} // namespace strata::measure
