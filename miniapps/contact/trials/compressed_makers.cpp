#include "makers.hpp"

// Rows that follow one another in memory, with and without room to grow.

namespace strata::contact {

driver::Maker ragged_maker(Choice const& choice, Shared const& problem)
{
  using Rows = Contacts<RaggedRows<>>;
  if (choice.narrow == "virtual")
    return virtual_maker_of<Rows>(choice, problem);
  return maker_of<Rows>(choice, problem);
}

driver::Maker slack_maker(Choice const& choice, Shared const& problem)
{
  return maker_of<Contacts<SlackRows<>>>(choice, problem);
}

} // namespace strata::contact
