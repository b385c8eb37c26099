#include "probe.hpp"

#include "base/error.hpp"
#include "base/kokkos.hpp"

#include <mpi.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string_view>

namespace strata::runtime {

namespace {

constexpr unsigned patience_s = 60;

extern "C" void name_the_switch(int number)
{
  static constexpr std::string_view crashed =
      "strata: this MPI library crashed when it was given GPU memory, although it says that it "
      "takes it; set parallel.gpu_aware_mpi: off to stage through host memory\n";
  static constexpr std::string_view hung =
      "strata: this MPI library hung for 60 s when it was given GPU memory, although it says "
      "that it takes it; set parallel.gpu_aware_mpi: off to stage through host memory\n";
  auto const text = number == SIGALRM ? hung : crashed;
  [[maybe_unused]] auto const written = write(STDERR_FILENO, text.data(), text.size());
  _exit(static_cast<int>(Exit::placement));
}

/// While it lives, a crash or a hang names the way round it.
class Guard
{
public:
  Guard()
  {
    struct sigaction action = {};
    action.sa_handler = name_the_switch;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < signals.size(); ++i)
      sigaction(signals[i], &action, &before_[i]);
    alarm(patience_s);
  }

  ~Guard()
  {
    alarm(0);
    for (std::size_t i = 0; i < signals.size(); ++i)
      sigaction(signals[i], &before_[i], nullptr);
  }

  Guard(Guard const&) = delete;
  Guard& operator=(Guard const&) = delete;

private:
  static constexpr std::array signals{SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGALRM};
  std::array<struct sigaction, signals.size()> before_{};
};

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

using Numbers = Kokkos::View<double*, DeviceSpace>;

/// True when all `count` numbers, read back to the host, are `expected`.
bool holds(Numbers const& numbers, double expected)
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
  Numbers const mine("strata::runtime::probe::mine", size);
  Numbers const theirs("strata::runtime::probe::theirs", size);
  Kokkos::deep_copy(mine, 1.0 + world.rank());
  Kokkos::deep_copy(theirs, 0.0);
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
  Guard const guard;
  ProbeComm const comm(world);
  std::string failure;
  for (int const count : {16, 1 << 17}) {
    auto const mine = try_exchange(comm, world, count);
    if (failure.empty())
      failure = mine;
  }
  for (auto const& theirs : world.all_gather(failure))
    if (!theirs.empty())
      return theirs;
  return {};
}

} // namespace strata::runtime
