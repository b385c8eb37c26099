#include "makers.hpp"

namespace strata::contact {

driver::Maker paged_maker(Choice const& choice, Shared const& problem)
{
  return maker_of<Contacts<PagedRows<>>>(choice, problem);
}

} // namespace strata::contact
