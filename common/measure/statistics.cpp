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

/// The ranks of the samples, from 1; equal samples have the mean of their ranks.
std::vector<double> ranks(std::span<double const> samples)
{
  std::vector<std::size_t> order(samples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return samples[a] < samples[b]; });
  std::vector<double> ranks(samples.size());
  for (std::size_t first = 0, next = 0; first < order.size(); first = next) {
    while (next < order.size() && samples[order[next]] == samples[order[first]])
      ++next;
    for (std::size_t i = first; i < next; ++i)
      ranks[order[i]] = static_cast<double>(first + next + 1) / 2;
  }
  return ranks;
}

/// How the ranks of samples are correlated with those of later ones.
struct Correlation
{
  double lag1 = 0;
  double decay = 0; ///< r, where the correlation falls like r, r^2, r^3
};

/// Both clamped to [0, 0.9]. Of n samples a correlation comes out too small by about
/// (1 + 3 r) / n (Kendall 1954), which is made good.
Correlation correlation_of(std::span<double const> samples)
{
  constexpr double most = 0.9;
  constexpr double alternating = -0.3; // lag 1 below which samples go up and down
  auto const n = static_cast<double>(samples.size());
  auto rank = ranks(samples);
  for (auto& one : rank)
    one -= (n + 1) / 2;
  double const squares = std::inner_product(rank.begin(), rank.end(), rank.begin(), 0.0);
  if (squares == 0 || n < 6)
    return {};
  auto const at_lag = [&](std::ptrdiff_t lag) {
    double const products =
        std::inner_product(rank.begin() + lag, rank.end(), rank.begin(), 0.0);
    return (n * products / squares + 1) / (n - 3);
  };
  double const lag1 = at_lag(1);
  double const lag2 = lag1 > alternating ? std::max(0.0, at_lag(2)) : 0;
  return {std::clamp(lag1, 0.0, most), std::clamp(std::max(lag1, std::sqrt(lag2)), 0.0, most)};
}

/// The interval that Statistics describes.
std::optional<Interval> median_interval(std::span<double const> sorted, double decay)
{
  auto const n = static_cast<double>(sorted.size());
  int const drop = trimmed(static_cast<int>(sorted.size()));
  if (drop < 0)
    return std::nullopt;
  double const reach = ((n - 1) / 2 - drop) * std::sqrt((1 + decay) / (1 - decay));
  auto const low = static_cast<std::size_t>(std::max(0.0, std::floor((n - 1) / 2 - reach)));
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
  auto const correlation = correlation_of(samples);
  double const mean =
      std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size());
  return {.n = static_cast<int>(sorted.size()),
          .median = median,
          .best = sorted.front(),
          .mean = mean,
          .p5 = quantile(sorted, 0.05),
          .p95 = quantile(sorted, 0.95),
          .cv = variation(sorted, mean),
          .lag1 = correlation.lag1,
          .ci95 = median_interval(sorted, correlation.decay),
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
  auto const correlation = correlation_of(ratios);
  std::sort(ratios.begin(), ratios.end());
  return {.median = quantile(ratios, 0.5),
          .lag1 = correlation.lag1,
          .ci95 = median_interval(ratios, correlation.decay),
          .n = static_cast<int>(ratios.size())};
}

} // namespace strata::measure
