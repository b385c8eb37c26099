#pragma once

#include "record.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace strata::report {

/// Four hexadecimal digits by chance.
std::string random_hex();

/// Where a run's record goes: to a name of its own in a folder, or to a file that the user
/// named.
class Destination
{
public:
  /// `<results>/<system>/<app>/<UTC>-<jobid or pid>-<4 hex>.json` (--output-dir, the default).
  static Destination in_results(std::filesystem::path const& results, std::string const& system,
                                std::string const& app);

  /// Exactly this file (--output).
  static Destination exactly(std::filesystem::path const& file);

  /// Asked before measuring: makes the folders and writes and removes a file there. Throws
  /// Error(Exit::results) that names the folder and the remedy, also when the user's file is
  /// there already.
  void probe() const;

  /// Gives the record its id and writes it: to a temporary name in the same folder, then, once
  /// it is on disk, renamed. Never replaces a file and leaves nothing behind when it fails,
  /// with Error(Exit::results) as `probe` does. Returns the file's path.
  /// `chance` gives the name's last part, anew where there is a file of that name.
  std::filesystem::path write(Record& record,
                              std::function<std::string()> const& chance = random_hex) const;

private:
  Destination(std::filesystem::path folder, std::optional<std::filesystem::path> file);

  template <class Action>
  auto explained(Action action) const;
  void refuse_if_there() const;

  std::filesystem::path folder_;
  std::optional<std::filesystem::path> file_;
};

} // namespace strata::report
