// What must not compile: the test unit.array.refused looks for the messages.

#include "array/dense/array.hpp"
#include "array/layout/symmetric.hpp"
#include "array/span/subspan.hpp"

namespace strata {

auto sliced(Span<double, Dynamic<2>, LayoutRight> const& span)
{
  return subspan(span, 0, "2:4");
}

using Oblong = Extents<index_t, 9, 60>;
Array<double, Oblong, LayoutSymmetric<>> oblong("strata::test::oblong", Oblong());

using Large = Extents<int, 65'536, 65'536>;
Array<double, Large> large("strata::test::large", Large());

} // namespace strata
