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
/// another.
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
  /// All ranks of the job; after MPI is up.
  static Communicator world();

  /// This rank alone; needs no MPI.
  static Communicator self();

  /// The ranks that share this rank's node (its memory), in world order. The first call is
  /// collective over the world (Session makes it), later ones cost nothing. Without MPI: self.
  static Communicator node();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int ranks() const { return ranks_; }

  void barrier() const;

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

  /// Runs `step`; when it throws an Error on some rank, every rank throws that of the lowest
  /// such rank as an AgreedError. `step` must not leave its peers waiting in a collective.
  void together(std::function<void()> const& step) const;

  /// Ends the whole job with this code. For a fault of one rank while its peers may wait for
  /// it in a collective.
  [[noreturn]] void abort(Exit exit) const;

  /// Points to the MPI_Comm; null without MPI. For this folder's sources, which include mpi.h.
  [[nodiscard]] void const* handle() const { return handle_.get(); }

private:
  Communicator() = default;
  explicit Communicator(std::shared_ptr<void const> handle);

  std::shared_ptr<void const> handle_;
  int rank_ = 0;
  int ranks_ = 1;
};

} // namespace strata::runtime
