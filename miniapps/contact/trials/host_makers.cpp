#include "makers.hpp"

#include "rows/contact_list.hpp"
#include "rows/contact_vectors.hpp"

// Rows whose entries come from the host's allocator.

namespace strata::contact {

driver::Maker list_maker(Choice const& choice, Shared const& problem)
{
  if (choice.broad == "nbs")
    return pairs_maker_of<ContactList>(choice, problem);
  return host_maker_of<ContactList>(choice, problem);
}

driver::Maker vecvec_maker(Choice const& choice, Shared const& problem)
{
  return host_maker_of<ContactVectors>(choice, problem);
}

} // namespace strata::contact
