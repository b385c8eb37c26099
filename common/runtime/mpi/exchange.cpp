#include "exchange.hpp"

#include "device_bytes.hpp"
#include "mpi_comm.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace strata::runtime {

namespace {

/// Bytes or numbers in one call of MPI, whose counts are ints.
constexpr index_t longest_call = index_t{1} << 30;

// Queued as copy_on_device's.

void to_host(void* host, void const* device, index_t bytes)
{
  Kokkos::deep_copy(Device(), bytes_at<PinnedSpace>(host, bytes),
                    bytes_at<DeviceSpace>(device, bytes));
}

void to_device(void* device, void const* host, index_t bytes)
{
  Kokkos::deep_copy(Device(), bytes_at<DeviceSpace>(device, bytes),
                    bytes_at<PinnedSpace>(host, bytes));
}

index_t total(std::span<Message const> messages)
{
  return std::accumulate(messages.begin(), messages.end(), index_t{0},
                         [](index_t sum, Message const& m) { return sum + m.bytes; });
}

/// The same messages with their data one after the other from `host` on.
std::vector<Message> in_host(std::span<Message const> messages, void* host)
{
  auto* next = static_cast<char*>(host);
  std::vector<Message> moved;
  for (auto const& message : messages) {
    moved.push_back({message.rank, next, message.bytes});
    next += message.bytes;
  }
  return moved;
}

/// Calls `post(data, count, rank)` for each part of each message that MPI can count.
template <class Post>
void post_all(std::span<Message const> messages, Post const& post)
{
  for (auto const& message : messages)
    for (index_t done = 0; done < message.bytes; done += longest_call)
      post(static_cast<char*>(message.data) + done,
           static_cast<int>(std::min(longest_call, message.bytes - done)), message.rank);
}

void send_and_receive(MPI_Comm comm, std::span<Message const> sends,
                      std::span<Message const> receives)
{
  std::vector<MPI_Request> requests;
  post_all(receives, [&](char* data, int count, int rank) {
    MPI_Irecv(data, count, MPI_BYTE, rank, 0, comm, &requests.emplace_back());
  });
  post_all(sends, [&](char* data, int count, int rank) {
    MPI_Isend(data, count, MPI_BYTE, rank, 0, comm, &requests.emplace_back());
  });
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

/// The messages between a rank and itself, and the others.
std::pair<std::vector<Message>, std::vector<Message>>
self_and_others(std::span<Message const> messages, int rank)
{
  std::pair<std::vector<Message>, std::vector<Message>> parts;
  for (auto const& message : messages)
    (message.rank == rank ? parts.first : parts.second).push_back(message);
  return parts;
}

void copy_to_self(std::span<Message const> sends, std::span<Message const> receives)
{
  STRATA_CHECK(sends.size() == receives.size(), "a rank receives what it sends to itself");
  for (std::size_t i = 0; i < sends.size(); ++i)
    copy_on_device(receives[i].data, sends[i].data, sends[i].bytes);
}

} // namespace

Exchange::Exchange(Communicator communicator, GpuAware const& gpu_aware)
    : communicator_(std::move(communicator))
    , staged_(gpu_aware.used == "staged" || gpu_aware.used == "peer")
{
  if (gpu_aware.used == "peer" && communicator_.ranks() > 1)
    peer_.emplace(communicator_);
}

Exchange::~Exchange()
{
  Kokkos::fence(); // copies from the staging memory
}

double* Exchange::reserve(Staging& staging, index_t bytes)
{
  auto const numbers = (static_cast<std::size_t>(bytes) + sizeof(double) - 1) / sizeof(double);
  if (staging.extent(0) < numbers) {
    Kokkos::fence(); // copies from the memory of before
    staging = Staging(
        Kokkos::view_alloc("strata::runtime::Exchange::staging", Kokkos::WithoutInitializing),
        numbers);
  }
  return staging.data();
}

void Exchange::allreduce_sum(double* values, index_t count)
{
  if (communicator_.ranks() == 1)
    return;
  if (peer_ && (peer_->sums_by_launch() || count * number_bytes >= least_peer_sum_bytes))
    return peer_->allreduce_sum(values, count);
  double* const numbers = staged_ ? reserve(sending_, count * number_bytes) : values;
  if (staged_)
    to_host(numbers, values, count * number_bytes);
  Kokkos::fence();
  for (index_t done = 0; done < count; done += longest_call)
    MPI_Allreduce(MPI_IN_PLACE, numbers + done,
                  static_cast<int>(std::min(longest_call, count - done)), MPI_DOUBLE, MPI_SUM,
                  mpi_comm(communicator_));
  if (staged_)
    to_device(values, numbers, count * number_bytes);
}

void Exchange::allgatherv(double const* mine, double* all, std::vector<index_t> const& counts)
{
  STRATA_CHECK(counts.size() == static_cast<std::size_t>(communicator_.ranks()),
               "allgatherv needs one count per rank");
  std::vector<index_t> starts{0};
  for (auto const count : counts)
    starts.push_back(starts.back() + count);

  auto const rank = static_cast<std::size_t>(communicator_.rank());
  index_t const first = starts[rank];
  index_t const end = starts[rank + 1];
  index_t const sum = starts.back();
  if (mine != all + first)
    copy_on_device(all + first, mine, counts[rank] * number_bytes);
  if (communicator_.handle() == nullptr)
    return;
  if (peer_)
    return peer_->allgatherv(all, starts);
  STRATA_CHECK(sum <= std::numeric_limits<int>::max(),
               "allgatherv of more numbers than MPI can count (2^31)");
  std::vector<int> const sizes(counts.begin(), counts.end());
  std::vector<int> const places(starts.begin(), starts.end() - 1);
  double* const numbers = staged_ ? reserve(receiving_, sum * number_bytes) : all;
  if (staged_)
    to_host(numbers + first, all + first, counts[rank] * number_bytes);
  Kokkos::fence();
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, numbers, sizes.data(), places.data(),
                 MPI_DOUBLE, mpi_comm(communicator_));
  if (staged_) {
    to_device(all, numbers, first * number_bytes);
    to_device(all + end, numbers + end, (sum - end) * number_bytes);
  }
}

std::pair<Exchange::Messages, Exchange::Messages>
Exchange::between_ranks(std::span<Message const> sends, std::span<Message const> receives)
{
  auto [to_self, to_others] = self_and_others(sends, communicator_.rank());
  auto [from_self, from_others] = self_and_others(receives, communicator_.rank());
  copy_to_self(to_self, from_self);
  return {std::move(to_others), std::move(from_others)};
}

void Exchange::by_mpi(Messages const& sends, Messages const& receives)
{
  if (!staged_) {
    Kokkos::fence();
    return send_and_receive(mpi_comm(communicator_), sends, receives);
  }
  auto const host_sends = in_host(sends, reserve(sending_, total(sends)));
  auto const host_receives = in_host(receives, reserve(receiving_, total(receives)));
  for (std::size_t i = 0; i < sends.size(); ++i)
    to_host(host_sends[i].data, sends[i].data, sends[i].bytes);
  Kokkos::fence();
  send_and_receive(mpi_comm(communicator_), host_sends, host_receives);
  for (std::size_t i = 0; i < receives.size(); ++i)
    to_device(receives[i].data, host_receives[i].data, receives[i].bytes);
}

void Exchange::exchange(std::span<Message const> sends, std::span<Message const> receives)
{
  auto const [to_others, from_others] = between_ranks(sends, receives);
  if (peer_)
    peer_->exchange(to_others, from_others);
  else if (communicator_.ranks() > 1)
    by_mpi(to_others, from_others);
}

void Exchange::exchange_once(std::span<Message const> sends, std::span<Message const> receives)
{
  auto const [to_others, from_others] = between_ranks(sends, receives);
  if (communicator_.ranks() > 1)
    by_mpi(to_others, from_others);
}

} // namespace strata::runtime
