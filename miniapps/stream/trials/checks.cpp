#include "checks.hpp"

#include "base/kokkos.hpp"
#include "verify/compare.hpp"
#include "verify/tolerance.hpp"

namespace strata::stream {

namespace {

/// Exact sum of what dot or read adds up, in integers.
struct ExpectedSum
{
  static constexpr char const* name() { return "strata::stream::ExpectedSum"; }
  index_t first;
  KernelId kernel;
  KOKKOS_FUNCTION void operator()(std::int64_t& sum, index_t i) const
  {
    sum += expected_term(kernel, first + i);
  }
};

double expected_sum(Geometry const& geometry, KernelId kernel)
{
  auto const sum = verify::sum_of_every<std::int64_t>(
      geometry.elements, ExpectedSum{geometry.first_element, kernel});
  return static_cast<double>(sum) * sum_unit;
}

constexpr char const* metric = "max_relative_error";

} // namespace

Field output_of(KernelId kernel)
{
  switch (kernel) {
  case KernelId::copy:
  case KernelId::add:
    return Field::c;
  case KernelId::scale:
    return Field::b;
  default:
    return Field::a;
  }
}

bool is_spoiled(KernelId kernel, Field field)
{
  return field == output_of(kernel) && !is_sum(kernel) && kernel != KernelId::nstream;
}

verify::Verdict judge_sum(double sum, Geometry const& geometry, KernelId kernel)
{
  return verify::judge(metric, verify::relative_error(sum, expected_sum(geometry, kernel)), 0);
}

template <class T>
verify::Verdict judge_values(double error, KernelId kernel, int steps)
{
  if constexpr (!is_narrow<T>)
    if (kernel == KernelId::nstream && steps > exact_steps<T>())
      return verify::judge(metric, error, verify::rounding<T>(steps));
  return verify::judge(metric, error, 0);
}

template verify::Verdict judge_values<float16>(double, KernelId, int);
template verify::Verdict judge_values<bfloat16>(double, KernelId, int);
template verify::Verdict judge_values<float>(double, KernelId, int);
template verify::Verdict judge_values<double>(double, KernelId, int);

} // namespace strata::stream
