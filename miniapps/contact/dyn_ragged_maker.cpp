#include "makers.hpp"

namespace strata::contact {

driver::Maker dyn_ragged_maker(Choice const& choice, Shared const& problem)
{
  return maker_of<Contacts<DynamicRaggedRows<LayoutRight>>>(choice, problem);
}

} // namespace strata::contact
