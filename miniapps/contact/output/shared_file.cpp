#include "shared_file.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace strata::contact {

namespace {

/// Where links lead, whether or not anything is there: they stay. Of links in a circle, and of
/// what cannot be looked at, one on the way, which cannot be written.
std::string target_of(std::filesystem::path target)
{
  constexpr int most_links = 40; // as many as Linux follows
  std::error_code fault;
  for (int i = 0; i < most_links && std::filesystem::is_symlink(target, fault); ++i) {
    auto const next = std::filesystem::read_symlink(target, fault);
    if (fault)
      break;
    target = target.parent_path() / next;
  }
  return target;
}

} // namespace

SharedFile::SharedFile(std::string const& path, std::string key,
                       runtime::Communicator const& world)
    : path_(target_of(path))
    , key_(std::move(key))
    , world_(world)
    , temporary_(world.broadcast(path_ + "." + std::to_string(::getpid()) + ".tmp"))
{
  auto const open = [this](int flags) {
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
    if (descriptor_ < 0)
      refuse(errno);
  };
  world_.together([&] {
    if (world_.rank() != 0)
      return;
    std::error_code fault;
    auto const there = std::filesystem::status(path_, fault);
    if (!std::filesystem::status_known(there))
      refuse(fault.value());
    if (std::filesystem::is_directory(there))
      refuse(EISDIR);
    if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
      throw Error(Exit::results, "cannot write '" + path_ +
                                     "': it is there and no file; choose "
                                     "another place with " +
                                     key_);
    open(O_CREAT | O_TRUNC);
  });
  try {
    world_.together([&] {
      if (world_.rank() != 0)
        open(0);
    });
  } catch (Error const&) {
    discard();
    throw;
  }
}

SharedFile::~SharedFile()
{
  discard();
}

void SharedFile::discard()
{
  if (descriptor_ >= 0)
    ::close(std::exchange(descriptor_, -1));
  if (world_.rank() == 0 && !temporary_.empty())
    ::unlink(temporary_.c_str());
}

void SharedFile::write(index_t offset, std::string_view bytes) const
{
  while (!bytes.empty()) {
    auto const written = ::pwrite(descriptor_, bytes.data(), bytes.size(), offset);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      refuse(errno);
    offset += written;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void SharedFile::sync()
{
  world_.together([this] {
    if (descriptor_ < 0)
      return;
    int const written = ::fsync(descriptor_) != 0 && errno != EINVAL ? errno : 0;
    int const closed = ::close(std::exchange(descriptor_, -1)) != 0 ? errno : 0;
    if (written != 0 || closed != 0)
      refuse(written != 0 ? written : closed);
  });
}

void SharedFile::finish()
{
  sync();
  world_.together([this] {
    if (world_.rank() == 0 && std::rename(temporary_.c_str(), path_.c_str()) != 0)
      refuse(errno);
  });
  temporary_.clear();
}

void SharedFile::refuse(int fault) const
{
  throw Error(Exit::results,
              "cannot write '" + path_ + "': " + std::generic_category().message(fault) +
                  "; make room and access there for all ranks, or choose another "
                  "place with " +
                  key_);
}

} // namespace strata::contact
