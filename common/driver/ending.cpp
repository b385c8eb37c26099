#include "ending.hpp"

#include "runtime/mpi/end_job.hpp"
#include "runtime/node/system_files.hpp"

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

namespace strata::driver {

namespace {

/// Ends the job by what has happened to a process of this node.
[[noreturn]] void end_process(Failure const& failure, int process)
{
  // Written at once, since other threads and ranks write to the same stream.
  std::cerr << "process " + std::to_string(process) + " on " + runtime::host_name() + " " +
                   failure.text + "\n"
            << std::flush;
  runtime::end_job(failure.exit);
}

Failure uncaught()
{
  try {
    if (auto const exception = std::current_exception())
      std::rethrow_exception(exception);
  } catch (std::exception const& error) {
    return Failure(error);
  } catch (...) {
    return Failure(std::runtime_error("an exception of unknown type"));
  }
  return Failure(std::runtime_error("std::terminate"));
}

[[noreturn]] void end_uncaught()
{
  std::set_terminate(std::abort); // where even this fails
  auto failure = uncaught();
  failure.text.insert(0, "cannot go on: ");
  end_process(failure, ::getpid());
}

} // namespace

void require_printed()
{
  if (!std::cout.flush())
    throw Error(Exit::results, "standard output cannot be written to its end; make room where "
                               "it goes");
}

Exit say(std::exception const& error)
{
  Failure const failure(error);
  std::cerr << failure.text + "\n" << std::flush;
  return failure.exit;
}

void end_stopped(int process)
{
  end_process({Exit::interrupted, "has been stopped for half a minute and the others wait for "
                                  "it: the job ends; find who sends SIGSTOP, and launch it "
                                  "again"},
              process);
}

void end_with_reason()
{
  std::set_terminate(end_uncaught);
}

Exit end_with(std::exception const& error, runtime::Communicator const& world)
{
  Failure const failure(error);
  bool const agreed = dynamic_cast<runtime::AgreedError const*>(&error) != nullptr;
  if (!agreed && !world.all_end_with(failure))
    world.abort(failure);
  return world.rank() == 0 ? say(error) : failure.exit;
}

} // namespace strata::driver
