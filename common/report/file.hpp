#pragma once

#include "record.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace strata::report {

/// Four random hexadecimal digits.
std::string random_hex();

/// The file of a run's record: under a unique name in a folder, or as the user named it.
class Destination
{
public:
  /// `<results>/<system>/<app>/<UTC>-<jobid or pid>-<4 hex>.json` (--output-dir, the default).
  static Destination in_results(std::filesystem::path const& results, std::string const& system,
                                std::string const& app);

  /// Exactly this file (--output).
  static Destination exactly(std::filesystem::path const& file);

  /// To be called before measuring: creates the folders, and writes and removes a file there.
  /// Throws Error(Exit::results) that names the folder and the remedy, also where the user's
  /// file exists already.
  void probe() const;

  /// Sets the record's id and writes it under a temporary name in the same folder, which is
  /// renamed once the text is on disk. Never replaces a file; where it fails, it leaves nothing
  /// behind and throws Error(Exit::results) as `probe` does. Returns the file's path. `chance`
  /// gives the last part of the name, and another one where such a file exists.
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
