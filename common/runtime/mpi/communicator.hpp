#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace strata::runtime {

/// Name and version of the MPI library: "Open MPI v4.1.4". Needs no MPI_Init.
std::string mpi_library();

/// An Error that every rank of a group throws at the same place, so that none waits for
/// another. Any other exception that ends a run may be of this rank alone (see all_end_with).
class AgreedError : public Error
{
public:
  using Error::Error;
};

/// Values that came from all ranks of a group: those of rank 0, then those of rank 1 and so on.
template <class T>
struct Received
{
  std::vector<T> values;
  std::vector<std::int64_t> start{0}; ///< of each rank's values, and the end of all

  [[nodiscard]] std::span<T const> from(int rank) const
  {
    auto const first = start[static_cast<std::size_t>(rank)];
    auto const last = start[static_cast<std::size_t>(rank) + 1];
    return std::span(values).subspan(static_cast<std::size_t>(first),
                                     static_cast<std::size_t>(last - first));
  }
};

/// A value of one rank.
struct OfRank
{
  double value = 0;
  int rank = 0;
};

/// A group of ranks; the only interface to MPI for other folders. Copies are cheap and denote
/// the same group. Every member that returns a result of all ranks is collective.
class Communicator
{
public:
  /// All ranks of the job, once MPI is initialised. The first call is collective (Session makes
  /// it).
  static Communicator world();

  /// This rank alone; needs no MPI.
  static Communicator self();

  /// The ranks that share this rank's node (its memory), in world order. The first call is
  /// collective over the world (Session makes it), later ones cost nothing. Without MPI: self.
  static Communicator node();

  /// The ranks of this group that give the same colour, in this group's order. Collective.
  [[nodiscard]] Communicator split(int colour) const;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int ranks() const { return ranks_; }

  void barrier() const;

  /// NaN where a rank gives NaN.
  [[nodiscard]] double max(double value) const;
  [[nodiscard]] double min(double value) const;
  [[nodiscard]] double sum(double value) const;
  [[nodiscard]] std::int64_t max(std::int64_t value) const;
  [[nodiscard]] std::int64_t min(std::int64_t value) const;
  [[nodiscard]] std::int64_t sum(std::int64_t value) const;
  /// Modulo 2^64.
  [[nodiscard]] std::uint64_t sum(std::uint64_t value) const;

  /// The sum of the values of lower ranks.
  [[nodiscard]] std::int64_t sum_before(std::int64_t value) const;

  /// The greatest value and the lowest rank that gives it; no value may be NaN.
  [[nodiscard]] OfRank max_of_rank(double value) const;

  /// Elementwise; every rank gives the same number of values.
  [[nodiscard]] std::vector<double> max(std::vector<double> const& values) const;
  [[nodiscard]] std::vector<double> min(std::vector<double> const& values) const;
  [[nodiscard]] std::vector<double> sum(std::vector<double> const& values) const;
  [[nodiscard]] std::vector<std::uint64_t> sum(std::vector<std::uint64_t> const& values) const;

  [[nodiscard]] bool all(bool mine) const;
  [[nodiscard]] bool any(bool mine) const;

  /// The argument of rank `from`; those of other ranks are not read.
  [[nodiscard]] std::string broadcast(std::string const& mine, int from = 0) const;
  [[nodiscard]] double broadcast(double from_rank_0) const;
  [[nodiscard]] std::int64_t broadcast(std::int64_t from_rank_0) const;

  /// The text of the lowest rank that has one; empty where no rank has.
  [[nodiscard]] std::string first_text(std::string const& mine) const;

  /// On rank 0 one text per rank, elsewhere empty.
  [[nodiscard]] std::vector<std::string> gather(std::string const& mine) const;

  /// One text per rank, on every rank.
  [[nodiscard]] std::vector<std::string> all_gather(std::string const& mine) const;

  /// The values of each rank, on every rank.
  template <class T>
  [[nodiscard]] Received<T> all_gather(std::vector<T> const& mine) const;

  /// The values that each rank has for this one: rank r gets for_rank[r] of every rank. Parts
  /// may be longer than MPI can count. Ranks that have nothing for each other exchange no
  /// message.
  template <class T>
  [[nodiscard]] Received<T> all_to_all(std::vector<std::vector<T>> const& for_rank) const;

  /// Runs `step`. Where it throws on some rank, every rank throws the error of the lowest such
  /// rank as an AgreedError. A rank that has failed aborts the job where the others do not
  /// finish their step within `patience_s`, since they may wait for it in a collective.
  void together(std::function<void()> const& step) const;

  /// Whether every rank ends with this same failure; false where some rank does not report it
  /// within `patience_s`.
  [[nodiscard]] bool all_end_with(Failure const& failure) const;

  /// Prints what has failed on this rank and aborts the job with the error's code. For a
  /// failure of one rank, for which the others may wait in a collective.
  [[noreturn]] void abort(Failure const& failure) const;

  /// How long a rank that has failed waits for the others before it aborts the job.
  static constexpr int patience_s = 10;

  /// Points to the MPI_Comm; null without MPI. For this folder's sources, which include mpi.h.
  [[nodiscard]] void const* handle() const { return handle_.get(); }

private:
  Communicator() = default;
  /// Collective over the ranks of the MPI_Comm.
  explicit Communicator(std::shared_ptr<void const> handle);

  /// The bytes that each rank gives.
  [[nodiscard]] std::vector<std::int64_t> all_gather_sizes(std::int64_t mine) const;
  /// Those bytes, one rank after the other.
  void all_gather_bytes(std::span<std::byte const> mine, std::vector<std::int64_t> const& sizes,
                        std::span<std::byte> all) const;
  /// How many bytes each rank has for this one, given those that this one has for each.
  [[nodiscard]] std::vector<std::int64_t>
  all_to_all_sizes(std::vector<std::int64_t> const& for_rank) const;
  /// Those bytes, one rank after the other.
  void all_to_all_bytes(std::vector<std::span<std::byte const>> const& for_rank,
                        std::vector<std::int64_t> const& sizes,
                        std::span<std::byte> received) const;

  /// The same ranks, in a communicator for failures only.
  [[nodiscard]] Communicator aside() const;

  std::shared_ptr<void const> handle_;
  /// Separate, since the peers of a failed rank may be in any collective of the group.
  std::shared_ptr<void const> aside_;
  /// Calls of all_to_all_sizes, of all copies: a rank may be one ahead of another.
  std::shared_ptr<int> exchanges_;
  int rank_ = 0;
  int ranks_ = 1;
};

/// Values of one rank after the other, of which there are so many bytes.
template <class T>
Received<T> room_for(std::vector<std::int64_t> const& sizes)
{
  Received<T> received;
  for (auto const size : sizes)
    received.start.push_back(received.start.back() +
                             size / static_cast<std::int64_t>(sizeof(T)));
  received.values.resize(static_cast<std::size_t>(received.start.back()));
  return received;
}

template <class T>
Received<T> Communicator::all_gather(std::vector<T> const& mine) const
{
  static_assert(std::is_trivially_copyable_v<T>);
  auto const bytes = std::as_bytes(std::span(mine));
  auto const sizes = all_gather_sizes(static_cast<std::int64_t>(bytes.size()));
  auto all = room_for<T>(sizes);
  all_gather_bytes(bytes, sizes, std::as_writable_bytes(std::span(all.values)));
  return all;
}

template <class T>
Received<T> Communicator::all_to_all(std::vector<std::vector<T>> const& for_rank) const
{
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<std::span<std::byte const>> parts;
  std::vector<std::int64_t> sending;
  for (auto const& part : for_rank) {
    parts.push_back(std::as_bytes(std::span(part)));
    sending.push_back(static_cast<std::int64_t>(parts.back().size()));
  }
  auto const sizes = all_to_all_sizes(sending);
  auto received = room_for<T>(sizes);
  all_to_all_bytes(parts, sizes, std::as_writable_bytes(std::span(received.values)));
  return received;
}

} // namespace strata::runtime
