#include "communicator.hpp"

#include "fields.hpp"
#include "mpi_comm.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
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
  else
    return MPI_INT64_T;
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
}

Communicator Communicator::world()
{
  STRATA_CHECK(mpi_is_up(), "Communicator::world() before MPI is up");
  return Communicator(std::make_shared<MPI_Comm const>(MPI_COMM_WORLD));
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
  return reduced(*this, value, MPI_MAX);
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

std::vector<double> Communicator::max(std::vector<double> const& values) const
{
  return reduced(*this, values, MPI_MAX);
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

std::vector<std::string>
Communicator::all_to_all(std::vector<std::string> const& for_rank) const
{
  STRATA_CHECK(for_rank.size() == static_cast<std::size_t>(ranks()), "one part for each rank");
  if (handle() == nullptr)
    return for_rank;
  std::vector<std::int64_t> sending;
  for (auto const& part : for_rank)
    sending.push_back(static_cast<std::int64_t>(part.size()));
  std::vector<std::int64_t> receiving(sending.size());
  MPI_Alltoall(sending.data(), 1, type_of<std::int64_t>(), receiving.data(), 1,
               type_of<std::int64_t>(), mpi_comm(*this));

  std::vector<std::string> received;
  std::vector<MPI_Request> requests;
  for (auto const size : receiving)
    received.emplace_back(static_cast<std::size_t>(size), '\0');
  for (int r = 0; r < ranks(); ++r)
    in_calls(received[static_cast<std::size_t>(r)].size(), [&](std::size_t at, int count) {
      MPI_Irecv(received[static_cast<std::size_t>(r)].data() + at, count, MPI_BYTE, r, 0,
                mpi_comm(*this), &requests.emplace_back());
    });
  for (int r = 0; r < ranks(); ++r)
    in_calls(for_rank[static_cast<std::size_t>(r)].size(), [&](std::size_t at, int count) {
      MPI_Isend(for_rank[static_cast<std::size_t>(r)].data() + at, count, MPI_BYTE, r, 0,
                mpi_comm(*this), &requests.emplace_back());
    });
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  return received;
}

void Communicator::together(std::function<void()> const& step) const
{
  std::vector<std::string> mine;
  try {
    step();
  } catch (Error const& error) {
    mine = {std::to_string(static_cast<int>(error.exit())), error.what()};
  }
  if (!any(!mine.empty()))
    return;
  auto const reports = gather(pack(mine));
  auto const first = std::find_if(reports.begin(), reports.end(),
                                  [](auto const& report) { return report != ""; });
  auto const fields = unpack(broadcast(first == reports.end() ? std::string() : *first));
  throw AgreedError(static_cast<Exit>(std::stoi(fields.at(0))), fields.at(1));
}

void Communicator::abort(Exit exit) const
{
  std::fflush(nullptr);
  if (mpi_is_up())
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(exit));
  std::_Exit(static_cast<int>(exit));
}

} // namespace strata::runtime
