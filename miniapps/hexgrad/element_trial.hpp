#pragma once

#include "kernels.hpp"
#include "quadrature.hpp"
#include "trials.hpp"

#include "array/dense/array.hpp"
#include "array/launch/for_each.hpp"
#include "verify/compare.hpp"
#include "verify/elements.hpp"
#include "verify/tolerance.hpp"

#include <cmath>

// The arrays, values and checks that all variants share.

namespace strata::hexgrad {

using StaticExtents = Extents<index_t, dyn, dims, nodes>;
using DynamicExtents = Dynamic<3>;

template <class Layout, class E = StaticExtents>
typename Layout::template mapping<E> mapping_for(index_t count)
{
  E const extents(count, dims, nodes);
  if constexpr (std::is_same_v<Layout, LayoutStride>) {
    index_t const column = padded(count);
    return {extents, Kokkos::Array<index_t, 3>{1, column, dims * column}};
  } else
    return typename Layout::template mapping<E>(extents);
}

/// The coordinates of an element as they are stored. Narrow ones count from the grid point next
/// to node 0, since a large mesh has more grid points than they have numbers.
template <class T>
KOKKOS_FUNCTION void stored_coordinates(Mesh const& mesh, index_t element,
                                        T (&stored)[dims][nodes])
{
  double x[dims][nodes];
  mesh.coordinates(element, x);
  for (int d = 0; d < dims; ++d) {
    double const origin = is_narrow<T> ? std::floor(x[d][0] + 0.5) : 0;
    for (int n = 0; n < nodes; ++n)
      stored[d][n] = static_cast<T>(x[d][n] - origin);
  }
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
    typename Coordinates::value_type x[dims][nodes];
    stored_coordinates(mesh, first + e, x);
    for (int d = 0; d < dims; ++d)
      for (int n = 0; n < nodes; ++n)
        coordinates(e, d, n) = x[d][n];
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

/// Largest error of all gradients of all elements against the quadrature, relative to the size
/// of the products that the kernel adds up: that of an element's coordinates times that of
/// their differences. Coordinates are rounded to the kernel's scalar first; a narrow gradient
/// may be off by its own rounding beside that.
template <class Gradients, class T>
struct ElementErrors
{
  static constexpr char const* name() { return "strata::hexgrad::ElementErrors"; }
  Gradients gradients;
  Mesh mesh;
  index_t first;

  static KOKKOS_FUNCTION double error(typename Gradients::value_type found, double expected)
  {
    double const distance = std::fabs(static_cast<double>(found) - expected);
    using Out = std::remove_const_t<typename Gradients::value_type>;
    if constexpr (is_narrow<Out>) {
      double const half_of_last = std::fabs(expected) * std::numeric_limits<Out>::epsilon() / 2;
      return distance < half_of_last ? 0 : distance - half_of_last; // NaN where it is one
    }
    return distance;
  }
  KOKKOS_FUNCTION void operator()(verify::Worst& worst, index_t e) const
  {
    T stored[dims][nodes];
    stored_coordinates(mesh, first + e, stored);
    double x[dims][nodes];
    double size = 0; // of a coordinate
    double span = 0; // of a difference of two
    for (int d = 0; d < dims; ++d)
      for (int n = 0; n < nodes; ++n) {
        x[d][n] = static_cast<double>(stored[d][n]);
        size = verify::worse(size, std::fabs(x[d][n]));
        span = verify::worse(span, std::fabs(x[d][n] - x[d][0]));
      }
    double expected[dims][nodes];
    quadrature(x, expected);
    for (int d = 0; d < dims; ++d)
      for (int n = 0; n < nodes; ++n)
        worst += error(gradients(e, d, n), expected[d][n]) / (size * span);
  }
};

/// Allowed error of a gradient, in units of epsilon times the size of the summed products.
inline constexpr double allowed_roundings = 32;

/// The arrays of a case whose coordinates are scalars of type In and gradients Out.
template <class In, class Out, class Layout>
struct Fields
{
  Array<In, StaticExtents, Layout> coordinates;
  Array<Out, StaticExtents, Layout> gradients;

  [[nodiscard]] index_t count() const { return coordinates.extents().extent(0); }
};

/// One step of a variant.
template <class In, class Out, class Layout>
using Launch = void (*)(Fields<In, Out, Layout> const&);

/// Values, launch and checks of a case.
template <class In, class Out, class Layout>
class ElementTrial : public driver::Trial
{
public:
  ElementTrial(Problem const& problem, Launch<In, Out, Layout> launch,
               driver::Workspace& workspace)
      : problem_(problem)
      , launch_(launch)
      , fields_{{workspace.take(field_slot(0, problem, sizeof(In))),
                 mapping_for<Layout>(problem.count)},
                {workspace.take(field_slot(1, problem, sizeof(Out))),
                 mapping_for<Layout>(problem.count)}}
  {
  }

  void reset() override
  {
    auto const in = fields_.coordinates.write();
    auto const out = fields_.gradients.write();
    verify::for_every(problem_.count,
                      SetCoordinates<decltype(in)>{in, problem_.mesh, problem_.first});
    verify::for_every(problem_.count, SpoilGradients<decltype(out)>{out});
  }
  void step() override { launch_(fields_); }

  [[nodiscard]] measure::Work work() const override
  {
    return work::reads(fields_.coordinates) + work::writes(fields_.gradients) +
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
    using Coarser = computed_t<std::conditional_t<sizeof(Out) < sizeof(In), Out, In>>;
    double const allowed = verify::rounding<Coarser>(allowed_roundings);
    auto const found = fields_.gradients.read();
    auto const worst = verify::sum_of_every<verify::Worst>(
        problem_.count,
        ElementErrors<decltype(found), In>{found, problem_.mesh, problem_.first});
    return {verify::judge("error_against_quadrature", worst.value, allowed)};
  }

  verify::Output output() override
  {
    auto gradients = verify::elements_of(fields_.gradients.data(), fields_.gradients.mapping(),
                                         fields_.gradients.extents());
    gradients.of_floats = std::is_same_v<computed_t<In>, float>;
    return gradients;
  }

protected:
  [[nodiscard]] Problem const& problem() const { return problem_; }
  [[nodiscard]] auto const& fields() const { return fields_; }

private:
  Problem problem_;
  Launch<In, Out, Layout> launch_;
  Fields<In, Out, Layout> fields_;
};

/// Makes the trial of a launch.
template <class In, class Out, class Layout>
driver::Maker maker(Problem const& problem, Launch<In, Out, Layout> launch)
{
  return [problem, launch](driver::Workspace& workspace) {
    return std::make_unique<ElementTrial<In, Out, Layout>>(problem, launch, workspace);
  };
}

} // namespace strata::hexgrad
