#include "statistics.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <vector>

namespace strata::measure {

namespace {

/// Value at `fraction` of the way through sorted samples, linear between neighbours.
double quantile(std::span<double const> sorted, double fraction)
{
  double const position = fraction * static_cast<double>(sorted.size() - 1);
  auto const below = static_cast<std::size_t>(position);
  auto const above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

double median_of(std::span<double const> samples)
{
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return quantile(sorted, 0.5);
}

/// Number of samples outside either end of the 95 % interval of the median, which is the
/// narrowest symmetric pair of order statistics k and n+1-k: they enclose the median unless n
/// throws of a fair coin show fewer than k heads, or tails. -1 where n is too small.
int trimmed(int n)
{
  double below = 0; // probability of at most `heads` heads
  for (int heads = 0;; ++heads) {
    below += std::exp(std::lgamma(n + 1.0) - std::lgamma(heads + 1.0) -
                      std::lgamma(n - heads + 1.0) - n * std::numbers::ln2);
    if (2 * below > 0.05)
      return heads - 1;
  }
}

std::optional<Interval> median_interval(std::span<double const> sorted)
{
  int const drop = trimmed(static_cast<int>(sorted.size()));
  if (drop < 0)
    return std::nullopt;
  auto const low = static_cast<std::size_t>(drop);
  return Interval{sorted[low], sorted[sorted.size() - 1 - low]};
}

double variation(std::span<double const> samples, double mean)
{
  if (samples.size() < 2)
    return 0;
  double squares = 0;
  for (double const sample : samples)
    squares += (sample - mean) * (sample - mean);
  return std::sqrt(squares / static_cast<double>(samples.size() - 1)) / mean;
}

int count_outliers(std::span<double const> sorted)
{
  double const lower = quantile(sorted, 0.25);
  double const upper = quantile(sorted, 0.75);
  double const reach = 1.5 * (upper - lower);
  return static_cast<int>(std::count_if(sorted.begin(), sorted.end(), [=](double sample) {
    return sample < lower - reach || sample > upper + reach;
  }));
}

/// The middle sample of an odd number belongs to neither half.
bool drifted(std::span<double const> samples, double median)
{
  auto const half = samples.size() / 2;
  if (half == 0)
    return false;
  double const change = median_of(samples.last(half)) - median_of(samples.first(half));
  return std::abs(change) > 0.02 * median;
}

} // namespace

Statistics summarise(std::span<double const> samples)
{
  STRATA_CHECK(!samples.empty(), "statistics of no samples");
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  double const median = quantile(sorted, 0.5);
  double const mean =
      std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size());
  return {.n = static_cast<int>(sorted.size()),
          .median = median,
          .best = sorted.front(),
          .mean = mean,
          .p5 = quantile(sorted, 0.05),
          .p95 = quantile(sorted, 0.95),
          .cv = variation(sorted, mean),
          .ci95 = median_interval(sorted),
          .outliers = count_outliers(sorted),
          .drift = drifted(samples, median)};
}

std::optional<double> relative_half_width(Statistics const& statistics)
{
  if (!statistics.ci95)
    return std::nullopt;
  return (statistics.ci95->high - statistics.ci95->low) / 2 / statistics.median;
}

bool converged(Statistics const& statistics)
{
  auto const half_width = relative_half_width(statistics);
  return half_width && *half_width <= 0.01;
}

Ratio paired_ratio(std::span<double const> numerator, std::span<double const> denominator)
{
  STRATA_CHECK(numerator.size() == denominator.size() && !numerator.empty(),
               "ratios pair the samples of the same rounds");
  std::vector<double> ratios(numerator.size());
  std::transform(numerator.begin(), numerator.end(), denominator.begin(), ratios.begin(),
                 [](double above, double below) { return above / below; });
  std::sort(ratios.begin(), ratios.end());
  return {.median = quantile(ratios, 0.5),
          .ci95 = median_interval(ratios),
          .n = static_cast<int>(ratios.size())};
}

} // namespace strata::measure
