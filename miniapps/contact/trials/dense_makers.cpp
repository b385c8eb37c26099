#include "makers.hpp"

#include "rows/contact_block.hpp"

// Rows of one capacity in a block, but for dyn_ragged.

namespace strata::contact {

driver::Maker dense_left_maker(Choice const& choice, Shared const& problem)
{
  return maker_of<Contacts<DynamicRaggedRows<LayoutLeft>>>(choice, problem);
}

driver::Maker dense_right_maker(Choice const& choice, Shared const& problem)
{
  return maker_of<ContactBlock>(choice, problem);
}

} // namespace strata::contact
