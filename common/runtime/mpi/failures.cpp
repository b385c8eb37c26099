#include "communicator.hpp"
#include "fields.hpp"
#include "mpi_comm.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <thread>

// How ranks come to know of each other's failures.

namespace strata::runtime {

namespace {

/// The state that a rank reports: `well`, or a lower number that identifies its failure.
constexpr std::int64_t well = std::numeric_limits<std::int64_t>::max();

std::int64_t code_of(Failure const& failure)
{
  auto const hash =
      std::hash<std::string>()(std::to_string(static_cast<int>(failure.exit)) + failure.text);
  return static_cast<std::int64_t>(hash >> 2U);
}

struct Met
{
  std::int64_t least;
  std::int64_t most;
};

/// The states of all ranks, once all have reported; nothing where this rank has failed and the
/// others do not report in time.
std::optional<Met> meet(Communicator const& aside, std::int64_t mine)
{
  if (aside.handle() == nullptr)
    return Met{mine, mine};
  std::array const given{mine, ~mine}; // ~ reverses the order: MPI_MIN gives both ends
  std::array<std::int64_t, 2> least{};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(given.data(), least.data(), 2, MPI_INT64_T, MPI_MIN, mpi_comm(aside),
                 &request);
  if (mine == well)
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  else {
    using Clock = std::chrono::steady_clock;
    auto const end = Clock::now() + std::chrono::seconds(Communicator::patience_s);
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    for (; done == 0 && Clock::now() < end; MPI_Test(&request, &done, MPI_STATUS_IGNORE))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (done == 0)
      return {};
  }
  return Met{least[0], ~least[1]};
}

} // namespace

Communicator Communicator::aside() const
{
  Communicator same = *this;
  same.handle_ = aside_;
  return same;
}

void Communicator::together(std::function<void()> const& step) const
{
  std::optional<Failure> mine;
  try {
    step();
  } catch (std::exception const& error) {
    mine.emplace(error);
  }
  auto const met = meet(aside(), mine ? code_of(*mine) : well);
  if (!met)
    abort(*mine);
  if (met->least == well)
    return;
  auto const failures = aside().gather(
      mine ? pack({std::to_string(static_cast<int>(mine->exit)), mine->text}) : std::string());
  auto const first = std::find_if(failures.begin(), failures.end(),
                                  [](auto const& failure) { return failure != ""; });
  auto const fields =
      unpack(aside().broadcast(first == failures.end() ? std::string() : *first));
  throw AgreedError(static_cast<Exit>(std::stoi(fields.at(0))), fields.at(1));
}

bool Communicator::all_end_with(Failure const& failure) const
{
  auto const code = code_of(failure);
  auto const met = meet(aside(), code);
  return met && met->least == code && met->most == code;
}

} // namespace strata::runtime
