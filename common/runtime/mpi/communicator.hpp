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
/// another. Any other exception that ends a run may be of this rank alone (see all_end_with).
class AgreedError : public Error
{
public:
  using Error::Error;
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

  /// The argument of rank 0; those of other ranks are not read.
  [[nodiscard]] std::string broadcast(std::string const& from_rank_0) const;
  [[nodiscard]] double broadcast(double from_rank_0) const;
  [[nodiscard]] std::int64_t broadcast(std::int64_t from_rank_0) const;

  /// On rank 0 one text per rank, elsewhere empty.
  [[nodiscard]] std::vector<std::string> gather(std::string const& mine) const;

  /// One text per rank, on every rank.
  [[nodiscard]] std::vector<std::string> all_gather(std::string const& mine) const;

  /// Sends for_rank[r] to every rank r and returns the bytes that each rank has sent to this
  /// one, by rank. Parts may be larger than 2^31 bytes.
  [[nodiscard]] std::vector<std::string>
  all_to_all(std::vector<std::string> const& for_rank) const;

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

  /// The same ranks, in a communicator for failures only.
  [[nodiscard]] Communicator aside() const;

  std::shared_ptr<void const> handle_;
  /// Separate, since the peers of a failed rank may be in any collective of the group.
  std::shared_ptr<void const> aside_;
  int rank_ = 0;
  int ranks_ = 1;
};

} // namespace strata::runtime
