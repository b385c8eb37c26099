#include "system_files.hpp"

#include "base/text.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>

namespace strata::runtime {

namespace {

/// The folder where the hierarchy is mounted whose line in /proc/self/cgroup names
/// `controllers` ("" is version 2); nothing when it does not govern `controller`.
std::optional<std::filesystem::path>
mount_point(std::string const& controllers, std::string const& controller, Root const& root)
{
  auto const mounts = root / "sys/fs/cgroup";
  if (controllers.empty())
    return std::filesystem::exists(mounts / "cgroup.controllers") ? std::optional(mounts)
                                                                  : std::nullopt;
  auto const governed = text::split(controllers, ',');
  if (std::find(governed.begin(), governed.end(), controller) == governed.end())
    return std::nullopt;
  return std::filesystem::exists(mounts / controllers) ? mounts / controllers
                                                       : mounts / controller;
}

} // namespace

std::string host_name()
{
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::optional<std::string> first_line(std::filesystem::path const& file)
{
  std::ifstream stream(file);
  std::string line;
  if (!std::getline(stream, line))
    return std::nullopt;
  return line;
}

std::optional<std::int64_t> whole_number(std::filesystem::path const& file)
{
  std::ifstream stream(file);
  std::int64_t number = 0;
  if (!(stream >> number))
    return std::nullopt;
  return number;
}

std::optional<std::int64_t> keyed_number(std::filesystem::path const& file,
                                         std::string const& key)
{
  std::ifstream stream(file);
  std::string rest;
  for (std::string word; stream >> word; std::getline(stream, rest)) {
    std::int64_t number = 0;
    if (word == key && stream >> number)
      return number;
  }
  return std::nullopt;
}

std::vector<std::filesystem::path> control_groups(std::string const& controller,
                                                  Root const& root)
{
  std::vector<std::filesystem::path> folders;
  std::ifstream memberships(root / "proc/self/cgroup");
  for (std::string line; std::getline(memberships, line);) {
    auto const first = line.find(':');
    auto const second = line.find(':', first + 1);
    if (second == std::string::npos)
      continue;
    auto const mount =
        mount_point(line.substr(first + 1, second - first - 1), controller, root);
    if (!mount)
      continue;
    auto inside = std::filesystem::path(line.substr(second + 1)).relative_path();
    for (; !inside.empty(); inside = inside.parent_path())
      folders.push_back(*mount / inside);
    folders.push_back(*mount);
  }
  return folders;
}

} // namespace strata::runtime
