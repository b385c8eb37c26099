#pragma once

#include "row_kernels.hpp"

#include "array/ragged/for_each_row.hpp"
#include "scene/mix.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace strata::contact {

/// Contacts as linked lists of nodes that each come from the allocator: what S5's
/// DynamicRaggedRight is compared with (section 6.1.3). On a host only.
class ContactList
{
public:
  struct Node ///< 24 bytes, and what the allocator adds
  {
    double gap;
    std::int32_t neighbour;
    std::int32_t born;
    Node* next;
  };

  /// Heads of the rows; an entry is its node.
  struct View
  {
    index_t count;
    Node** heads;

    [[nodiscard]] index_t rows() const { return count; }
    [[nodiscard]] index_t length(index_t row) const
    {
      index_t length = 0;
      for_each_entry(row, [&](Node const*) { ++length; });
      return length;
    }
    template <class F>
    void for_each_entry(index_t row, F const& f) const
    {
      for (Node* node = heads[row]; node != nullptr; node = node->next)
        f(node);
    }
    static double& gap(Node* entry) { return entry->gap; }
    static std::int32_t& neighbour(Node* entry) { return entry->neighbour; }
    static std::int32_t& born(Node* entry) { return entry->born; }

    bool add(index_t row, double gap, std::int32_t neighbour, std::int32_t born) const
    {
      heads[row] = new Node{gap, neighbour, born, heads[row]};
      return true;
    }
    /// The same by any work item.
    bool add_atomic(index_t row, double gap, std::int32_t neighbour, std::int32_t born) const
    {
      auto* const node = new Node{gap, neighbour, born, nullptr};
      node->next = Kokkos::atomic_exchange(heads + row, node);
      return true;
    }
    /// No entry takes the place of another.
    template <class Ended, class Move>
    index_t remove_if(index_t row, Ended const& ended, Move const&) const
    {
      index_t removed = 0;
      for (Node** at = heads + row; *at != nullptr;)
        if (ended(*at)) {
          delete std::exchange(*at, (*at)->next);
          ++removed;
        } else {
          at = &(*at)->next;
        }
      return removed;
    }
    static void move(Node*, Node*) {}
    void clear(index_t row) const
    {
      while (heads[row] != nullptr)
        delete std::exchange(heads[row], heads[row]->next);
    }
  };

  using execution_space = Device;
  static constexpr bool dynamic = true;
  /// Bytes of an entry with an allocator's header of one word.
  static constexpr index_t allocated_bytes = sizeof(Node) + sizeof(std::size_t);

  ContactList(index_t rows, RowOptions const&)
      : heads_(static_cast<std::size_t>(rows), nullptr)
  {
  }
  ContactList(ContactList const&) = delete;
  ContactList& operator=(ContactList const&) = delete;
  ContactList(ContactList&&) = default;
  ContactList& operator=(ContactList&& other) noexcept
  {
    std::swap(heads_, other.heads_);
    return *this;
  }
  ~ContactList() { clear(); }

  [[nodiscard]] index_t rows() const { return static_cast<index_t>(heads_.size()); }
  [[nodiscard]] View view() const { return {rows(), heads_.data()}; }

  /// Empties all rows and launches `kernel_of(view)` for each, which adds what it has.
  template <class KernelOf, class Each = EachRow>
  void build(KernelOf const& kernel_of, Each const& each = {})
  {
    clear();
    each(rows(), kernel_of(view()));
  }
  template <class KernelOf>
  void build_from(index_t items, KernelOf const& kernel_of)
  {
    clear();
    for_each(items, kernel_of(view()));
  }
  /// Launches `kernel_of(view)`, which removes and adds entries of every row.
  template <class KernelOf>
  void update(KernelOf const& kernel_of)
  {
    for_each(rows(), kernel_of(view()));
  }
  /// Makes the rows invalid, so that a check fails unless they are written again.
  void spoil() { clear(); }
  /// Allocates all entries again in a random order over all rows, so that their memory is in no
  /// order, as after a long run.
  void churn(std::uint64_t seed);
  [[nodiscard]] static index_t regrows() { return 0; }
  /// Of memory, on this rank, without what the allocator adds.
  [[nodiscard]] index_t bytes() const
  {
    return rows() * static_cast<index_t>(sizeof(Node*)) +
           row_totals(*this).entries * static_cast<index_t>(sizeof(Node));
  }

private:
  void clear();

  mutable std::vector<Node*> heads_; ///< mutable: a const list gives mutable entries, as Array
};

} // namespace strata::contact
