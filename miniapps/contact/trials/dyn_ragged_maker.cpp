#include "makers.hpp"

namespace strata::contact {

driver::Maker dyn_ragged_maker(Choice const& choice, Shared const& problem)
{
  using Rows = Contacts<DynamicRaggedRows<LayoutRight>>;
  if (choice.narrow == "virtual")
    return virtual_maker_of<Rows>(choice, problem);
  if (choice.broad == "nbs")
    return pairs_maker_of<Rows>(choice, problem);
  return maker_of<Rows>(choice, problem);
}

} // namespace strata::contact
