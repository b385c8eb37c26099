#include "makers.hpp"

#include "rows/contact_block.hpp"

namespace strata::contact {

driver::Maker dense_right_maker(Choice const& choice, Shared const& problem)
{
  return maker_of<ContactBlock>(choice, problem);
}

} // namespace strata::contact
