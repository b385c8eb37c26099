#pragma once

#include "base/types.hpp"
#include "runtime/mpi/exchange.hpp"

#include <string>
#include <string_view>

namespace strata::contact {

/// A file that all ranks write parts of, under a temporary name in the same folder until it is
/// whole; without finish() nothing is left of it. Whatever the system refuses is an
/// Error(Exit::results), the same on all ranks, that names the file and the remedy. All members
/// but `write` are collective.
class SharedFile
{
public:
  /// `key` is the deck key that gives the file's name, for messages.
  SharedFile(std::string const& path, std::string key, runtime::Communicator const& world);
  SharedFile(SharedFile const&) = delete;
  SharedFile& operator=(SharedFile const&) = delete;
  ~SharedFile();

  /// Errors are this rank's own.
  void write(index_t offset, std::string_view bytes) const;
  /// Has what was written on disk; nothing can be written after.
  void sync();
  /// Does that and renames the file to its final name, replacing an existing file.
  void finish();

private:
  void discard();
  [[noreturn]] void refuse(int fault) const;

  std::string path_;
  std::string key_;
  runtime::Communicator world_;
  std::string temporary_;
  int descriptor_ = -1;
};

} // namespace strata::contact
