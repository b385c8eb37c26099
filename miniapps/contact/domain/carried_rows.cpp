#include "carried_rows.hpp"

#include <numeric>

namespace strata::contact {

namespace {

struct LengthOfListed
{
  index_t const* start;
  index_t const* list;

  KOKKOS_FUNCTION index_t operator()(index_t row) const
  {
    return start[list[row] + 1] - start[list[row]];
  }
};

struct CopyListed
{
  static constexpr char const* name() { return "strata::contact::CopyListed"; }
  RaggedRowsView to;
  index_t const* list;
  index_t const* start_before;
  CarriedRows::Entry const* before;
  index_t* start;
  CarriedRows::Entry* entries;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    start[row + 1] = to.end(row);
    index_t from = start_before[list[row]];
    for (index_t entry = to.begin(row); entry < to.end(row); ++entry)
      entries[entry] = before[from++];
  }
};

struct PickStarts
{
  static constexpr char const* name() { return "strata::contact::PickStarts"; }
  index_t const* start;
  index_t const* rows;
  index_t* picked;

  KOKKOS_FUNCTION void operator()(index_t i) const { picked[i] = start[rows[i]]; }
};

/// Offsets of the rank that gave a part become those of the rank that has it.
struct MoveStarts
{
  static constexpr char const* name() { return "strata::contact::MoveStarts"; }
  index_t const* theirs;
  index_t first; ///< entry of the part here
  index_t* start;

  KOKKOS_FUNCTION void operator()(index_t row) const
  {
    start[row] = theirs[row] - theirs[0] + first;
  }
};

/// What one rank gives another.
struct Part
{
  index_t rows = 0;
  index_t entries = 0;
};

/// A message with `count` values from the one at `first` on.
template <class T>
runtime::Message message(int rank, DeviceVector<T> const& values, index_t first, index_t count)
{
  return {rank, values.data() + first, count * static_cast<index_t>(sizeof(T))};
}

} // namespace

CarriedRows::CarriedRows(index_t rows_, index_t entries_)
    : rows(rows_)
    , count(entries_)
{
  start.upload({0});
  start.reserve(rows + 1, 1);
  entries.reserve(count);
}

CarriedRows listed(CarriedRows const& rows, std::vector<index_t> const& list)
{
  DeviceVector<index_t> order("list of rows");
  order.upload(list);
  auto const count = static_cast<index_t>(list.size());
  RaggedRows<> const flat("strata::contact listed rows", count,
                          LengthOfListed{rows.start.data(), order.data()});
  CarriedRows found(count, flat.entries());
  for_each(count, CopyListed{flat.view(), order.data(), rows.start.data(), rows.entries.data(),
                             found.start.data(), found.entries.data()});
  Kokkos::fence(); // before the list goes
  return found;
}

CarriedRows handed_over(CarriedRows const& rows, std::vector<index_t> const& rows_for,
                        runtime::Exchange& exchange, runtime::Communicator const& world)
{
  std::vector<index_t> first{0}; // row of each rank
  for (auto const count : rows_for)
    first.push_back(first.back() + count);
  DeviceVector<index_t> bounds("rows of ranks");
  DeviceVector<index_t> picked("entries of ranks");
  auto const ends = static_cast<index_t>(first.size());
  bounds.upload(first);
  picked.reserve(ends);
  for_each(ends, PickStarts{rows.start.data(), bounds.data(), picked.data()});
  auto const entry = picked.download(ends); // the first of each rank

  std::vector<std::vector<Part>> parts(rows_for.size());
  std::vector<runtime::Message> sends;
  for (std::size_t r = 0; r < parts.size(); ++r) {
    if (rows_for[r] == 0)
      continue;
    auto const rank = static_cast<int>(r);
    Part const part{rows_for[r], entry[r + 1] - entry[r]};
    parts[r] = {part};
    sends.push_back(message(rank, rows.start, first[r], part.rows + 1));
    if (part.entries > 0)
      sends.push_back(message(rank, rows.entries, entry[r], part.entries));
  }
  auto const arriving = world.all_to_all(parts);
  Part all;
  for (auto const& part : arriving.values) {
    all.rows += part.rows;
    all.entries += part.entries;
  }
  CarriedRows found(all.rows, all.entries);
  DeviceVector<index_t> starts("starts of ranks"); // one more for each part than it has rows
  starts.reserve(all.rows + static_cast<index_t>(arriving.values.size()));
  std::vector<runtime::Message> receives;
  std::vector<std::pair<MoveStarts, index_t>> moves;
  Part done;
  for (int rank = 0; rank < world.ranks(); ++rank)
    for (auto const& part : arriving.from(rank)) {
      auto const before = static_cast<index_t>(moves.size()); // parts
      receives.push_back(message(rank, starts, done.rows + before, part.rows + 1));
      if (part.entries > 0)
        receives.push_back(message(rank, found.entries, done.entries, part.entries));
      moves.push_back(
          {{starts.data() + done.rows + before, done.entries, found.start.data() + done.rows},
           part.rows + 1});
      done.rows += part.rows;
      done.entries += part.entries;
    }
  exchange.exchange_once(sends, receives);
  for (auto const& [move, count] : moves)
    for_each(count, move);
  Kokkos::fence(); // before the starts go
  return found;
}

} // namespace strata::contact
