#include "makers.hpp"

#include "rows/contact_vectors.hpp"

namespace strata::contact {

driver::Maker vecvec_maker(Choice const& choice, Shared const& problem)
{
  return maker_of<ContactVectors>(choice, problem);
}

} // namespace strata::contact
