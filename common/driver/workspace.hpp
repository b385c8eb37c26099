#pragma once

#include "array/dense/array.hpp"

#include <map>
#include <utility>
#include <vector>

namespace strata::driver {

/// How a host allocation is paged; devices have the default only.
enum class Pages
{
  normal,
  huge
};

/// One block of pooled memory that a case wants: blocks of one number and paging are shared
/// by all cases and hold garbage whenever another case has run in between.
struct Slot
{
  int number;
  index_t bytes;
  Pages pages = Pages::normal;
};

/// The memory that the cases of a run share, so that all can take turns in every round
/// however large they are. Reserve first, then take.
class Workspace
{
public:
  void reserve(std::vector<Slot> const& slots);
  /// Bytes to be allocated for all reservations.
  [[nodiscard]] index_t bytes() const;
  /// The block, allocated at its first use, untouched.
  Memory<> take(Slot const& slot);

private:
  using Key = std::pair<int, Pages>;
  std::map<Key, index_t> reserved_;
  std::map<Key, Memory<>> blocks_;
};

} // namespace strata::driver
