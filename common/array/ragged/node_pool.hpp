#pragma once

#include "rows.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace strata {

// A pool of nodes, each with an int32 link to another, which rows take and give back: the basis
// of linked rows, pages and spilled entries.

namespace detail {

/// State of a pool. Nodes given back are queued in a ring buffer of twice the capacity: first
/// the nodes that this launch may take, then those given back during this launch, which become
/// available at the next reclaim(). No place is written while another work item may read it, so
/// that taking and giving back cost one atomic addition each, without a retry loop.
struct NodePoolState
{
  tally_t first = 0;     ///< ring index of the first available node
  tally_t available = 0; ///< number of available nodes in the ring
  tally_t popped = 0;    ///< requests to the ring in this launch; may exceed `available`
  tally_t pushed = 0;    ///< nodes given back in this launch
  tally_t taken = 0;     ///< requests for unused nodes, in order; may exceed the capacity

  /// Index in a ring of `ring` places of the place `steps` after `first`; steps <= ring.
  KOKKOS_FUNCTION tally_t place(tally_t steps, tally_t ring) const
  {
    auto const at = first + steps;
    return at < ring ? at : at - ring;
  }
  /// Between launches: those given back are available.
  [[nodiscard]] NodePoolState reclaimed(tally_t nodes) const
  {
    auto const gone = std::min(popped, available);
    return {place(gone, 2 * nodes), available - gone + pushed, 0, 0, std::min(taken, nodes)};
  }
};

/// Copies the available nodes from the ring to `nodes`, in order.
struct UnrollNodes
{
  static constexpr char const* name() { return "strata::NodePool unroll"; }
  NodePoolState state;
  std::int32_t const* ring;
  tally_t places;
  std::int32_t* nodes;

  KOKKOS_FUNCTION void operator()(index_t i) const
  {
    nodes[i] = ring[state.place(static_cast<tally_t>(i), places)];
  }
};

} // namespace detail

/// What a kernel sees of a pool of nodes.
class NodePoolView
{
public:
  KOKKOS_DEFAULTED_FUNCTION NodePoolView() = default;
  /// `ring`: of twice the capacity.
  KOKKOS_FUNCTION NodePoolView(detail::NodePoolState* state, std::int32_t* links,
                               std::int32_t* ring, index_t capacity)
      : state_(state)
      , links_(links)
      , ring_(ring)
      , capacity_(capacity)
  {
  }

  /// Takes an unused node, or returns -1 if there is none; callable by any work item.
  KOKKOS_FUNCTION std::int32_t take() const
  {
    auto const available = state_->available;
    if (available > 0 && atomic_load(&state_->popped) < available) {
      auto const popped = Kokkos::atomic_fetch_add(&state_->popped, tally_t{1});
      if (popped < available)
        return ring_[place(popped)];
    }
    auto const fresh = Kokkos::atomic_fetch_add(&state_->taken, tally_t{1});
    return fresh < static_cast<tally_t>(capacity_) ? static_cast<std::int32_t>(fresh) : -1;
  }
  /// Gives a node back; from any work item.
  KOKKOS_FUNCTION void give(std::int32_t node) const
  {
    auto const pushed = Kokkos::atomic_fetch_add(&state_->pushed, tally_t{1});
    ring_[place(state_->available + pushed)] = node;
  }
  KOKKOS_FUNCTION std::int32_t& link(std::int32_t node) const { return links_[node]; }
  KOKKOS_FUNCTION index_t capacity() const { return capacity_; }

private:
  KOKKOS_FUNCTION tally_t place(tally_t steps) const
  {
    return state_->place(steps, 2 * static_cast<tally_t>(capacity_));
  }

  detail::NodePoolState* state_ = nullptr;
  std::int32_t* links_ = nullptr;
  std::int32_t* ring_ = nullptr;
  index_t capacity_ = 0;
};

/// The links, ring and state of a pool of nodes; the nodes' values are the owner's. Null,
/// without memory, by default.
template <class Space>
class NodePool
{
public:
  NodePool() = default;
  NodePool(std::string const& label, index_t capacity)
      : label_(label)
      , state_(label + " state", Dynamic<1>(1))
      , links_(label + " links", Dynamic<1>(checked(label, capacity)))
      , ring_(label + " ring", Dynamic<1>(2 * capacity))
  {
    fill(links_, -1);
    clear();
  }
  [[nodiscard]] bool is_null() const { return state_.is_null(); }
  [[nodiscard]] index_t capacity() const { return links_.size(); }
  [[nodiscard]] NodePoolView view() const
  {
    return {state_.data(), links_.data(), ring_.data(), capacity()};
  }
  /// Marks all nodes as unused; call it together with the owners' clear().
  void clear() const { fill(state_, detail::NodePoolState{}); }

  /// Makes the nodes given back available again; waits for launches. Call it after launches
  /// that took or gave back nodes.
  void reclaim() const
  {
    if (is_null())
      return;
    auto const state = value_at(state_, 0);
    auto const nodes = static_cast<tally_t>(capacity());
    if (state.popped > 0 || state.pushed > 0 || state.taken > nodes)
      fill(state_, state.reclaimed(nodes));
  }
  /// A capacity for at least `wanted` nodes, with headroom; throws if 32-bit links cannot
  /// number them.
  [[nodiscard]] index_t capacity_for(index_t wanted) const
  {
    return std::max(checked(label_, wanted), std::min(with_headroom(wanted), most));
  }
  /// Enlarges the pool; taken nodes stay taken, available ones stay available.
  void grow(index_t capacity)
  {
    reclaim();
    auto state = value_at(state_, 0);
    EntryValues<std::int32_t, Space> const ring(ring_.label(), Dynamic<1>(2 * capacity));
    for_each<typename Space::execution_space>(
        static_cast<index_t>(state.available),
        detail::UnrollNodes{state, ring_.data(), 2 * static_cast<tally_t>(this->capacity()),
                            ring.data()});
    state.first = 0;
    fill(state_, state);
    enlarge(links_, capacity); // waits for the launches
    ring_ = ring;
  }
  /// Copies which nodes are taken, and the links, of a pool of the same capacity.
  template <class Other>
  void copy_from(NodePool<Other> const& from) const
  {
    copy(state_, from.state_);
    copy(links_, from.links_);
    copy(ring_, from.ring_);
  }
  [[nodiscard]] index_t memory_bytes() const { return bytes_of(links_, ring_, state_); }

private:
  template <class Other>
  friend class NodePool;

  static constexpr index_t most = std::numeric_limits<std::int32_t>::max();
  static index_t checked(std::string const& label, index_t capacity)
  {
    if (capacity > most)
      throw std::length_error("'" + label + "' needs " + std::to_string(capacity) +
                              " nodes, more than 32-bit links tell apart");
    return capacity;
  }

  std::string label_;
  EntryValues<detail::NodePoolState, Space> state_;
  EntryValues<std::int32_t, Space> links_;
  EntryValues<std::int32_t, Space> ring_;
};

} // namespace strata
