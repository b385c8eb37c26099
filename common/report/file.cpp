#include "file.hpp"

#include "json.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <random>
#include <string_view>
#include <system_error>

namespace strata::report {

namespace fs = std::filesystem;

namespace {

/// A system call that failed, with its errno; given place and remedy before a user sees it.
[[noreturn]] void fail()
{
  throw std::system_error(errno, std::generic_category());
}

/// A broken link is there, too.
bool is_there(fs::path const& path)
{
  return fs::exists(fs::symlink_status(path));
}

/// `text` as part of a file name: other characters than these become '-'.
std::string file_name_part(std::string text)
{
  std::replace_if(
      text.begin(), text.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '_' && c != '-' && c != '.'; },
      '-');
  if (text.empty() || text.front() == '.')
    text.insert(0, "_");
  return text;
}

/// "20260131T123456Z-4711-1a2b", from the start, the job (or process) and chance.
std::string new_id(Run const& run, std::string const& chance)
{
  std::string id;
  for (char const c : run.start_utc)
    if (c != '-' && c != ':')
      id += c;
  id += "-" + (run.job.id.empty() ? std::to_string(::getpid()) : file_name_part(run.job.id));
  if (!run.job.array_index.empty())
    id += "_" + file_name_part(run.job.array_index);
  return id + "-" + chance;
}

/// A file under a temporary name that is removed again unless it gets its final one.
class TemporaryFile
{
public:
  explicit TemporaryFile(fs::path const& folder)
      : path_(folder / (".strata-" + std::to_string(::getpid()) + "-" + random_hex() + ".tmp"))
  {
    // A user's limit then refuses as a full disk does. Said again for each file: a library's
    // handlers (LLVM's, of an OpenCL device) put back at a signal what they had found.
    std::signal(SIGXFSZ, SIG_IGN);
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
      fail();
  }

  TemporaryFile(TemporaryFile const&) = delete;
  TemporaryFile& operator=(TemporaryFile const&) = delete;

  ~TemporaryFile()
  {
    ::close(descriptor_);
    ::unlink(path_.c_str());
  }

  /// Returns when `text` is on disk.
  void write(std::string_view text) const
  {
    while (!text.empty()) {
      auto const written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno != EINTR)
        fail();
      text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
    if (::fsync(descriptor_) != 0 && errno != EINVAL) // EINVAL: a file system without it
      fail();
  }

  /// False when there is a file of that name already.
  [[nodiscard]] bool rename_to(fs::path const& final_path) const
  {
    if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, final_path.c_str(), RENAME_NOREPLACE) ==
        0)
      return true;
    if (errno == EEXIST)
      return false;
    if (errno != EINVAL && errno != ENOSYS)
      fail();
    // A file system (NFS) that cannot refuse to replace: look first.
    if (is_there(final_path))
      return false;
    fs::rename(path_, final_path);
    return true;
  }

private:
  fs::path path_;
  int descriptor_;
};

} // namespace

std::string random_hex()
{
  std::random_device device;
  std::string hex;
  for (int digit = 0; digit < 4; ++digit)
    hex += "0123456789abcdef"[device() % 16];
  return hex;
}

Destination::Destination(fs::path folder, std::optional<fs::path> file)
    : folder_(folder.empty() ? "." : std::move(folder))
    , file_(std::move(file))
{
}

Destination Destination::in_results(fs::path const& results, std::string const& system,
                                    std::string const& app)
{
  return {results / file_name_part(system) / file_name_part(app), std::nullopt};
}

Destination Destination::exactly(fs::path const& file)
{
  return {file.parent_path(), file};
}

/// Runs `action` and turns what the system refuses into the user's message.
template <class Action>
auto Destination::explained(Action action) const
{
  try {
    return action();
  } catch (std::system_error const& refused) {
    throw Error(Exit::results, "cannot write results in '" + folder_.string() +
                                   "': " + refused.code().message() +
                                   "; make room and access there, or choose another " +
                                   (file_ ? "file with --output" : "folder with --output-dir"));
  }
}

void Destination::refuse_if_there() const
{
  if (file_ && is_there(*file_))
    throw Error(Exit::results, "'" + file_->string() +
                                   "' is there already and records are never overwritten; "
                                   "choose another file with --output");
}

void Destination::probe() const
{
  explained([&] {
    fs::create_directories(folder_);
    refuse_if_there();
    TemporaryFile(folder_).write(std::string(4096, ' '));
  });
}

fs::path Destination::write(Record& record, std::function<std::string()> const& chance) const
{
  return explained([&] {
    fs::create_directories(folder_);
    while (true) {
      record.run.id = new_id(record.run, chance());
      auto const path = file_ ? *file_ : folder_ / (record.run.id + ".json");
      TemporaryFile const temporary(folder_);
      temporary.write(to_json(record));
      if (temporary.rename_to(path))
        return path;
      refuse_if_there(); // a record of the same name is no fault: another will do
    }
  });
}

} // namespace strata::report
