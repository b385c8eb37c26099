#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace strata::runtime {

/// Name and version of the MPI library: "Open MPI v4.1.4". Needs no MPI_Init.
std::string mpi_library();

/// An Error that every rank of a group throws at the same place, so that none waits for
/// another. What leaves a run as any other exception is this rank's alone until its peers say
/// the same (all_end_with).
class AgreedError : public Error
{
public:
  using Error::Error;
};

/// A group of ranks; all that other folders see of MPI. A cheap value: copies are the same
/// group. Every member that names a result of all ranks is collective.
class Communicator
{
public:
  /// All ranks of the job; after MPI is up. The first call is collective (Session makes it).
  static Communicator world();

  /// This rank alone; needs no MPI.
  static Communicator self();

  /// The ranks that share this rank's node (its memory), in world order. The first call is
  /// collective over the world (Session makes it), later ones cost nothing. Without MPI: self.
  static Communicator node();

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

  /// Elementwise; every rank gives the same number of values.
  [[nodiscard]] std::vector<double> max(std::vector<double> const& values) const;
  [[nodiscard]] std::vector<double> min(std::vector<double> const& values) const;
  [[nodiscard]] std::vector<double> sum(std::vector<double> const& values) const;

  [[nodiscard]] bool all(bool mine) const;
  [[nodiscard]] bool any(bool mine) const;

  /// What rank 0 gave; the argument of other ranks is not read.
  [[nodiscard]] std::string broadcast(std::string const& from_rank_0) const;
  [[nodiscard]] double broadcast(double from_rank_0) const;
  [[nodiscard]] std::int64_t broadcast(std::int64_t from_rank_0) const;

  /// On rank 0 one text per rank, elsewhere empty.
  [[nodiscard]] std::vector<std::string> gather(std::string const& mine) const;

  /// One text per rank, on every rank.
  [[nodiscard]] std::vector<std::string> all_gather(std::string const& mine) const;

  /// The bytes that each rank has for this one, by rank: rank r gets for_rank[r] of every
  /// other. Parts may be longer than MPI can count.
  [[nodiscard]] std::vector<std::string>
  all_to_all(std::vector<std::string> const& for_rank) const;

  /// Runs `step`; when it throws on some rank, every rank throws the error of the lowest such
  /// rank as an AgreedError. Ends the job with the error where the others do not get to the
  /// end of their step within `patience_s`, since they may wait for this rank in a collective.
  void together(std::function<void()> const& step) const;

  /// Whether every rank ends with this same failure. False where some rank does not say so
  /// within `patience_s`.
  [[nodiscard]] bool all_end_with(Failure const& failure) const;

  /// Says what has failed on this rank and ends the whole job with its code. For a failure of
  /// one rank while its peers may wait for it in a collective.
  [[noreturn]] void abort(Failure const& failure) const;

  /// How long a rank that has failed waits for its peers before it ends the job.
  static constexpr int patience_s = 10;

  /// Points to the MPI_Comm; null without MPI. For this folder's sources, which include mpi.h.
  [[nodiscard]] void const* handle() const { return handle_.get(); }

private:
  Communicator() = default;
  /// Collective over the ranks of the MPI_Comm.
  explicit Communicator(std::shared_ptr<void const> handle);

  /// The same ranks, where they speak of failures.
  [[nodiscard]] Communicator aside() const;

  std::shared_ptr<void const> handle_;
  /// Of its own: a peer of a rank that has failed may be in any collective of the group.
  std::shared_ptr<void const> aside_;
  int rank_ = 0;
  int ranks_ = 1;
};

} // namespace strata::runtime
