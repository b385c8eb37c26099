// Preloaded into an app (LD_PRELOAD), makes its surroundings fail: the file system below one
// folder, or memory. kill_campaign.py compiles it and says by environment variables what fails:
//
//   FAULTY_RANK=N     acts on this rank only; else on every one
//   FAULTY_FOLDER=F   counts the calls that create, write, flush or rename a file below F
//   FAULTY_CALL=N     the N-th of them fails, and all after it ...
//   FAULTY_ERRNO=E    ... with this errno; 0: a write writes half and the next ones go on
//   FAULTY_DELAY_MS=N each of them takes that much longer
//   FAULTY_NEW=N      the N-th `operator new` of the process throws bad_alloc
//   FAULTY_COUNTS=F   writes "CALLS NEWS" to the file F at the end

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

long asked(char const* name, long otherwise)
{
  char const* const text = std::getenv(name);
  return text != nullptr && *text != '\0' ? std::atol(text) : otherwise;
}

/// Of an app, not of its launcher, which loads this, too.
bool of_this_rank()
{
  if (std::strncmp(program_invocation_short_name, "strata-", 7) != 0)
    return false;
  long const rank = asked("FAULTY_RANK", -1);
  return rank < 0 || rank == asked("OMPI_COMM_WORLD_RANK", asked("PMI_RANK", 0));
}

std::atomic<long> calls{0};
std::atomic<long> news{0};
std::array<std::atomic<bool>, 1024> watched{}; // file descriptors of files below the folder

bool below_folder(char const* path)
{
  static char const* const folder = std::getenv("FAULTY_FOLDER");
  return folder != nullptr && path != nullptr &&
         std::strncmp(path, folder, std::strlen(folder)) == 0;
}

bool is_watched(int descriptor)
{
  return descriptor >= 0 && descriptor < static_cast<int>(watched.size()) &&
         watched[static_cast<std::size_t>(descriptor)];
}

enum class Fate
{
  as_usual,
  fails,
  half
};

/// Of a call on the folder; sets errno where it fails.
Fate next_call()
{
  static bool const here = of_this_rank();
  static long const failing = asked("FAULTY_CALL", 0);
  static long const error = asked("FAULTY_ERRNO", ENOSPC);
  static long const delay = asked("FAULTY_DELAY_MS", 0);
  long const call = ++calls;
  if (!here)
    return Fate::as_usual;
  if (delay > 0)
    ::usleep(static_cast<useconds_t>(delay * 1000));
  if (failing == 0 || call < failing)
    return Fate::as_usual;
  if (error == 0)
    return call == failing ? Fate::half : Fate::as_usual;
  errno = static_cast<int>(error);
  return Fate::fails;
}

/// The function that this library hides.
template <class Function>
Function* hidden(char const* name)
{
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

void* allocate(std::size_t size, std::size_t alignment)
{
  static bool const here = of_this_rank();
  static long const failing = here ? asked("FAULTY_NEW", 0) : 0;
  if (++news == failing)
    throw std::bad_alloc();
  void* memory = nullptr;
  if (alignment <= sizeof(void*) * 2)
    memory = std::malloc(size > 0 ? size : 1);
  else if (::posix_memalign(&memory, alignment, size) != 0)
    memory = nullptr;
  if (memory == nullptr)
    throw std::bad_alloc();
  return memory;
}

struct Report
{
  ~Report()
  {
    char const* const path = std::getenv("FAULTY_COUNTS");
    if (path == nullptr || !of_this_rank())
      return;
    long const seen_calls = calls;
    long const seen_news = news;
    if (std::FILE* const file = std::fopen(path, "w")) {
      std::fprintf(file, "%ld %ld\n", seen_calls, seen_news);
      std::fclose(file);
    }
  }
} const report;

} // namespace

extern "C" {

int open(char const* path, int flags, ...)
{
  static auto* const usual = hidden<int(char const*, int, ...)>("open");
  std::va_list more;
  va_start(more, flags);
  unsigned const mode = (flags & O_CREAT) != 0 ? va_arg(more, unsigned) : 0;
  va_end(more);
  bool const ours = below_folder(path) && (flags & O_CREAT) != 0;
  if (ours && next_call() == Fate::fails)
    return -1;
  int const descriptor = usual(path, flags, mode);
  if (ours && descriptor >= 0 && descriptor < static_cast<int>(watched.size()))
    watched[static_cast<std::size_t>(descriptor)] = true;
  return descriptor;
}

int close(int descriptor)
{
  static auto* const usual = hidden<int(int)>("close");
  if (is_watched(descriptor))
    watched[static_cast<std::size_t>(descriptor)] = false;
  return usual(descriptor);
}

ssize_t write(int descriptor, void const* data, std::size_t size)
{
  static auto* const usual = hidden<ssize_t(int, void const*, std::size_t)>("write");
  if (is_watched(descriptor)) {
    auto const fate = next_call();
    if (fate == Fate::fails)
      return -1;
    if (fate == Fate::half)
      size = (size + 1) / 2;
  }
  return usual(descriptor, data, size);
}

int fsync(int descriptor)
{
  static auto* const usual = hidden<int(int)>("fsync");
  return is_watched(descriptor) && next_call() == Fate::fails ? -1 : usual(descriptor);
}

int mkdir(char const* path, mode_t mode)
{
  static auto* const usual = hidden<int(char const*, mode_t)>("mkdir");
  return below_folder(path) && next_call() == Fate::fails ? -1 : usual(path, mode);
}

int rename(char const* from, char const* to)
{
  static auto* const usual = hidden<int(char const*, char const*)>("rename");
  return below_folder(from) && next_call() == Fate::fails ? -1 : usual(from, to);
}

int renameat2(int from_folder, char const* from, int to_folder, char const* to, unsigned flags)
{
  static auto* const usual =
      hidden<int(int, char const*, int, char const*, unsigned)>("renameat2");
  return below_folder(from) && next_call() == Fate::fails
             ? -1
             : usual(from_folder, from, to_folder, to, flags);
}

} // extern "C"

void* operator new(std::size_t size)
{
  return allocate(size, 0);
}

void* operator new(std::size_t size, std::align_val_t alignment)
{
  return allocate(size, static_cast<std::size_t>(alignment));
}

void operator delete(void* memory) noexcept
{
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept
{
  std::free(memory);
}

void operator delete(void* memory, std::align_val_t) noexcept
{
  std::free(memory);
}

void operator delete(void* memory, std::size_t, std::align_val_t) noexcept
{
  std::free(memory);
}
