#pragma once

#include "entry_values.hpp"
#include "rows_view.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace strata {

// Options of rows that can change, and their overflow. After a launch that appended or removed,
// the host calls `resolve_overflow(values...)`. If entries found no room, it either makes room,
// also in the value arrays, and returns the rows that overflowed, for another launch; or
// throws, as the policy says. `for_each_row` (for_each_row.hpp) does all of this.

/// What happens to entries that find no room in their row.
enum class Overflow
{
  grow,  ///< every row gets more room, at a copy of all values
  spill, ///< they go to a pool that all rows share
  fail   ///< RowOverflow
};

/// How rows that change are made.
struct RowOptions
{
  index_t capacity = 8; ///< entries of each row that have room at first
  Overflow overflow = Overflow::grow;
  index_t pool = 1024; ///< entries that all rows share at first, where they share any
  index_t max_slots = std::numeric_limits<index_t>::max(); ///< growing past it throws
  index_t slot_bytes = 0; ///< of one entry's values, for what is then said; 0: not known
};

/// Entries found no room and the policy is `fail`.
class RowOverflow : public std::length_error
{
public:
  RowOverflow(std::string const& label, index_t row, index_t demand, index_t room)
      : std::length_error("row " + std::to_string(row) + " of '" + label + "' has " +
                          std::to_string(demand) + " entries and found room for " +
                          std::to_string(room) +
                          "; start with more room or choose another overflow policy")
      , row_(row)
      , demand_(demand)
      , room_(room)
  {
  }
  /// The row of the greatest demand, the first of equals.
  [[nodiscard]] index_t row() const { return row_; }
  [[nodiscard]] index_t demand() const { return demand_; }
  [[nodiscard]] index_t room() const { return room_; }

private:
  index_t row_, demand_, room_;
};

/// Rows some of whose entries found no room.
template <class Space = DeviceSpace>
struct OverflowedRows
{
  Array<index_t, Dynamic<1>, LayoutRight, Space> rows; ///< in no order
  index_t refused = 0;                                 ///< entries that found no room
  index_t longest = 0;                                 ///< greatest length asked for

  explicit operator bool() const { return refused > 0; }
};

namespace detail {

/// "1100 entries", with their MiB where their size is known.
inline std::string entries(index_t slots, RowOptions const& options)
{
  auto const bytes = static_cast<double>(slots) * static_cast<double>(options.slot_bytes);
  return std::to_string(slots) + " entries" +
         (bytes > 0 ? " (" + std::to_string(std::llround(bytes / (1 << 20))) + " MiB)"
                    : std::string());
}

} // namespace detail

/// Throws when `slots` are more than the options allow.
inline void check_slots(std::string const& label, index_t slots, RowOptions const& options)
{
  if (slots > options.max_slots)
    throw std::length_error("'" + label + "' needs room for " +
                            detail::entries(slots, options) + " and may have " +
                            detail::entries(options.max_slots, options));
}

/// Throws std::invalid_argument if the policy is `spill`, which this structure does not
/// support.
inline void refuse_spill(std::string const& label, RowOptions const& options)
{
  if (options.overflow == Overflow::spill)
    throw std::invalid_argument("'" + label +
                                "' has no buffers to spill from: its overflow grows or fails");
}

/// `demand` plus a quarter, rounded up to a multiple of 8.
inline index_t with_headroom(index_t demand)
{
  return (demand + demand / 4 + 7) / 8 * 8;
}

} // namespace strata
