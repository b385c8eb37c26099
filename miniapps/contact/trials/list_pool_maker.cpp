#include "makers.hpp"

namespace strata::contact {

driver::Maker list_pool_maker(Choice const& choice, Shared const& problem)
{
  return maker_of<Contacts<LinkedRows<>>>(choice, problem);
}

} // namespace strata::contact
