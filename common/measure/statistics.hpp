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
  double lag1 = 0;        ///< correlation of the ranks of successive samples, 0 to 0.9
  std::optional<Interval> ci95 = std::nullopt; ///< of the median; none for fewer than 6 samples
  int outliers = 0;   ///< beyond 1.5 interquartile ranges; counted, never dropped
  bool drift = false; ///< medians of first and second half differ by > 2 %
};

/// Statistics of at least one sample, given in the order they were taken.
///
/// The interval of the median is that of order statistics, which counts samples as independent.
/// Successive ones are not: where a machine is slow for a while, n samples tell as much as
/// n (1 - r) / (1 + r) independent ones, if the correlation falls like r, r^2, r^3 (Bartlett
/// 1946, for the mean). The interval therefore reaches sqrt((1 + r) / (1 - r)) times as many
/// ranks from the median, at most to the extremes. r is the larger of `lag1` and the root of
/// the correlation at lag 2, since noise beside a slow change lowers the first alone; but 0
/// where samples go up and down (lag 1 below -0.3), whose second neighbours are alike for that
/// reason.
Statistics summarise(std::span<double const> samples);

/// True when the 95 % interval is there and its half-width is at most 1 % of the median.
bool converged(Statistics const& statistics);

/// Half the width of the 95 % interval over the median; none where there is no interval.
std::optional<double> relative_half_width(Statistics const& statistics);

/// Median of the ratios of two cases round by round, which the machine's drift does not change.
struct Ratio
{
  double median = 0;
  double lag1 = 0;                             ///< as for Statistics
  std::optional<Interval> ci95 = std::nullopt; ///< likewise
  int n = 0;
};

/// Ratio of two cases measured in the same rounds: element i of both is from round i.
Ratio paired_ratio(std::span<double const> numerator, std::span<double const> denominator);

} // namespace strata::measure
