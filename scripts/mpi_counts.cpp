#include <mpi.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <string>

// Counts what a rank asks of MPI, by the standard's profiling interface: preload this library,
// and each rank writes the file rank.N of the folder STRATA_MPI_COUNTS at MPI_Finalize, one
// `name value` a line. Counted are calls, bytes that the rank gives and bytes that it is given
// (of a collective: those of its buffers), ranks that it sends to or receives from, and its
// peak memory. STRATA_MPI_NODE=N lets N successive ranks see each other as one node.

namespace {

struct Count
{
  std::uint64_t calls = 0;
  std::uint64_t given = 0;
  std::uint64_t taken = 0;
};

std::mutex mutex; // ranks may have several threads
std::map<std::string, Count> counts;
std::set<int> partners;

std::uint64_t bytes_of(long long count, MPI_Datatype type)
{
  int size = 0;
  PMPI_Type_size(type, &size);
  return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size);
}

void count(char const* name, std::uint64_t given, std::uint64_t taken)
{
  std::scoped_lock const lock(mutex);
  auto& one = counts[name];
  ++one.calls;
  one.given += given;
  one.taken += taken;
}

/// A rank of a communicator, remembered by its number in the world.
void meet(int rank, MPI_Comm comm)
{
  if (rank < 0)
    return;
  MPI_Group part = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  int known = rank;
  PMPI_Comm_group(comm, &part);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_translate_ranks(part, 1, &rank, world, &known);
  PMPI_Group_free(&part);
  PMPI_Group_free(&world);
  std::scoped_lock const lock(mutex);
  partners.insert(known);
}

int size_of(MPI_Comm comm)
{
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return size;
}

int rank_in(MPI_Comm comm)
{
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

std::uint64_t all_of(int const* counts_of, MPI_Comm comm, MPI_Datatype type)
{
  long long all = 0;
  for (int rank = 0; rank < size_of(comm); ++rank)
    all += counts_of[rank];
  return bytes_of(all, type);
}

/// Of this process, in kB; 0 where the system does not tell.
std::uint64_t peak_memory()
{
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (std::uint64_t kilobytes = 0; word == "VmHWM:" && status >> kilobytes)
      return kilobytes;
  return 0;
}

void write()
{
  char const* const folder = std::getenv("STRATA_MPI_COUNTS");
  if (folder == nullptr)
    return;
  std::ofstream file(folder + ("/rank." + std::to_string(rank_in(MPI_COMM_WORLD))));
  for (auto const& [name, one] : counts)
    file << name << ".calls " << one.calls << '\n'
         << name << ".given " << one.given << '\n'
         << name << ".taken " << one.taken << '\n';
  file << "partners " << partners.size() << "\npeak_kB " << peak_memory() << '\n';
}

} // namespace

// NOLINTBEGIN(readability-identifier-naming): MPI's names
extern "C" {

int MPI_Barrier(MPI_Comm comm)
{
  count("Barrier", 0, 0);
  return PMPI_Barrier(comm);
}

int MPI_Bcast(void* buffer, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
  auto const bytes = bytes_of(n, type);
  bool const gives = rank_in(comm) == root;
  count("Bcast", gives ? bytes : 0, gives ? 0 : bytes);
  return PMPI_Bcast(buffer, n, type, root, comm);
}

int MPI_Allreduce(void const* from, void* into, int n, MPI_Datatype type, MPI_Op operation,
                  MPI_Comm comm)
{
  count("Allreduce", bytes_of(n, type), bytes_of(n, type));
  return PMPI_Allreduce(from, into, n, type, operation, comm);
}

int MPI_Iallreduce(void const* from, void* into, int n, MPI_Datatype type, MPI_Op operation,
                   MPI_Comm comm, MPI_Request* request)
{
  count("Iallreduce", bytes_of(n, type), bytes_of(n, type));
  return PMPI_Iallreduce(from, into, n, type, operation, comm, request);
}

int MPI_Gather(void const* from, int n, MPI_Datatype type, void* into, int each,
               MPI_Datatype type_into, int root, MPI_Comm comm)
{
  bool const roots = rank_in(comm) == root;
  count("Gather", bytes_of(n, type),
        roots ? bytes_of(each, type_into) * static_cast<std::uint64_t>(size_of(comm)) : 0);
  return PMPI_Gather(from, n, type, into, each, type_into, root, comm);
}

int MPI_Gatherv(void const* from, int n, MPI_Datatype type, void* into, int const* each,
                int const* starts, MPI_Datatype type_into, int root, MPI_Comm comm)
{
  bool const roots = rank_in(comm) == root;
  count("Gatherv", bytes_of(n, type), roots ? all_of(each, comm, type_into) : 0);
  return PMPI_Gatherv(from, n, type, into, each, starts, type_into, root, comm);
}

int MPI_Allgather(void const* from, int n, MPI_Datatype type, void* into, int each,
                  MPI_Datatype type_into, MPI_Comm comm)
{
  count("Allgather", bytes_of(n, type),
        bytes_of(each, type_into) * static_cast<std::uint64_t>(size_of(comm)));
  return PMPI_Allgather(from, n, type, into, each, type_into, comm);
}

int MPI_Exscan(void const* from, void* into, int n, MPI_Datatype type, MPI_Op operation,
               MPI_Comm comm)
{
  count("Exscan", bytes_of(n, type), bytes_of(n, type));
  return PMPI_Exscan(from, into, n, type, operation, comm);
}

int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* part)
{
  count("Comm_split", 0, 0);
  return PMPI_Comm_split(comm, colour, key, part);
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request)
{
  count("Ibarrier", 0, 0);
  return PMPI_Ibarrier(comm, request);
}

int MPI_Allgatherv(void const* from, int n, MPI_Datatype type, void* into, int const* each,
                   int const* starts, MPI_Datatype type_into, MPI_Comm comm)
{
  count("Allgatherv", from == MPI_IN_PLACE ? 0 : bytes_of(n, type),
        all_of(each, comm, type_into));
  return PMPI_Allgatherv(from, n, type, into, each, starts, type_into, comm);
}

int MPI_Alltoall(void const* from, int n, MPI_Datatype type, void* into, int each,
                 MPI_Datatype type_into, MPI_Comm comm)
{
  auto const ranks = static_cast<std::uint64_t>(size_of(comm));
  count("Alltoall", bytes_of(n, type) * ranks, bytes_of(each, type_into) * ranks);
  return PMPI_Alltoall(from, n, type, into, each, type_into, comm);
}

int MPI_Isend(void const* from, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request)
{
  count("Isend", bytes_of(n, type), 0);
  meet(to, comm);
  return PMPI_Isend(from, n, type, to, tag, comm, request);
}

int MPI_Issend(void const* from, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request)
{
  count("Issend", bytes_of(n, type), 0);
  meet(to, comm);
  return PMPI_Issend(from, n, type, to, tag, comm, request);
}

int MPI_Recv(void* into, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status)
{
  count("Recv", 0, bytes_of(n, type));
  meet(from, comm);
  return PMPI_Recv(into, n, type, from, tag, comm, status);
}

int MPI_Irecv(void* into, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request)
{
  count("Irecv", 0, bytes_of(n, type));
  meet(from, comm);
  return PMPI_Irecv(into, n, type, from, tag, comm, request);
}

int MPI_Sendrecv(void const* from, int n, MPI_Datatype type, int to, int tag, void* into,
                 int most, MPI_Datatype type_into, int other, int other_tag, MPI_Comm comm,
                 MPI_Status* status)
{
  count("Sendrecv", bytes_of(n, type), bytes_of(most, type_into));
  meet(to, comm);
  meet(other, comm);
  return PMPI_Sendrecv(from, n, type, to, tag, into, most, type_into, other, other_tag, comm,
                       status);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part)
{
  char const* const node = std::getenv("STRATA_MPI_NODE");
  int const ranks = node == nullptr ? 0 : std::atoi(node);
  if (type != MPI_COMM_TYPE_SHARED || ranks <= 0)
    return PMPI_Comm_split_type(comm, type, key, info, part);
  return PMPI_Comm_split(comm, rank_in(comm) / ranks, key, part);
}

int MPI_Finalize()
{
  write();
  return PMPI_Finalize();
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
