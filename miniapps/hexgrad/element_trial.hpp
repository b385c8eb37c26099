#pragma once

#include "kernels.hpp"
#include "reference.hpp"
#include "trials.hpp"

#include "array/copy.hpp"
#include "array/for_each.hpp"
#include "verify/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

// What all variants share: the two arrays, their values and the checks.

namespace strata::hexgrad {

using StaticExtents = Extents<index_t, dyn, dims, nodes>;
using DynamicExtents = Dynamic<3>;

template <class E, class Layout>
typename Layout::template mapping<E> mapping_for(index_t count)
{
  E const extents(count, dims, nodes);
  if constexpr (std::is_same_v<Layout, LayoutStride>) {
    index_t const column = padded(count);
    return {extents, Kokkos::Array<index_t, 3>{1, column, dims * column}};
  } else
    return typename Layout::template mapping<E>(extents);
}

template <class Coordinates>
struct SetCoordinates
{
  static constexpr char const* name() { return "strata::hexgrad::SetCoordinates"; }
  Coordinates coordinates;
  Mesh mesh;
  index_t first;

  KOKKOS_FUNCTION void operator()(index_t e) const
  {
    using T = typename Coordinates::value_type;
    for (int d = 0; d < dims; ++d)
      for (int n = 0; n < nodes; ++n)
        coordinates(e, d, n) = static_cast<T>(mesh.coordinate(first + e, d, n));
  }
};

template <class Gradients>
struct SpoilGradients
{
  static constexpr char const* name() { return "strata::hexgrad::SpoilGradients"; }
  Gradients gradients;

  KOKKOS_FUNCTION void operator()(index_t e) const
  {
    using T = typename Gradients::value_type;
    for (int d = 0; d < dims; ++d)
      for (int n = 0; n < nodes; ++n)
        gradients(e, d, n) = static_cast<T>(NAN);
  }
};

/// Largest violation over elements of what holds exactly for each: gradients sum to zero over
/// the nodes, and Σ x_i g_j is 12 V δ_ij. Relative to the size of the products summed.
template <class Gradients, class T>
struct Identities
{
  Gradients gradients;
  Mesh mesh;
  index_t first;

  KOKKOS_FUNCTION void operator()(index_t e, double& largest) const
  {
    double x[dims][nodes];
    double size = 0; // of a coordinate
    double span = 0; // of a difference of two
    for (int d = 0; d < dims; ++d)
      for (int n = 0; n < nodes; ++n) {
        x[d][n] = static_cast<double>(static_cast<T>(mesh.coordinate(first + e, d, n)));
        size = x[d][n] > size ? x[d][n] : x[d][n] < -size ? -x[d][n] : size;
        double const from_first = x[d][n] - x[d][0];
        span = from_first > span ? from_first : -from_first > span ? -from_first : span;
      }
    double const scale = size * span;
    double moment[dims][dims] = {};
    for (int i = 0; i < dims; ++i) {
      double sum = 0;
      for (int n = 0; n < nodes; ++n) {
        double const g = static_cast<double>(gradients(e, i, n));
        sum += g;
        for (int j = 0; j < dims; ++j)
          moment[j][i] += (x[j][n] - x[j][0]) * g;
      }
      raise(largest, sum / scale);
    }
    for (int i = 0; i < dims; ++i)
      for (int j = 0; j < dims; ++j)
        raise(largest, (i == j ? moment[i][i] - moment[0][0] : moment[i][j]) / (scale * span));
    if (!(moment[0][0] > 0)) // 12 times the volume
      largest = 1;
  }

private:
  /// A NaN counts as 1, which nothing allows.
  static KOKKOS_FUNCTION void raise(double& largest, double error)
  {
    double const magnitude = error < 0 ? -error : error;
    if (magnitude > largest)
      largest = magnitude;
    if (!(magnitude <= 1))
      largest = 1;
  }
};

/// Roundings that a gradient or a sum of eight may gather, with the sizes above as unit.
inline constexpr double allowed_roundings = 64;

/// Elements compared with the quadrature: all when they are few, else this many hashed ones.
inline constexpr index_t most_samples = 4096;

KOKKOS_FUNCTION inline index_t sampled_element(index_t sample, index_t count)
{
  if (count <= most_samples)
    return sample;
  auto const hash = static_cast<std::uint64_t>(sample + 1) * 0x9e3779b97f4a7c15ULL;
  return static_cast<index_t>((hash >> 11) % static_cast<std::uint64_t>(count));
}

/// samples(s, d, n) = gradients of the s-th sampled element.
template <class Gradients, class Samples>
struct TakeSamples
{
  static constexpr char const* name() { return "strata::hexgrad::TakeSamples"; }
  Gradients gradients;
  Samples samples;

  KOKKOS_FUNCTION void operator()(index_t s) const
  {
    index_t const e = sampled_element(s, gradients.extent(0));
    for (int d = 0; d < dims; ++d)
      for (int n = 0; n < nodes; ++n)
        samples(s, d, n) = static_cast<double>(gradients(e, d, n));
  }
};

/// Largest error of one element's gradients `found(d, n)` against the quadrature, relative to
/// size times span of the coordinates, which are rounded to T as the kernel has them.
template <class T, class Found>
double reference_error(Problem const& problem, index_t element, Found const& found)
{
  Nodal x{};
  double size = 0;
  double span = 0;
  for (std::size_t d = 0; d < dims; ++d)
    for (std::size_t n = 0; n < nodes; ++n) {
      x[d][n] = static_cast<double>(static_cast<T>(problem.mesh.coordinate(
          problem.first + element, static_cast<int>(d), static_cast<int>(n))));
      size = std::max(size, std::abs(x[d][n]));
      span = std::max(span, std::abs(x[d][n] - x[d][0]));
    }
  auto const expected = quadrature(x);
  double largest = 0;
  for (std::size_t d = 0; d < dims; ++d)
    for (std::size_t n = 0; n < nodes; ++n) {
      double const error = std::abs(found(d, n) - expected[d][n]) / (size * span);
      largest = error <= 1 ? std::max(largest, error) : 1.0; // also where it is NaN
    }
  return largest;
}

/// Arrays and checks of a case whose coordinates are scalars of type In and gradients Out.
template <class In, class Out, class E, class Layout>
class ElementTrial : public driver::Trial
{
public:
  using Coordinates = Array<In, E, Layout>;
  using Gradients = Array<Out, E, Layout>;

  ElementTrial(Problem const& problem, driver::Workspace& workspace)
      : problem_(problem)
      , coordinates_(workspace.take(field_slot(0, problem, sizeof(In))),
                     mapping_for<E, Layout>(problem.count))
      , gradients_(workspace.take(field_slot(1, problem, sizeof(Out))),
                   mapping_for<E, Layout>(problem.count))
  {
  }

  void reset() override
  {
    auto const in = coordinates_.write();
    auto const out = gradients_.write();
    for_each(problem_.count, SetCoordinates<decltype(in)>{in, problem_.mesh, problem_.first});
    for_each(problem_.count, SpoilGradients<decltype(out)>{out});
  }

  [[nodiscard]] measure::Work work() const override
  {
    return work::reads(coordinates_) + work::writes(gradients_) +
           work::flops(element_flops * problem_.count);
  }
  [[nodiscard]] std::vector<driver::Metric> metrics() const override
  {
    auto const count = static_cast<double>(problem_.count);
    return {{"elements", "elements/s", count},
            {"bandwidth", "B/s", static_cast<double>(work().bytes())},
            {"flops", "flop/s", element_flops * count},
            {"flops_as_S1_counts", "flop/s", element_flops_s1 * count}};
  }

  std::vector<verify::Verdict> verify(int) override
  {
    using Coarser = std::conditional_t<sizeof(Out) < sizeof(In), Out, In>;
    double const allowed = verify::rounding<Coarser>(allowed_roundings);
    auto const found = gradients_.read();
    double identities = 0;
    Kokkos::parallel_reduce(
        "strata::hexgrad::Identities",
        Kokkos::RangePolicy<Device, Kokkos::IndexType<index_t>>(0, problem_.count),
        Identities<decltype(found), In>{found, problem_.mesh, problem_.first},
        Kokkos::Max<double>(identities));
    return {verify::judge("identities", identities, allowed),
            verify::judge("error_against_quadrature", largest_reference_error(), allowed)};
  }

  verify::Output output() override
  {
    constexpr auto together = static_cast<std::uint64_t>(Layout::contiguous);
    return {
        gradients_.data(),
        static_cast<index_t>(std::min(static_cast<std::uint64_t>(problem_.count), together)),
        sizeof(Out), true};
  }

protected:
  double largest_reference_error()
  {
    StaticExtents const extents(std::min(problem_.count, most_samples));
    Array<double, StaticExtents, LayoutRight> const samples("strata::hexgrad::samples",
                                                            extents);
    auto const from = gradients_.read();
    auto const to = samples.write();
    for_each(extents.extent(0), TakeSamples<decltype(from), decltype(to)>{from, to});
    auto const host = host_mirror(samples);
    copy(host, samples);
    auto const values = host.read();
    double largest = 0;
    for (index_t s = 0; s < extents.extent(0); ++s)
      largest = std::max(
          largest,
          reference_error<In>(problem_, sampled_element(s, problem_.count),
                              [&](std::size_t d, std::size_t n) { return values(s, d, n); }));
    return largest;
  }

  Problem problem_;
  Coordinates coordinates_;
  Gradients gradients_;
};

} // namespace strata::hexgrad
