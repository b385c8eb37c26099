#include "workspace.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace strata::driver {

namespace {

#if defined(__linux__)
/// Advises the system about the whole pages of a block.
void advise(void* data, index_t bytes, int advice)
{
  constexpr std::size_t page = 4096;
  auto space = static_cast<std::size_t>(bytes);
  void* first = data;
  if (std::align(page, page, first, space) != nullptr)
    madvise(first, space / page * page, advice);
}
#endif

/// Requests huge pages; to be called before the first touch.
void advise_huge([[maybe_unused]] void* data, [[maybe_unused]] index_t bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  advise(data, bytes, MADV_HUGEPAGE);
#endif
}

/// Gives pages back, so that the next touch places them; their content is lost.
void release_pages([[maybe_unused]] void* data, [[maybe_unused]] index_t bytes)
{
#if defined(__linux__)
  if (device_is_host)
    advise(data, bytes, MADV_DONTNEED);
#endif
}

} // namespace

void Workspace::reserve(std::vector<Slot> const& slots)
{
  for (auto const& slot : slots) {
    auto& bytes = reserved_[{slot.number, slot.pages}];
    bytes = std::max(bytes, slot.bytes);
  }
}

index_t Workspace::bytes() const
{
  index_t total = 0;
  for (auto const& [key, bytes] : reserved_)
    total += bytes;
  return total;
}

Memory<> Workspace::take(Slot const& slot)
{
  Key const key{slot.number, slot.pages};
  auto const reserved = reserved_.find(key);
  STRATA_CHECK(reserved != reserved_.end() && reserved->second >= slot.bytes,
               "a case takes pooled memory it has not reserved");
  auto& block = blocks_[key];
  if (block.data() == nullptr) {
    block = allocate<>("strata::Workspace " + std::to_string(slot.number), reserved->second);
    if (slot.pages == Pages::huge)
      advise_huge(block.data(), reserved->second);
  }
  return block;
}

void Workspace::hand_to(void const* owner, std::vector<Slot> const& slots)
{
  if (placement_ == Placement::once)
    return;
  for (auto const& slot : slots) {
    Key const key{slot.number, slot.pages};
    auto const block = blocks_.find(key);
    if (block != blocks_.end() && std::exchange(owners_[key], owner) != owner)
      release_pages(block->second.data(), reserved_[key]);
  }
}

} // namespace strata::driver
