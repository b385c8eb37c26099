#include "peer_exchange.hpp"

#include "device_bytes.hpp"
#include "mpi_comm.hpp"

#include "runtime/share.hpp"

namespace strata::runtime {

namespace {

// Exchanges of sizes have 1 and 2 on the same communicator, from any rank.
constexpr int ticket_tag = 3;
constexpr int copied_tag = 4;

struct AddOther
{
  double* values;
  double const* others;

  KOKKOS_FUNCTION void operator()(index_t i) const { values[i] += others[i]; }
};

void add(double* values, double const* others, index_t count)
{
  using Indices = Kokkos::RangePolicy<Device, Kokkos::IndexType<index_t>>;
  Kokkos::parallel_for("strata::runtime::peer_add", Indices(0, count),
                       AddOther{values, others});
}

} // namespace

PeerExchange::PeerExchange(Communicator communicator)
    : communicator_(std::move(communicator))
    , sums_by_launch_(PeerSum::is_possible(communicator_))
{
}

std::vector<double*> PeerExchange::see_all(double* data)
{
  Kokkos::fence();
  auto const mine = memory_.ticket(data);
  std::vector<PeerTicket> tickets(static_cast<std::size_t>(communicator_.ranks()));
  MPI_Allgather(&mine, sizeof(mine), MPI_BYTE, tickets.data(), sizeof(mine), MPI_BYTE,
                mpi_comm(communicator_));
  std::vector<double*> seen;
  for (int rank = 0; rank < communicator_.ranks(); ++rank)
    seen.push_back(rank == communicator_.rank()
                       ? data
                       : static_cast<double*>(
                             memory_.open(rank, tickets[static_cast<std::size_t>(rank)])));
  return seen;
}

void PeerExchange::allreduce_sum(double* values, index_t count)
{
  if (sums_by_launch_ && count <= PeerSum::most) {
    if (!sum_)
      sum_.emplace(communicator_, memory_of_sums_);
    return sum_->launch(values, count);
  }
  auto const seen = see_all(values);
  int const ranks = communicator_.ranks();
  int const rank = communicator_.rank();
  auto const from_the_next_on = [&](auto const& act) { // so that not all begin with one rank
    for (int step = 1; step < ranks; ++step) {
      int const other = (rank + step) % ranks;
      act(other, seen[static_cast<std::size_t>(other)]);
    }
  };
  Share const mine{rank, ranks};
  index_t const first = mine.begin(count);
  from_the_next_on([&](int, double const* theirs) {
    add(values + first, theirs + first, mine.count(count));
  });
  Device().fence();
  communicator_.barrier(); // each share is summed
  from_the_next_on([&](int other, double const* theirs) {
    Share const share{other, ranks};
    index_t const start = share.begin(count);
    copy_on_device(values + start, theirs + start, share.count(count) * number_bytes);
  });
  Device().fence();
  communicator_.barrier(); // each share is copied
}

void PeerExchange::allgatherv(double* all, std::vector<index_t> const& starts)
{
  auto const seen = see_all(all);
  int const ranks = communicator_.ranks();
  for (int step = 1; step < ranks; ++step) {
    auto const other = static_cast<std::size_t>((communicator_.rank() + step) % ranks);
    copy_on_device(all + starts[other], seen[other] + starts[other],
                   (starts[other + 1] - starts[other]) * number_bytes);
  }
  Device().fence();
  communicator_.barrier(); // each part is copied
}

void PeerExchange::exchange(std::span<Message const> sends, std::span<Message const> receives)
{
  MPI_Comm const comm = mpi_comm(communicator_);
  Kokkos::fence();
  std::vector<PeerTicket> given; // before anything is posted, since a driver may refuse
  for (auto const& message : sends)
    given.push_back(message.bytes > 0 ? memory_.ticket(message.data) : PeerTicket{});
  std::vector<PeerTicket> taken(receives.size());
  std::vector<MPI_Request> giving(sends.size());
  std::vector<MPI_Request> taking(receives.size());
  std::vector<MPI_Request> copied(receives.size() + sends.size());
  for (std::size_t i = 0; i < receives.size(); ++i)
    MPI_Irecv(&taken[i], sizeof(PeerTicket), MPI_BYTE, receives[i].rank, ticket_tag, comm,
              &taking[i]);
  for (std::size_t i = 0; i < sends.size(); ++i) {
    MPI_Isend(&given[i], sizeof(PeerTicket), MPI_BYTE, sends[i].rank, ticket_tag, comm,
              &giving[i]);
    MPI_Irecv(nullptr, 0, MPI_BYTE, sends[i].rank, copied_tag, comm,
              &copied[receives.size() + i]);
  }
  for (std::size_t done = 0; done < receives.size(); ++done) {
    int arrived = 0;
    MPI_Waitany(static_cast<int>(taking.size()), taking.data(), &arrived, MPI_STATUS_IGNORE);
    auto const& message = receives[static_cast<std::size_t>(arrived)];
    if (message.bytes > 0)
      copy_on_device(message.data,
                     memory_.open(message.rank, taken[static_cast<std::size_t>(arrived)]),
                     message.bytes);
  }
  Device().fence();
  for (std::size_t i = 0; i < receives.size(); ++i)
    MPI_Isend(nullptr, 0, MPI_BYTE, receives[i].rank, copied_tag, comm, &copied[i]);
  MPI_Waitall(static_cast<int>(giving.size()), giving.data(), MPI_STATUSES_IGNORE);
  MPI_Waitall(static_cast<int>(copied.size()), copied.data(), MPI_STATUSES_IGNORE);
}

} // namespace strata::runtime
