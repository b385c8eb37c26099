#include "launches.hpp"

#include "array/dense/array.hpp"
#include "array/launch/elementwise.hpp"
#include "array/launch/for_each.hpp"
#include "array/launch/reduce.hpp"
#include "base/error.hpp"
#include "verify/every.hpp"

#include <cstdint>
#include <string>

namespace strata::contact {

namespace {

using Visits = Span<std::int32_t, Dynamic<1>, LayoutRight>;

struct CountVisit
{
  static constexpr char const* name() { return "strata::contact::CountVisit"; }
  Visits visits;
  KOKKOS_FUNCTION void operator()(index_t i) const { ++visits(i); }
};

struct AddVisit
{
  static constexpr char const* name() { return "strata::contact::AddVisit"; }
  template <class Sum>
  KOKKOS_FUNCTION void operator()(Sum& sum, index_t) const
  {
    ++sum;
  }
};

struct FindUnvisited
{
  static constexpr char const* name() { return "strata::contact::FindUnvisited"; }
  Visits visits;
  KOKKOS_FUNCTION void operator()(index_t& sum, index_t i) const
  {
    sum += visits(i) == 1 ? 0 : 1;
  }
};

} // namespace

void require_visits(index_t count)
{
  Array<std::int32_t, Dynamic<1>, LayoutRight> const visits("strata::contact visits", count);
  verify::for_every(count, Set<Visits>{visits.write(), 0});
  for_each(count, CountVisit{visits.write()});
  auto const added = reduced<index_t>(in_order_of<LayoutRight>(Dynamic<1>(count)), AddVisit{});
  auto const wrong = verify::sum_of_every<index_t>(count, FindUnvisited{visits.write()});
  if (wrong > 0 || added != count)
    throw Error(Exit::verification,
                "launches over " + std::to_string(count) + " indices do not visit " +
                    std::to_string(wrong) + " of them once, and a reduction adds up " +
                    std::to_string(added) +
                    ": rows of contacts cannot be made by them; report this build's compiler "
                    "and Kokkos");
}

} // namespace strata::contact
