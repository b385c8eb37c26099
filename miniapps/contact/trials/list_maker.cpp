#include "makers.hpp"

#include "rows/contact_list.hpp"

namespace strata::contact {

driver::Maker list_maker(Choice const& choice, Shared const& problem)
{
  if (choice.broad == "nbs")
    return maker_of<ContactList>(choice, problem, fill_pairs<ContactList>);
  return maker_of<ContactList>(choice, problem);
}

} // namespace strata::contact
