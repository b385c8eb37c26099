#include "probe.hpp"

#include "peer_exchange.hpp"

#include "base/error.hpp"
#include "base/kokkos.hpp"
#include "runtime/node/guard.hpp"

#include <mpi.h>

#include <array>
#include <string_view>
#include <vector>

namespace strata::runtime {

namespace {

constexpr std::string_view crashed =
    "strata: this MPI library crashed when it was given GPU memory, although it says that it "
    "takes it; set parallel.gpu_aware_mpi: off to stage through host memory\n";
constexpr std::string_view peer_crashed =
    "strata: this driver crashed when a rank looked into another's GPU memory; set "
    "parallel.gpu_aware_mpi: staged to go through host memory\n";
constexpr std::string_view peer_hung =
    "strata: this driver hung for 60 s when a rank looked into another's GPU memory; set "
    "parallel.gpu_aware_mpi: staged to go through host memory\n";
constexpr std::string_view hung =
    "strata: this MPI library hung for 60 s when it was given GPU memory, although it says "
    "that it takes it; set parallel.gpu_aware_mpi: off to stage through host memory\n";

/// A copy of the world whose errors come back as codes.
class ProbeComm
{
public:
  explicit ProbeComm(Communicator const& world)
  {
    MPI_Comm_dup(*static_cast<MPI_Comm const*>(world.handle()), &comm_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }
  ~ProbeComm() { MPI_Comm_free(&comm_); }
  ProbeComm(ProbeComm const&) = delete;
  ProbeComm& operator=(ProbeComm const&) = delete;

  [[nodiscard]] MPI_Comm get() const { return comm_; }

private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

using Exchanged = Kokkos::View<double*, DeviceSpace>;

/// True when all `count` numbers, read back to the host, are `expected`.
bool holds(Exchanged const& numbers, double expected)
{
  auto const host = Kokkos::create_mirror_view_and_copy(HostSpace(), numbers);
  for (std::size_t i = 0; i < host.extent(0); ++i)
    if (host(i) != expected)
      return false;
  return true;
}

/// On the device, `count` numbers: the rank's own, counted from 1.
Exchanged filled(Communicator const& world, int count)
{
  Exchanged const numbers("strata::runtime::probe::mine", static_cast<std::size_t>(count));
  auto const host = Kokkos::create_mirror_view(HostSpace(), numbers);
  for (std::size_t i = 0; i < host.extent(0); ++i)
    host(i) = 1.0 + world.rank();
  Kokkos::deep_copy(numbers, host);
  Kokkos::fence();
  return numbers;
}

int left_of(Communicator const& world)
{
  return (world.rank() + world.ranks() - 1) % world.ranks();
}

int right_of(Communicator const& world)
{
  return (world.rank() + 1) % world.ranks();
}

/// Whether a rank got its left one's numbers, and the sum of all ranks'.
bool arrived(Communicator const& world, Exchanged const& theirs, Exchanged const& summed)
{
  return holds(theirs, 1.0 + left_of(world)) &&
         holds(summed, 0.5 * world.ranks() * (world.ranks() + 1.0));
}

/// What went wrong on this rank with arrays of `count` numbers.
std::string try_exchange(ProbeComm const& comm, Communicator const& world, int count)
{
  auto const mine = filled(world, count);
  Exchanged const theirs("strata::runtime::probe::theirs", static_cast<std::size_t>(count));
  int const sent =
      MPI_Sendrecv(mine.data(), count, MPI_DOUBLE, right_of(world), 0, theirs.data(), count,
                   MPI_DOUBLE, left_of(world), 0, comm.get(), MPI_STATUS_IGNORE);
  int const summed =
      MPI_Allreduce(MPI_IN_PLACE, mine.data(), count, MPI_DOUBLE, MPI_SUM, comm.get());
  if (sent != MPI_SUCCESS || summed != MPI_SUCCESS)
    return "MPI returned an error";
  return arrived(world, theirs, mine) ? "" : "wrong numbers arrived";
}

/// What the lowest rank says whose `step` failed; empty where none did. Collective.
template <class Step>
std::string first_failure(Communicator const& world, Step const& step)
{
  std::string failure;
  try {
    step();
  } catch (Error const& error) {
    failure = std::string(error.what()).substr(0, std::string_view(error.what()).find(';'));
  }
  return world.first_text(failure);
}

/// The same for copies from rank to rank: whether each may look into each other's memory
/// first, since the exchange waits for ranks that may not.
std::string try_peers(Communicator const& world, int count)
{
  auto const mine = filled(world, count);
  Exchanged const theirs("strata::runtime::probe::theirs", static_cast<std::size_t>(count));
  PeerMemory memory;
  PeerTicket ticket;
  auto failure = first_failure(world, [&] { ticket = memory.ticket(mine.data()); });
  if (!failure.empty())
    return failure;
  auto const tickets = world.all_gather(std::vector{ticket}).values;
  failure = first_failure(world, [&] {
    for (int rank = 0; rank < world.ranks(); ++rank)
      if (rank != world.rank())
        memory.open(rank, tickets[static_cast<std::size_t>(rank)]);
  });
  if (!failure.empty())
    return failure;

  PeerExchange exchange(world);
  auto const bytes = static_cast<index_t>(sizeof(double)) * count;
  exchange.exchange(std::array{Message{right_of(world), mine.data(), bytes}},
                    std::array{Message{left_of(world), theirs.data(), bytes}});
  exchange.allreduce_sum(mine.data(), count);
  return world.all(arrived(world, theirs, mine)) ? "" : "wrong numbers arrived";
}

constexpr std::array counts{16, 1 << 17};

} // namespace

std::string probe_device_exchange(Communicator const& world)
{
  Guard const guard(crashed, hung);
  ProbeComm const comm(world);
  std::string failure;
  for (int const count : counts) {
    auto const mine = try_exchange(comm, world, count);
    if (failure.empty())
      failure = mine;
  }
  return world.first_text(failure);
}

std::string probe_peer_exchange(Communicator const& world)
{
  if (!PeerMemory::is_possible())
    return "arrays are in host memory";
  if (world.ranks() == 1)
    return "one rank alone";
  if (Communicator::node().ranks() != world.ranks())
    return "ranks are on several nodes";
  if (world.ranks() - 1 > static_cast<int>(PeerMemory::most_kept) / 2)
    return "more ranks on a node than can be kept mapped";
  Guard const guard(peer_crashed, peer_hung);
  for (int const count : counts)
    if (auto const failure = try_peers(world, count); !failure.empty())
      return failure;
  return {};
}

} // namespace strata::runtime
