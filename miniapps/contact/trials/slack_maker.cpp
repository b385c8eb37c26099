#include "makers.hpp"

namespace strata::contact {

driver::Maker slack_maker(Choice const& choice, Shared const& problem)
{
  return maker_of<Contacts<SlackRows<>>>(choice, problem);
}

} // namespace strata::contact
