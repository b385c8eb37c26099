#include "launcher.hpp"

#include "base/error.hpp"
#include "runtime/context.hpp"
#include "runtime/node/environment.hpp"

namespace strata::driver {

bool launched()
{
  auto const set = [](char const* variable) {
    return runtime::process_environment(variable).has_value();
  };
  return set("OMPI_COMM_WORLD_SIZE") || set("PMI_SIZE") || set("PMIX_RANK");
}

bool is_first_of_job()
{
  for (auto const* const variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if (runtime::process_environment(variable).value_or("0") != "0")
      return false;
  return true;
}

void require_one_job(runtime::Communicator const& world)
{
  for (auto const* const variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    auto const started = runtime::process_environment(variable);
    if (started && *started != "1" && world.ranks() == 1)
      throw Error(Exit::placement,
                  "the launcher started " + *started +
                      " ranks and each finds itself alone; use the mpirun of " +
                      runtime::build_facts().mpi + ", which this was built with");
  }
}

} // namespace strata::driver
