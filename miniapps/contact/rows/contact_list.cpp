#include "contact_list.hpp"

namespace strata::contact {

void ContactList::clear()
{
  for_each(rows(), ClearRow<View>{view()});
  Kokkos::fence();
}

void ContactList::churn(std::uint64_t seed)
{
  struct Entry
  {
    index_t row;
    Node node;
  };
  std::vector<Entry> entries;
  for (index_t row = 0; row < rows(); ++row)
    view().for_each_entry(row, [&](Node const* node) { entries.push_back({row, *node}); });
  for (std::size_t left = entries.size(); left > 1; --left)
    std::swap(entries[left - 1],
              entries[hashed(seed, static_cast<index_t>(left), 0) % left]); // Fisher and Yates
  clear();
  for (auto const& entry : entries)
    view().add(entry.row, entry.node.gap, entry.node.neighbour, entry.node.born);
}

} // namespace strata::contact
