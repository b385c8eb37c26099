#include "contact_count.hpp"

#include "contact_rows.hpp"

namespace strata::contact {

namespace {

/// Rows of which only lengths are kept.
class CountedContacts
{
public:
  explicit CountedContacts(index_t rows)
      : rows_("strata::contact counted rows", rows)
  {
  }
  template <class KernelOf, class Each>
  void build(KernelOf const& kernel_of, Each const& each)
  {
    each(rows_.rows(),
         kernel_of(ContactsView<RaggedCountView>{rows_.counting(), nullptr, nullptr, nullptr}));
    entries_ = rows_.index();
  }
  [[nodiscard]] index_t entries() const { return entries_; }

private:
  RaggedRows<> rows_;
  index_t entries_ = 0;
};

} // namespace

index_t contact_count(Search const& search)
{
  CountedContacts counted(search.rows);
  fill_inlined(counted, search);
  return counted.entries();
}

} // namespace strata::contact
