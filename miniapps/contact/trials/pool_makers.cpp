#include "makers.hpp"

// Rows whose entries come from a pool that all share.

namespace strata::contact {

driver::Maker paged_maker(Choice const& choice, Shared const& problem)
{
  return maker_of<Contacts<PagedRows<>>>(choice, problem);
}

driver::Maker list_pool_maker(Choice const& choice, Shared const& problem)
{
  return maker_of<Contacts<LinkedRows<>>>(choice, problem);
}

} // namespace strata::contact
