#pragma once

#include "base/types.hpp"
#include "runtime/mpi/exchange.hpp"

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace strata::contact {

/// A regular file, of which every rank reads its part. All errors are Error(Exit::deck) and
/// name the file. An error is thrown on the rank that meets it; Communicator::together passes
/// it to the others.
class InputFile
{
public:
  explicit InputFile(std::string path);
  InputFile(InputFile const&) = delete;
  InputFile& operator=(InputFile const&) = delete;
  ~InputFile();

  [[nodiscard]] std::string const& path() const { return path_; }
  [[nodiscard]] index_t size() const { return size_; }
  /// Exactly those bytes.
  [[nodiscard]] std::string read(index_t offset, index_t bytes) const;
  /// Those that there are, at most so many.
  [[nodiscard]] std::string read_some(index_t offset, index_t bytes) const;

  [[noreturn]] void refuse(std::string const& why) const;
  [[noreturn]] void refuse_line(index_t line, std::string const& why) const;
  [[noreturn]] void refuse_byte(index_t byte, std::string const& why) const;

private:
  std::string path_;
  int descriptor_ = -1;
  index_t size_ = 0;
};

/// Text of a file from some byte on, by lines or by words between white space.
class Scanner
{
public:
  Scanner(InputFile const& file, index_t position);

  /// Of the next byte.
  [[nodiscard]] index_t position() const { return start_ + static_cast<index_t>(at_); }
  /// The next line without its end; false where there is none. Valid until the next call.
  bool line(std::string_view& text);
  /// The next word, likewise.
  bool word(std::string_view& text);

private:
  bool fill();
  std::size_t end_of(bool (*ends)(char));

  InputFile const* file_;
  std::string buffer_;
  std::size_t at_ = 0; ///< in the buffer
  index_t start_;      ///< of the buffer in the file
};

/// The whole of a text as a number; false where it is none, or none that T holds.
bool number_in(std::string_view text, double& value);
bool number_in(std::string_view text, index_t& value);

/// How the ranks' counts lie one after the other.
struct Stretch
{
  index_t first = 0; ///< this rank's
  index_t total = 0;
};
/// Collective.
Stretch stretch_of(runtime::Communicator const& world, index_t count);

/// Runs `find` on rank 0 and returns its result, or throws its error, on all ranks. Collective.
template <class T, class F>
T found_by_rank_0(runtime::Communicator const& world, F const& find)
{
  static_assert(std::is_trivially_copyable_v<T>);
  T found{};
  world.together([&] {
    if (world.rank() == 0)
      found = find();
  });
  auto const bytes =
      world.broadcast(std::string(reinterpret_cast<char const*>(&found), sizeof(T)));
  std::memcpy(&found, bytes.data(), sizeof(T));
  return found;
}

} // namespace strata::contact
