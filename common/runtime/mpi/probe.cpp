#include "probe.hpp"

#include "base/kokkos.hpp"
#include "runtime/node/guard.hpp"

#include <mpi.h>

#include <string_view>

namespace strata::runtime {

namespace {

constexpr std::string_view crashed =
    "strata: this MPI library crashed when it was given GPU memory, although it says that it "
    "takes it; set parallel.gpu_aware_mpi: off to stage through host memory\n";
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

/// What went wrong on this rank with arrays of `count` numbers.
std::string try_exchange(ProbeComm const& comm, Communicator const& world, int count)
{
  auto const size = static_cast<std::size_t>(count);
  Exchanged const mine("strata::runtime::probe::mine", size);
  Exchanged const theirs("strata::runtime::probe::theirs", size);
  auto const host = Kokkos::create_mirror_view(HostSpace(), mine);
  for (std::size_t i = 0; i < size; ++i)
    host(i) = 1.0 + world.rank();
  Kokkos::deep_copy(mine, host);
  Kokkos::fence();

  int const left = (world.rank() + world.ranks() - 1) % world.ranks();
  int const right = (world.rank() + 1) % world.ranks();
  int const sent = MPI_Sendrecv(mine.data(), count, MPI_DOUBLE, right, 0, theirs.data(), count,
                                MPI_DOUBLE, left, 0, comm.get(), MPI_STATUS_IGNORE);
  int const summed =
      MPI_Allreduce(MPI_IN_PLACE, mine.data(), count, MPI_DOUBLE, MPI_SUM, comm.get());
  if (sent != MPI_SUCCESS || summed != MPI_SUCCESS)
    return "MPI returned an error";
  if (!holds(theirs, 1.0 + left) || !holds(mine, 0.5 * world.ranks() * (world.ranks() + 1.0)))
    return "wrong numbers arrived";
  return {};
}

} // namespace

std::string probe_device_exchange(Communicator const& world)
{
  Guard const guard(crashed, hung);
  ProbeComm const comm(world);
  std::string failure;
  for (int const count : {16, 1 << 17}) {
    auto const mine = try_exchange(comm, world, count);
    if (failure.empty())
      failure = mine;
  }
  return world.first_text(failure);
}

} // namespace strata::runtime
