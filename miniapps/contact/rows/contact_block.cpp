#include "contact_block.hpp"

#include <string>

namespace strata::contact {

namespace {

/// The row with the largest demand, the first of equals.
struct Most
{
  std::int32_t entries = 0;
  index_t row = 0;

  KOKKOS_FUNCTION Most& operator+=(Most const& other)
  {
    if (other.entries > entries || (other.entries == entries && other.row < row))
      *this = other;
    return *this;
  }
};

struct FindMost
{
  static constexpr char const* name() { return "strata::contact::FindMost"; }
  std::int32_t const* demand;

  KOKKOS_FUNCTION void operator()(Most& most, index_t row) const
  {
    most += Most{demand[row], row};
  }
};

/// Copies the entries of a row; the demand becomes their number.
struct CopyRow
{
  static constexpr char const* name() { return "strata::contact::CopyRow"; }
  ContactBlock::View from, to;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    index_t const length = from.length(row);
    for (index_t k = 0; k < length; ++k) {
      to.gaps[row * to.width + k] = from.gaps[row * from.width + k];
      to.neighbours[row * to.width + k] = from.neighbours[row * from.width + k];
      to.births[row * to.width + k] = from.births[row * from.width + k];
    }
    to.demand[row] = static_cast<std::int32_t>(length);
  }
};

template <class View>
View uninitialised(char const* label, index_t slots)
{
  return View(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)),
              static_cast<std::size_t>(slots));
}

} // namespace

ContactBlock::Values::Values(index_t slots)
    : gaps(uninitialised<Column<double>>("strata::contact block's gaps", slots))
    , neighbours(
          uninitialised<Column<std::int32_t>>("strata::contact block's neighbours", slots))
    , births(uninitialised<Column<std::int32_t>>("strata::contact block's births", slots))
{
}

bool ContactBlock::has_grown()
{
  auto const most =
      reduced<Most>(in_order_of<LayoutRight>(Dynamic<1>(rows())), FindMost{demand_.data()});
  if (most.entries <= capacity_)
    return false;
  if (options_.overflow == Overflow::fail)
    throw RowOverflow("strata::contact block", most.row, most.entries, capacity_);
  auto const from = view();
  Values const before = values_;
  capacity_ = with_headroom(most.entries);
  check_slots("strata::contact block", rows() * capacity_, options_);
  values_ = Values(rows() * capacity_);
  for_each(rows(), CopyRow{from, view()});
  Kokkos::fence();
  ++regrows_;
  return true;
}

} // namespace strata::contact
