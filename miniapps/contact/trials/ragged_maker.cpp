#include "makers.hpp"

namespace strata::contact {

driver::Maker ragged_maker(Choice const& choice, Shared const& problem)
{
  using Rows = Contacts<RaggedRows<>>;
  if (choice.narrow == "virtual")
    return virtual_maker_of<Rows>(choice, problem);
  return maker_of<Rows>(choice, problem);
}

} // namespace strata::contact
