#include "makers.hpp"

namespace strata::contact {

driver::Maker dense_left_maker(Choice const& choice, Shared const& problem)
{
  return maker_of<Contacts<DynamicRaggedRows<LayoutLeft>>>(choice, problem);
}

} // namespace strata::contact
