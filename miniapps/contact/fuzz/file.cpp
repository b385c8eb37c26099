#include "base/error.hpp"
#include "io/file_contents.hpp"

#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

namespace strata::contact {

namespace {

/// A file in memory where there is such a folder; its end says how it is read.
std::string const& path()
{
  static std::string const path = (::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp") +
                                  ("/strata-fuzz-" + std::to_string(::getpid())) +
                                  STRATA_FUZZ_EXTENSION;
  static int const removed = std::atexit([] { ::unlink(path.c_str()); });
  static_cast<void>(removed);
  return path;
}

/// The bytes as problem.file of spheres, boxes or simplices in two or three dimensions, which
/// the last of them says.
void read(char const* bytes, std::size_t size)
{
  std::ofstream(path(), std::ios::binary).write(bytes, static_cast<std::streamsize>(size));
  unsigned const how = size == 0 ? 0U : static_cast<unsigned char>(bytes[size - 1]);
  Config config;
  config.deck = "file";
  config.file = path();
  config.shape = std::array{"sphere", "box", "simplex"}[how % 3];
  config.dim = how % 2 == 0 ? 2 : 3;
  config.radius = 1;
  try {
    contents_of(config, runtime::Communicator::self());
  } catch (Error const&) {
    return;
  }
}

} // namespace

} // namespace strata::contact

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
  strata::contact::read(reinterpret_cast<char const*>(data), size);
  return 0;
}
