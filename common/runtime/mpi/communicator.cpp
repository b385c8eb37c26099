#include "communicator.hpp"

#include "fields.hpp"
#include "mpi_comm.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "runtime/node/system_files.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <numeric>
#include <sstream>
#include <type_traits>

namespace strata::runtime {

namespace {

bool mpi_is_up()
{
  int initialised = 0;
  int finalised = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  return initialised != 0 && finalised == 0;
}

int message_size(std::size_t size)
{
  STRATA_CHECK(size <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
               "a message between ranks is larger than MPI can count");
  return static_cast<int>(size);
}

/// Calls `post(first, count)` for stretches of `size` bytes that MPI can count.
template <class Post>
void in_calls(std::size_t size, Post const& post)
{
  constexpr std::size_t longest = std::size_t{1} << 30;
  for (std::size_t done = 0; done < size; done += longest)
    post(done, static_cast<int>(std::min(longest, size - done)));
}

template <class T>
MPI_Datatype type_of()
{
  if constexpr (std::is_same_v<T, double>)
    return MPI_DOUBLE;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return MPI_UINT64_T;
  else
    return MPI_INT64_T;
}

/// As MPI_MAX, but gives NaN where a value is NaN, which MPI_MAX may ignore.
void larger_or_nan(void* more, void* into, int* count, MPI_Datatype*)
{
  auto const* const a = static_cast<double const*>(more);
  auto* const b = static_cast<double*>(into);
  for (int i = 0; i < *count; ++i)
    if (std::isnan(a[i]) || a[i] > b[i])
      b[i] = a[i];
}

MPI_Op max_or_nan()
{
  static MPI_Op const operation = [] {
    MPI_Op created = MPI_OP_NULL;
    MPI_Op_create(larger_or_nan, 1, &created);
    return created;
  }();
  return operation;
}

template <class T>
T reduced(Communicator const& communicator, T value, MPI_Op operation)
{
  if (communicator.handle() != nullptr)
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, type_of<T>(), operation, mpi_comm(communicator));
  return value;
}

std::vector<double> reduced(Communicator const& communicator, std::vector<double> values,
                            MPI_Op operation)
{
  if (communicator.handle() != nullptr)
    MPI_Allreduce(MPI_IN_PLACE, values.data(), message_size(values.size()), MPI_DOUBLE,
                  operation, mpi_comm(communicator));
  return values;
}

template <class T>
T broadcast_value(Communicator const& communicator, T value)
{
  if (communicator.handle() != nullptr)
    MPI_Bcast(&value, 1, type_of<T>(), 0, mpi_comm(communicator));
  return value;
}

} // namespace

std::string mpi_library()
{
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> buffer{};
  int length = 0;
  MPI_Get_library_version(buffer.data(), &length);
  std::istringstream words(text::split(text::split(buffer.data(), '\n').at(0), ',').at(0));
  std::string name;
  for (std::string word; words >> word;)
    if (word != "Version:")
      name += (name.empty() ? "" : " ") + word;
  return name;
}

Communicator::Communicator(std::shared_ptr<void const> handle)
    : handle_(std::move(handle))
{
  MPI_Comm_rank(mpi_comm(*this), &rank_);
  MPI_Comm_size(mpi_comm(*this), &ranks_);
  MPI_Comm same = MPI_COMM_NULL;
  MPI_Comm_dup(mpi_comm(*this), &same);
  aside_ = std::make_shared<MPI_Comm const>(same);
}

Communicator Communicator::world()
{
  STRATA_CHECK(mpi_is_up(), "Communicator::world() before MPI is up");
  static Communicator const world(std::make_shared<MPI_Comm const>(MPI_COMM_WORLD));
  return world;
}

Communicator Communicator::self()
{
  return {};
}

Communicator Communicator::node()
{
  if (!mpi_is_up())
    return self();
  static Communicator const node = [] {
    MPI_Comm split = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &split);
    return Communicator(std::make_shared<MPI_Comm const>(split));
  }();
  return node;
}

void Communicator::barrier() const
{
  if (handle() != nullptr)
    MPI_Barrier(mpi_comm(*this));
}

double Communicator::max(double value) const
{
  return handle() == nullptr ? value : reduced(*this, value, max_or_nan());
}

OfRank Communicator::max_of_rank(double value) const
{
  OfRank mine{value, rank()}; // as MPI_DOUBLE_INT lies in memory
  if (handle() != nullptr)
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE_INT, MPI_MAXLOC, mpi_comm(*this));
  return mine;
}

double Communicator::min(double value) const
{
  return reduced(*this, value, MPI_MIN);
}

double Communicator::sum(double value) const
{
  return reduced(*this, value, MPI_SUM);
}

std::int64_t Communicator::max(std::int64_t value) const
{
  return reduced(*this, value, MPI_MAX);
}

std::int64_t Communicator::min(std::int64_t value) const
{
  return reduced(*this, value, MPI_MIN);
}

std::int64_t Communicator::sum(std::int64_t value) const
{
  return reduced(*this, value, MPI_SUM);
}

std::uint64_t Communicator::sum(std::uint64_t value) const
{
  return reduced(*this, value, MPI_SUM);
}

std::vector<double> Communicator::max(std::vector<double> const& values) const
{
  return handle() == nullptr ? values : reduced(*this, values, max_or_nan());
}

std::vector<double> Communicator::min(std::vector<double> const& values) const
{
  return reduced(*this, values, MPI_MIN);
}

std::vector<double> Communicator::sum(std::vector<double> const& values) const
{
  return reduced(*this, values, MPI_SUM);
}

bool Communicator::all(bool mine) const
{
  return min(std::int64_t{mine}) != 0;
}

bool Communicator::any(bool mine) const
{
  return max(std::int64_t{mine}) != 0;
}

std::string Communicator::broadcast(std::string const& from_rank_0) const
{
  if (handle() == nullptr)
    return from_rank_0;
  std::string text = rank() == 0 ? from_rank_0 : std::string();
  text.resize(static_cast<std::size_t>(broadcast(static_cast<std::int64_t>(text.size()))));
  MPI_Bcast(text.data(), message_size(text.size()), MPI_CHAR, 0, mpi_comm(*this));
  return text;
}

double Communicator::broadcast(double from_rank_0) const
{
  return broadcast_value(*this, from_rank_0);
}

std::int64_t Communicator::broadcast(std::int64_t from_rank_0) const
{
  return broadcast_value(*this, from_rank_0);
}

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
  return unpack(broadcast(pack(gather(mine))));
}

std::vector<std::int64_t>
Communicator::all_to_all_sizes(std::vector<std::int64_t> const& for_rank) const
{
  STRATA_CHECK(for_rank.size() == static_cast<std::size_t>(ranks()), "one part for each rank");
  auto sizes = for_rank;
  if (handle() != nullptr)
    MPI_Alltoall(for_rank.data(), 1, type_of<std::int64_t>(), sizes.data(), 1,
                 type_of<std::int64_t>(), mpi_comm(*this));
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

void Communicator::abort(Failure const& failure) const
{
  std::string line; // written at once: other ranks write to the same stream
  if (ranks() > 1)
    line = "rank " + std::to_string(rank()) + " on " + host_name() + ": ";
  std::cerr << line + failure.text + "\n" << std::flush;
  std::fflush(nullptr);
  auto const code = static_cast<int>(failure.exit);
  if (mpi_is_up())
    MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

} // namespace strata::runtime
