#pragma once

#include "array/dense/array.hpp"

#include <map>
#include <utility>
#include <vector>

namespace strata::driver {

/// Page size of a host allocation; devices have the default only.
enum class Pages
{
  normal,
  huge
};

/// A block of pooled memory that a case asks for. All cases share the block of the same number
/// and page size; its content is undefined after another case has run.
struct Slot
{
  int number;
  index_t bytes;
  Pages pages = Pages::normal;
};

/// The memory that the cases of a run share, so that each can be as large as the device and all
/// can still run in every round. First reserve all blocks, then take them.
class Workspace
{
public:
  void reserve(std::vector<Slot> const& slots);
  /// Bytes that all reservations together need.
  [[nodiscard]] index_t bytes() const;
  /// The block. Its first use allocates it and does not touch its pages.
  Memory<> take(Slot const& slot);

private:
  using Key = std::pair<int, Pages>;
  std::map<Key, index_t> reserved_;
  std::map<Key, Memory<>> blocks_;
};

} // namespace strata::driver
