#pragma once

#include "rows.hpp"

#include <limits>

namespace strata {

// Nodes that rows take from a common store and give back, each with an int32 link to another:
// what linked rows, pages and spilled entries are made of.

namespace detail {

/// Where a pool stands. Nodes given back in a launch are not taken again in it: a list that is
/// only pushed to beside one that is only popped from cannot mistake one node for another.
struct NodePoolState
{
  unsigned long long taken = 0; ///< never used before, in order; may pass the capacity
  std::int32_t available = -1;  ///< list of nodes given back before this launch
  std::int32_t freed = -1;      ///< list of those given back in it,
  std::int32_t freed_last = -1; ///< and the end of that list
};

/// Nodes given back become available.
struct SettleNodes
{
  static constexpr char const* name() { return "strata::NodePool settle"; }
  NodePoolState* state;
  std::int32_t* links;
  index_t capacity;

  KOKKOS_FUNCTION void operator()(index_t) const
  {
    if (state->freed >= 0) {
      links[state->freed_last] = state->available;
      state->available = state->freed;
      state->freed = -1;
    }
    if (state->taken > static_cast<unsigned long long>(capacity))
      state->taken = static_cast<unsigned long long>(capacity);
  }
};

} // namespace detail

/// What a kernel sees of a pool of nodes.
class NodePoolView
{
public:
  KOKKOS_DEFAULTED_FUNCTION NodePoolView() = default;
  KOKKOS_FUNCTION NodePoolView(detail::NodePoolState* state, std::int32_t* links,
                               index_t capacity)
      : state_(state)
      , links_(links)
      , capacity_(capacity)
  {
  }

  /// A node that nobody has, or -1; from any work item.
  KOKKOS_FUNCTION std::int32_t take() const
  {
    auto node = *static_cast<std::int32_t volatile*>(&state_->available);
    while (node >= 0) {
      std::int32_t const next = *static_cast<std::int32_t volatile*>(links_ + node);
      auto const seen = Kokkos::atomic_compare_exchange(&state_->available, node, next);
      if (seen == node)
        return node;
      node = seen;
    }
    auto const fresh = Kokkos::atomic_fetch_add(&state_->taken, 1ULL);
    return fresh < static_cast<unsigned long long>(capacity_) ? static_cast<std::int32_t>(fresh)
                                                              : -1;
  }
  /// Gives a node back; from any work item.
  KOKKOS_FUNCTION void give(std::int32_t node) const
  {
    auto const before = Kokkos::atomic_exchange(&state_->freed, node);
    links_[node] = before;
    if (before < 0)
      state_->freed_last = node;
  }
  KOKKOS_FUNCTION std::int32_t& link(std::int32_t node) const { return links_[node]; }
  KOKKOS_FUNCTION index_t capacity() const { return capacity_; }

private:
  detail::NodePoolState* state_ = nullptr;
  std::int32_t* links_ = nullptr;
  index_t capacity_ = 0;
};

/// The links and state of a pool of nodes; the nodes' values are the owner's. Null, without
/// memory, by default.
template <class Space>
class NodePool
{
public:
  NodePool() = default;
  NodePool(std::string const& label, index_t capacity)
      : label_(label)
      , state_(label + " state", Dynamic<1>(1))
      , links_(label + " links", Dynamic<1>(checked(label, capacity)))
  {
    clear();
  }
  [[nodiscard]] bool is_null() const { return state_.is_null(); }
  [[nodiscard]] index_t capacity() const { return links_.size(); }
  [[nodiscard]] NodePoolView view() const { return {state_.data(), links_.data(), capacity()}; }
  /// No node is taken; to be said with everything that holds any.
  void clear() const { fill(state_, detail::NodePoolState{}); }

  /// To be said after launches that took or gave nodes, and waits for them: those given back
  /// can be taken again.
  void settle() const
  {
    if (is_null())
      return;
    auto const state = value_at(state_, 0);
    if (state.freed >= 0 || static_cast<index_t>(state.taken) > capacity())
      for_each<typename Space::execution_space>(
          1, detail::SettleNodes{state_.data(), links_.data(), capacity()});
  }
  /// Nodes that a pool should have of which so many are wanted; throws where links cannot tell
  /// them apart.
  [[nodiscard]] index_t capacity_for(index_t wanted) const
  {
    return std::max(checked(label_, wanted), std::min(with_headroom(wanted), most));
  }
  /// More nodes; those taken stay taken.
  void grow(index_t capacity) { enlarge(links_, capacity); }
  [[nodiscard]] index_t memory_bytes() const { return bytes_of(links_, state_); }

private:
  static constexpr index_t most = std::numeric_limits<std::int32_t>::max();
  static index_t checked(std::string const& label, index_t capacity)
  {
    if (capacity > most)
      throw Error(Exit::memory, "'" + label + "' needs " + std::to_string(capacity) +
                                    " nodes, more than 32-bit links tell apart");
    return capacity;
  }

  std::string label_;
  EntryValues<detail::NodePoolState, Space> state_;
  EntryValues<std::int32_t, Space> links_;
};

} // namespace strata
