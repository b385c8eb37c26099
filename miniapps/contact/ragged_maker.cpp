#include "makers.hpp"

namespace strata::contact {

driver::Maker ragged_maker(Choice const& choice, Shared const& problem)
{
  return maker_of<Contacts<RaggedRows<>>>(choice, problem);
}

} // namespace strata::contact
