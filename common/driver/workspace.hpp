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

/// Who places the pages of a block in the memory of NUMA nodes: by touching them first.
enum class Placement
{
  once,        ///< the first case that has the block; where all memory is equally near
  of_each_case ///< each case anew, as it would in a program of its own
};

/// The memory that the cases of a run share, so that each can be as large as the device and all
/// can still run in every round. First reserve all blocks, then take them.
class Workspace
{
public:
  explicit Workspace(Placement placement = Placement::once)
      : placement_(placement)
  {
  }

  void reserve(std::vector<Slot> const& slots);
  /// Bytes that all reservations together need.
  [[nodiscard]] index_t bytes() const;
  /// The block. Its first use allocates it and does not touch its pages.
  Memory<> take(Slot const& slot);
  /// To be called before a case fills its blocks: gives their pages back to the system where
  /// another case had them and each case places its own. `owner` identifies the case.
  void hand_to(void const* owner, std::vector<Slot> const& slots);

private:
  using Key = std::pair<int, Pages>;
  Placement placement_;
  std::map<Key, void const*> owners_;
  std::map<Key, index_t> reserved_;
  std::map<Key, Memory<>> blocks_;
};

} // namespace strata::driver
