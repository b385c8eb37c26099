#include "input_file.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <vector>

namespace strata::contact {

namespace {

constexpr index_t piece = 1 << 20;       ///< read at once
constexpr std::size_t longest = 1 << 16; ///< line or word of a text

bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

std::string_view without_plus(std::string_view text)
{
  bool const plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  return text.substr(plus ? 1 : 0);
}

/// Of what is no regular file.
char const* kind_of(mode_t mode)
{
  return S_ISDIR(mode)    ? "directory"
         : S_ISFIFO(mode) ? "pipe"
         : S_ISSOCK(mode) ? "socket"
                          : "device";
}

} // namespace

InputFile::InputFile(std::string path)
    : path_(std::move(path))
{
  struct stat facts = {};
  bool const there = ::stat(path_.c_str(), &facts) == 0;
  // Before it is opened: that may wait for the other end of a pipe, or do something to a
  // device.
  if (there && !S_ISREG(facts.st_mode))
    refuse(std::string("is a ") + kind_of(facts.st_mode) +
           ", no regular file; set problem.file to one");
  if (there)
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0)
    refuse("cannot be read: " + std::generic_category().message(errno) +
           "; problem.file is relative to the folder that the run starts in");
  size_ = facts.st_size;
}

InputFile::~InputFile()
{
  ::close(descriptor_);
}

std::string InputFile::read_some(index_t offset, index_t bytes) const
{
  std::string text(static_cast<std::size_t>(std::clamp<index_t>(size_ - offset, 0, bytes)),
                   '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    auto const got = ::pread(descriptor_, text.data() + done, text.size() - done,
                             offset + static_cast<index_t>(done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      refuse("cannot be read: " + std::generic_category().message(errno));
    if (got == 0)
      refuse_byte(offset + static_cast<index_t>(done), "it ends here while it is being read");
    done += static_cast<std::size_t>(got);
  }
  return text;
}

std::string InputFile::read(index_t offset, index_t bytes) const
{
  if (bytes > size_ - offset)
    refuse("has " + std::to_string(size_) + " bytes where " + std::to_string(offset + bytes) +
           " are needed");
  return read_some(offset, bytes);
}

void InputFile::refuse(std::string const& why) const
{
  throw Error(Exit::deck, path_ + ": " + why);
}

void InputFile::refuse_line(index_t line, std::string const& why) const
{
  throw Error(Exit::deck, path_ + ":" + std::to_string(line) + ": " + why);
}

void InputFile::refuse_byte(index_t byte, std::string const& why) const
{
  refuse("byte " + std::to_string(byte) + ": " + why);
}

Scanner::Scanner(InputFile const& file, index_t position)
    : file_(&file)
    , start_(position)
{
}

/// More bytes behind those that are still to be read.
bool Scanner::fill()
{
  buffer_.erase(0, at_);
  start_ += static_cast<index_t>(at_);
  at_ = 0;
  if (buffer_.size() > longest)
    file_->refuse_byte(start_, "here starts a line of more than " + std::to_string(longest) +
                                   " characters; this is no text");
  auto const more = file_->read_some(start_ + static_cast<index_t>(buffer_.size()), piece);
  buffer_ += more;
  return !more.empty();
}

/// Where in the buffer the text from `at_` on ends: at such a character, or at the file's end.
std::size_t Scanner::end_of(bool (*ends)(char))
{
  std::size_t end = at_;
  while (true) {
    while (end < buffer_.size() && !ends(buffer_[end]))
      ++end;
    if (end < buffer_.size())
      return end;
    std::size_t const length = end - at_;
    if (!fill())
      return length;
    end = length;
  }
}

bool Scanner::line(std::string_view& text)
{
  auto const end = end_of([](char c) { return c == '\n'; });
  bool const found = end < buffer_.size() || end > at_;
  text = std::string_view(buffer_).substr(at_, end - at_);
  if (text.ends_with('\r'))
    text.remove_suffix(1);
  at_ = std::min(end + 1, buffer_.size());
  return found;
}

bool Scanner::word(std::string_view& text)
{
  at_ = end_of([](char c) { return !is_blank(c); });
  auto const end = end_of(is_blank);
  text = std::string_view(buffer_).substr(at_, end - at_);
  at_ = end;
  return !text.empty();
}

bool number_in(std::string_view text, double& value)
{
  auto const number = text::real(without_plus(text));
  value = number.value_or(value);
  return number.has_value();
}

bool number_in(std::string_view text, index_t& value)
{
  text = without_plus(text);
  char const* const begin = text.data();
  char const* const end = begin + text.size();
  auto const [stop, fault] = std::from_chars(begin, end, value);
  return fault == std::errc() && stop == end;
}

Stretch stretch_of(runtime::Communicator const& world, index_t count)
{
  std::vector<double> counts(static_cast<std::size_t>(world.ranks()), 0);
  counts[static_cast<std::size_t>(world.rank())] = static_cast<double>(count);
  counts = world.sum(counts);
  Stretch found;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (static_cast<int>(r) < world.rank())
      found.first += static_cast<index_t>(counts[r]);
    found.total += static_cast<index_t>(counts[r]);
  }
  return found;
}

} // namespace strata::contact
