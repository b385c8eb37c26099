#include "communicator.hpp"

#include "end_job.hpp"
#include "mpi_comm.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "runtime/node/system_files.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <sstream>

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

template <class T>
std::vector<T> reduced(Communicator const& communicator, std::vector<T> values,
                       MPI_Op operation)
{
  if (communicator.handle() != nullptr)
    MPI_Allreduce(MPI_IN_PLACE, values.data(), message_size(values.size()), type_of<T>(),
                  operation, mpi_comm(communicator));
  return values;
}

template <class T>
T broadcast_value(Communicator const& communicator, T value, int from)
{
  if (communicator.handle() != nullptr)
    MPI_Bcast(&value, 1, type_of<T>(), from, mpi_comm(communicator));
  return value;
}

/// Given back with its last copy, but for those that outlive MPI.
std::shared_ptr<MPI_Comm const> freed(MPI_Comm comm)
{
  return {new MPI_Comm(comm), [](MPI_Comm* owned) {
            if (mpi_is_up())
              MPI_Comm_free(owned);
            delete owned;
          }};
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
  aside_ = freed(same);
  exchanges_ = std::make_shared<int>(0);
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

Communicator Communicator::split(int colour) const
{
  if (handle() == nullptr)
    return self();
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(mpi_comm(*this), colour, rank(), &part);
  return Communicator(freed(part));
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

std::int64_t Communicator::sum_before(std::int64_t value) const
{
  std::int64_t before = 0;
  if (handle() != nullptr)
    MPI_Exscan(&value, &before, 1, type_of<std::int64_t>(), MPI_SUM, mpi_comm(*this));
  return rank() == 0 ? 0 : before; // MPI leaves that of rank 0 undefined
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

std::vector<std::uint64_t> Communicator::sum(std::vector<std::uint64_t> const& values) const
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

std::string Communicator::broadcast(std::string const& mine, int from) const
{
  if (handle() == nullptr)
    return mine;
  std::string text = rank() == from ? mine : std::string();
  auto const size = broadcast_value(*this, static_cast<std::int64_t>(text.size()), from);
  text.resize(static_cast<std::size_t>(size));
  MPI_Bcast(text.data(), message_size(text.size()), MPI_CHAR, from, mpi_comm(*this));
  return text;
}

std::string Communicator::first_text(std::string const& mine) const
{
  auto const first = min(std::int64_t{mine.empty() ? ranks() : rank()});
  return first == ranks() ? std::string() : broadcast(mine, static_cast<int>(first));
}

double Communicator::broadcast(double from_rank_0) const
{
  return broadcast_value(*this, from_rank_0, 0);
}

std::int64_t Communicator::broadcast(std::int64_t from_rank_0) const
{
  return broadcast_value(*this, from_rank_0, 0);
}

void Communicator::abort(Failure const& failure) const
{
  std::string line; // written at once: other ranks write to the same stream
  if (ranks() > 1)
    line = "rank " + std::to_string(rank()) + " on " + host_name() + ": ";
  std::cerr << line + failure.text + "\n" << std::flush;
  std::fflush(nullptr);
  end_job(failure.exit);
}

} // namespace strata::runtime
