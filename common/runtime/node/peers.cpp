#include "peers.hpp"

#include "system_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <ranges>
#include <string>
#include <system_error>
#include <vector>

namespace strata::runtime {

namespace fs = std::filesystem;

namespace {

fs::path folder_of(int process)
{
  return "/proc/" + std::to_string(process);
}

/// Started by any of its threads; nothing of a process that ends meanwhile or is closed to us.
std::vector<int> children_of(int process)
{
  std::vector<int> children;
  std::error_code closed;
  for (auto const& task : fs::directory_iterator(folder_of(process) / "task", closed)) {
    std::ifstream listed(task.path() / "children");
    for (int child = 0; listed >> child;)
      children.push_back(child);
  }
  std::ranges::sort(children);
  return children;
}

} // namespace

std::optional<int> next_peer()
{
  auto siblings = children_of(::getppid());
  auto const self = std::ranges::find(siblings, ::getpid());
  if (self == siblings.end())
    return {};
  std::ranges::rotate(siblings, self); // this process first, the next one second
  std::error_code closed;
  auto const executable = fs::read_symlink("/proc/self/exe", closed);
  for (auto const sibling : std::views::drop(siblings, 1))
    if (!closed && fs::read_symlink(folder_of(sibling) / "exe", closed) == executable)
      return sibling;
  return {};
}

bool is_stopped(int process)
{
  auto const facts = first_line(folder_of(process) / "stat").value_or("");
  auto const name_end = facts.rfind(") ");
  return name_end != std::string::npos && facts.substr(name_end + 2, 1) == "T";
}

PeerWatch::PeerWatch(std::function<void(int process)> end,
                     std::chrono::milliseconds between_looks)
{
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); // signals are the other threads'
  try {
    thread_ =
        std::thread([this, end = std::move(end), between_looks] { watch(end, between_looks); });
  } catch (std::system_error const&) {
    thread_ = std::thread(); // a limit on threads: nobody watches
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

PeerWatch::~PeerWatch()
{
  {
    std::scoped_lock const lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable())
    thread_.join();
}

void PeerWatch::watch(std::function<void(int process)> const& end,
                      std::chrono::milliseconds between_looks)
{
  std::optional<int> suspect;
  int seen = 0;
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, between_looks, [&] { return over_; })) {
    auto const peer = next_peer();
    seen = peer && peer == suspect && is_stopped(*peer) ? seen + 1 : 0;
    suspect = peer;
    if (seen == looks) {
      end(*peer);
      return;
    }
  }
}

} // namespace strata::runtime
