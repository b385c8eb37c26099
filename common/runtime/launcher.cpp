#include "launcher.hpp"

#include "context.hpp"

#include "base/error.hpp"
#include "node/environment.hpp"

namespace strata::runtime {

bool launched()
{
  auto const set = [](char const* variable) {
    return process_environment(variable).has_value();
  };
  return set("OMPI_COMM_WORLD_SIZE") || set("PMI_SIZE") || set("PMIX_RANK");
}

bool is_first_of_job()
{
  for (auto const* const variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if (process_environment(variable).value_or("0") != "0")
      return false;
  return true;
}

void require_one_job(Communicator const& world)
{
  for (auto const* const variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    auto const started = process_environment(variable);
    if (started && *started != "1" && world.ranks() == 1)
      throw Error(Exit::placement,
                  "the launcher started " + *started +
                      " ranks and each finds itself alone; use the mpirun of " +
                      build_facts().mpi + ", which this was built with");
  }
}

} // namespace strata::runtime
