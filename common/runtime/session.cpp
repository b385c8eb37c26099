#include "session.hpp"

#include "device_trial.hpp"
#include "memory.hpp"

#include "base/error.hpp"
#include "base/kokkos.hpp"
#include "base/text.hpp"
#include "mpi/fields.hpp"
#include "node/driver.hpp"

#include <mpi.h>

#include <stdexcept>
#include <utility>

namespace strata::runtime {

namespace {

constexpr Target target = !device_is_host  ? Target::gpu
                          : host_is_serial ? Target::serial
                                           : Target::threads;

/// Host threads as the user set them, by order of precedence.
std::optional<Wish> wished_threads(std::optional<Wish> const& flag)
{
  if (flag)
    return flag;
  if (auto const wish = wished_in(process_environment, "KOKKOS_NUM_THREADS"))
    return wish;
  return wished_in(process_environment, "OMP_NUM_THREADS");
}

Sight look_around(int rank, std::optional<Wish> const& threads_flag)
{
  auto const& cpus = process_cpus();
  return {.host = host_name(),
          .rank = rank,
          .cpus = cpus,
          .cores = core_count(cpus),
          .numa = numa_nodes(cpus),
          .proc_bind = process_environment("OMP_PROC_BIND").value_or(""),
          .quota = cpu_quota(),
          .threads = wished_threads(threads_flag),
          .gpus = visible_gpus()};
}

/// Throws where the launcher has started several ranks and MPI sees one: MPI and launcher do
/// not match, and each rank would act as the whole job. The innermost launcher's variable
/// decides.
void check_launcher(Communicator const& world)
{
  if (world.ranks() > 1)
    return;
  for (auto const* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    auto const tasks = wished_in(process_environment, name);
    if (tasks && tasks->value > 1)
      throw Error(Exit::placement,
                  "the launcher started " + std::to_string(tasks->value) + " ranks (" + name +
                      ") but " + mpi_library() +
                      " sees one: launcher and MPI library do not fit; use this library's "
                      "mpirun, or srun --mpi=pmix or --mpi=pmi2");
    if (tasks)
      return;
  }
}

Place place_of(Sight const& sight, int local_rank, int device_id)
{
  Place place{.host = sight.host,
              .rank = sight.rank,
              .local_rank = local_rank,
              .cpuset = format_cpus(sight.cpus),
              .numa = sight.numa.size() == 1 ? sight.numa.front() : -1,
              .threads = Host().concurrency(),
              .device_id = device_id,
              .device = cpu_model(),
              .pci_id = {},
              .uuid = {},
              .driver = {},
              .memory_bytes = host_memory(),
              .binding = sight.proc_bind.empty() ? "none" : "OMP_PROC_BIND=" + sight.proc_bind};
  if (device_id >= 0) {
    auto const& gpu = sight.gpus.at(static_cast<std::size_t>(device_id));
    place.device = gpu.name;
    place.pci_id = gpu.pci_id;
    place.uuid = gpu.uuid;
    place.driver = gpu_driver();
    place.memory_bytes = gpu.memory_bytes;
  }
  return place;
}

/// Throws for a flag that this version of Kokkos does not know.
void start_kokkos(std::vector<std::string> flags, int device_id, int threads)
{
  std::string program = "strata";
  std::vector<char*> arguments{program.data()};
  for (auto& flag : flags)
    arguments.push_back(flag.data());
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  try {
    kokkos_initialize(count, arguments.data(), device_id, threads);
  } catch (std::runtime_error const& error) {
    throw Error(Exit::placement, std::string("Kokkos cannot start: ") + error.what());
  }
  if (count > 1)
    throw Error(Exit::command_line, "Kokkos " + kokkos_version() + " does not know " +
                                        std::string(arguments[1]) +
                                        "; --kokkos-help lists what it knows");
}

/// On rank 0 the warnings of the first few nodes, and the number of the other nodes that have
/// any.
std::vector<std::string> gather_warnings(Communicator const& world, bool node_leader,
                                         std::vector<std::string> const& mine)
{
  constexpr std::size_t nodes_shown = 4;
  std::vector<std::string> shown;
  std::size_t left_out = 0;
  std::size_t nodes = 0;
  for (auto const& packed : world.gather(node_leader ? pack(mine) : std::string())) {
    auto const warnings = unpack(packed);
    if (warnings.empty())
      continue;
    if (++nodes > nodes_shown)
      ++left_out;
    else
      shown.insert(shown.end(), warnings.begin(), warnings.end());
  }
  if (left_out > 0)
    shown.push_back("the like holds on " + text::plural(left_out, "more node"));
  return shown;
}

/// The Sights of the ranks of this rank's node, in node-local order.
std::vector<Sight> exchange_sights(Communicator const& node, Sight const& mine)
{
  std::vector<Sight> sights;
  for (auto const& packed : node.all_gather(pack_sight(mine)))
    sights.push_back(unpack_sight(packed));
  return sights;
}

Communicator start_mpi(int& argc, char**& argv)
{
  process_cpus(); // before MPI can start threads
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  return Communicator::world();
}

} // namespace

Session::Session(int& argc, char**& argv)
    : world_(start_mpi(argc, argv))
{
}

void Session::end()
{
  if (std::exchange(ended_, true))
    return;
  if (Kokkos::is_initialized())
    Kokkos::finalize();
  world_.barrier();
  MPI_Finalize();
}

void Session::start(Parallel const& parallel, std::vector<std::string> kokkos_flags)
{
  auto const node = Communicator::node();
  std::optional<Wish> device_flag;
  Sight sight;
  world_.together([&] {
    check_launcher(world_);
    device_flag = take_flag(kokkos_flags, {"--kokkos-device-id", "--kokkos-device"});
    auto const threads = take_flag(kokkos_flags, {"--kokkos-num-threads", "--kokkos-threads"});
    sight = look_around(world_.rank(), threads);
  });

  auto const sights = exchange_sights(node, sight);
  NodeMap map;
  world_.together(
      [&] { map = map_node(sights, parallel, device_flag, target, process_environment); });
  exclusive_ = world_.all(map.exclusive);
  warnings_ = gather_warnings(world_, node.rank() == 0, map.warnings);

  auto const local_rank = static_cast<std::size_t>(node.rank());
  auto const device = map.devices[local_rank];
  world_.together([&] {
    start_kokkos(kokkos_flags, device, map.threads[local_rank]);
    try_device();
  });
  for (auto const& packed : world_.gather(pack_place(place_of(sight, node.rank(), device))))
    placement_.push_back(unpack_place(packed));
  gpu_aware_ = decide_gpu_aware(parallel.gpu_aware_mpi, world_);
  available_memory(); // its first call is collective
}

} // namespace strata::runtime
