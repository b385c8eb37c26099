#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace strata::testing {

/// A folder that stands for / while a test runs, filled file by file.
class TemporaryRoot
{
public:
  TemporaryRoot()
  {
    auto name = (std::filesystem::temp_directory_path() / "strata-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryRoot() { std::filesystem::remove_all(path_); }
  TemporaryRoot(TemporaryRoot const&) = delete;
  TemporaryRoot& operator=(TemporaryRoot const&) = delete;

  void write(std::string const& file, std::string const& content) const
  {
    std::filesystem::create_directories((path_ / file).parent_path());
    std::ofstream(path_ / file) << content;
  }

  [[nodiscard]] std::filesystem::path const& path() const { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace strata::testing
