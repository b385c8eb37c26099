#include "communicator.hpp"
#include "mpi_comm.hpp"

#include <algorithm>
#include <numeric>

// Communicator's members for values of which each rank has a number of its own.

namespace strata::runtime {

namespace {

/// Calls `post(first, count)` for stretches of `size` bytes that MPI can count.
template <class Post>
void in_calls(std::size_t size, Post const& post)
{
  constexpr std::size_t longest = std::size_t{1} << 30;
  for (std::size_t done = 0; done < size; done += longest)
    post(done, static_cast<int>(std::min(longest, size - done)));
}

} // namespace

std::vector<std::string> Communicator::gather(std::string const& mine) const
{
  if (handle() == nullptr)
    return {mine};
  int const size = message_size(mine.size());
  std::vector<int> sizes(rank() == 0 ? static_cast<std::size_t>(ranks()) : 0);
  MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, mpi_comm(*this));

  message_size(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
  std::vector<int> starts(sizes.size());
  std::exclusive_scan(sizes.begin(), sizes.end(), starts.begin(), 0);
  std::string all(sizes.empty() ? 0 : static_cast<std::size_t>(starts.back() + sizes.back()),
                  '\0');
  MPI_Gatherv(mine.data(), size, MPI_CHAR, all.data(), sizes.data(), starts.data(), MPI_CHAR, 0,
              mpi_comm(*this));

  std::vector<std::string> texts;
  for (std::size_t r = 0; r < sizes.size(); ++r)
    texts.push_back(
        all.substr(static_cast<std::size_t>(starts[r]), static_cast<std::size_t>(sizes[r])));
  return texts;
}

std::vector<std::string> Communicator::all_gather(std::string const& mine) const
{
  auto const all = all_gather(std::vector<char>(mine.begin(), mine.end()));
  std::vector<std::string> texts;
  for (int r = 0; r < ranks(); ++r) {
    auto const text = all.from(r);
    texts.emplace_back(text.begin(), text.end());
  }
  return texts;
}

std::vector<std::int64_t> Communicator::all_gather_sizes(std::int64_t mine) const
{
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(ranks()), mine);
  if (handle() != nullptr)
    MPI_Allgather(&mine, 1, type_of<std::int64_t>(), sizes.data(), 1, type_of<std::int64_t>(),
                  mpi_comm(*this));
  return sizes;
}

void Communicator::all_gather_bytes(std::span<std::byte const> mine,
                                    std::vector<std::int64_t> const& sizes,
                                    std::span<std::byte> all) const
{
  if (handle() == nullptr) {
    std::copy(mine.begin(), mine.end(), all.begin());
    return;
  }
  message_size(all.size());
  std::vector<int> const counts(sizes.begin(), sizes.end());
  std::vector<int> starts(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
  MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, all.data(),
                 counts.data(), starts.data(), MPI_BYTE, mpi_comm(*this));
}

// Hoefler, Siebert and Lumsdaine's exchange without a table of all ranks ("NBX", PPoPP 2010): a
// synchronous send ends when it is received, and a rank whose sends have ended joins a barrier;
// when that is passed, nothing is on its way to anyone.
std::vector<std::int64_t>
Communicator::all_to_all_sizes(std::vector<std::int64_t> const& for_rank) const
{
  STRATA_CHECK(for_rank.size() == static_cast<std::size_t>(ranks()), "one part for each rank");
  if (handle() == nullptr)
    return for_rank;
  std::vector<std::int64_t> sizes(for_rank.size(), 0);
  auto const me = static_cast<std::size_t>(rank());
  sizes[me] = for_rank[me];
  MPI_Comm const comm = mpi_comm(*this);
  int const tag = 1 + ++*exchanges_ % 2;
  std::vector<MPI_Request> sends;
  for (std::size_t r = 0; r < for_rank.size(); ++r)
    if (r != me && for_rank[r] != 0)
      MPI_Issend(&for_rank[r], 1, type_of<std::int64_t>(), static_cast<int>(r), tag, comm,
                 &sends.emplace_back());
  MPI_Request all_received = MPI_REQUEST_NULL;
  bool received = false;
  for (int over = 0; over == 0;) {
    int arrived = 0;
    MPI_Status message;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &arrived, &message);
    if (arrived != 0) {
      MPI_Recv(&sizes[static_cast<std::size_t>(message.MPI_SOURCE)], 1, type_of<std::int64_t>(),
               message.MPI_SOURCE, tag, comm, MPI_STATUS_IGNORE);
    } else if (received) {
      MPI_Test(&all_received, &over, MPI_STATUS_IGNORE);
    } else {
      int ended = 0;
      MPI_Testall(static_cast<int>(sends.size()), sends.data(), &ended, MPI_STATUSES_IGNORE);
      if (ended != 0) {
        MPI_Ibarrier(comm, &all_received);
        received = true;
      }
    }
  }
  return sizes;
}

void Communicator::all_to_all_bytes(std::vector<std::span<std::byte const>> const& for_rank,
                                    std::vector<std::int64_t> const& sizes,
                                    std::span<std::byte> received) const
{
  if (handle() == nullptr) {
    std::copy(for_rank[0].begin(), for_rank[0].end(), received.begin());
    return;
  }
  std::vector<MPI_Request> requests;
  for (int r = 0; r < ranks(); ++r) {
    auto const size = static_cast<std::size_t>(sizes[static_cast<std::size_t>(r)]);
    in_calls(size, [&](std::size_t at, int count) {
      MPI_Irecv(&received[at], count, MPI_BYTE, r, 0, mpi_comm(*this),
                &requests.emplace_back());
    });
    received = received.subspan(size);
  }
  for (int r = 0; r < ranks(); ++r) {
    auto const& part = for_rank[static_cast<std::size_t>(r)];
    in_calls(part.size(), [&](std::size_t at, int count) {
      MPI_Isend(part.data() + at, count, MPI_BYTE, r, 0, mpi_comm(*this),
                &requests.emplace_back());
    });
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

} // namespace strata::runtime
