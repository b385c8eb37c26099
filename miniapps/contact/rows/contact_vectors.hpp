#pragma once

#include "row_kernels.hpp"

#include "array/ragged/for_each_row.hpp"

#include <vector>

namespace strata::contact {

/// Contacts as a vector of vectors of entries, on a host only.
class ContactVectors
{
public:
  struct Entry
  {
    double gap;
    std::int32_t neighbour;
    std::int32_t born;
  };

  struct View
  {
    index_t count;
    std::vector<Entry>* entries;

    [[nodiscard]] index_t rows() const { return count; }
    [[nodiscard]] index_t length(index_t row) const
    {
      return static_cast<index_t>(entries[row].size());
    }
    template <class F>
    void for_each_entry(index_t row, F const& f) const
    {
      for (Entry& entry : entries[row])
        f(&entry);
    }
    static double& gap(Entry* entry) { return entry->gap; }
    static std::int32_t& neighbour(Entry* entry) { return entry->neighbour; }
    static std::int32_t& born(Entry* entry) { return entry->born; }

    bool add(index_t row, double gap, std::int32_t neighbour, std::int32_t born) const
    {
      entries[row].push_back({gap, neighbour, born});
      return true;
    }
    /// The last entry takes the place of a removed one.
    template <class Ended, class Move>
    index_t remove_if(index_t row, Ended const& ended, Move const& move) const
    {
      auto& of_row = entries[row];
      auto const before = of_row.size();
      for (std::size_t k = before; k-- > 0;)
        if (ended(&of_row[k])) {
          move(&of_row[k], &of_row.back());
          of_row.pop_back();
        }
      return static_cast<index_t>(before - of_row.size());
    }
    static void move(Entry* to, Entry const* from) { *to = *from; }
    void clear(index_t row) const { entries[row].clear(); }
  };

  using execution_space = Device;
  static constexpr bool dynamic = true;
  /// What one entry takes at most of vectors that double their room.
  static constexpr index_t allocated_bytes = 2 * sizeof(Entry);

  ContactVectors(index_t rows, RowOptions const&)
      : entries_(static_cast<std::size_t>(rows))
  {
  }
  [[nodiscard]] index_t rows() const { return static_cast<index_t>(entries_.size()); }
  [[nodiscard]] View view() const { return {rows(), entries_.data()}; }

  /// Empties all rows, which keep their memory, and launches `kernel_of(view)` for each.
  template <class KernelOf, class Each = EachRow>
  void build(KernelOf const& kernel_of, Each const& each = {})
  {
    for_each(rows(), ClearRow<View>{view()});
    Kokkos::fence();
    each(rows(), kernel_of(view()));
  }
  /// Launches `kernel_of(view)`, which removes and adds entries of every row.
  template <class KernelOf>
  void update(KernelOf const& kernel_of)
  {
    for_each(rows(), kernel_of(view()));
  }
  /// Makes the rows invalid, so that a check fails unless they are written again.
  void spoil() { verify::for_every(rows(), ClearRow<View>{view()}); }
  [[nodiscard]] static index_t regrows() { return 0; }
  /// Of memory, on this rank, without what the allocator adds.
  [[nodiscard]] index_t bytes() const
  {
    std::size_t room = 0;
    for (auto const& row : entries_)
      room += row.capacity();
    return static_cast<index_t>(entries_.size() * sizeof(std::vector<Entry>) +
                                room * sizeof(Entry));
  }

private:
  mutable std::vector<std::vector<Entry>> entries_; ///< mutable, as in ContactList
};

} // namespace strata::contact
