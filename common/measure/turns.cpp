#include "turns.hpp"

#include "base/error.hpp"
#include "runtime/node/interrupt.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace strata::measure {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_looks{50}; ///< at interrupts

constexpr char sampled = 's'; ///< the other words are a round's wishes, from `wishes` on
constexpr char wishes = '0';

[[noreturn]] void refuse(std::string const& path, std::string const& what)
{
  throw Error(Exit::placement, "--in-turn " + path + ": " + what);
}

std::string reason()
{
  return std::generic_category().message(errno);
}

sockaddr_un address_of(std::string const& path)
{
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

int opened(std::string const& path)
{
  int const descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0)
    refuse(path, reason());
  return descriptor;
}

/// Sleeps until there is something to read, or for between_looks.
bool has_news(int descriptor)
{
  pollfd wanted{descriptor, POLLIN, 0};
  return ::poll(&wanted, 1, static_cast<int>(between_looks.count())) == 1;
}

/// The first side makes the socket. Negative where it is interrupted.
int accepted(std::string const& path)
{
  auto const address = address_of(path);
  int const door = opened(path);
  if (::bind(door, reinterpret_cast<sockaddr const*>(&address), sizeof address) != 0 ||
      ::listen(door, 1) != 0) {
    auto const why = reason();
    ::close(door);
    refuse(path, why);
  }
  int found = -1;
  while (found < 0 && !runtime::interrupted())
    if (has_news(door))
      found = ::accept4(door, nullptr, nullptr, SOCK_CLOEXEC);
  ::close(door);
  return found;
}

/// The second side comes to it, be it there yet or not. Negative where it is interrupted.
int connected(std::string const& path)
{
  auto const address = address_of(path);
  while (!runtime::interrupted()) {
    int const descriptor = opened(path);
    if (::connect(descriptor, reinterpret_cast<sockaddr const*>(&address), sizeof address) == 0)
      return descriptor;
    int const error = errno;
    ::close(descriptor);
    if (error != ENOENT && error != ECONNREFUSED && error != EINTR)
      refuse(path, std::generic_category().message(error));
    std::this_thread::sleep_for(between_looks);
  }
  return -1;
}

} // namespace

Meeting Meeting::parse(std::string const& text)
{
  auto const colon = text.find(':');
  auto const side = text.substr(0, colon);
  if (colon == std::string::npos || (side != "first" && side != "second"))
    throw std::invalid_argument("wants first:PATH or second:PATH");
  Meeting const found{side == "first", text.substr(colon + 1)};
  constexpr auto longest = sizeof(sockaddr_un::sun_path) - 1;
  if (found.path.empty() || found.path.size() > longest)
    throw std::invalid_argument("wants a path of 1 to " + std::to_string(longest) + " bytes");
  return found;
}

/// The connection to the other side; nothing comes and goes once one of them has ended.
class Turns::Wire
{
public:
  explicit Wire(Meeting const& meeting)
      : descriptor_(meeting.first ? accepted(meeting.path) : connected(meeting.path))
      , alone_(descriptor_ < 0)
  {
  }
  ~Wire()
  {
    if (descriptor_ >= 0)
      ::close(descriptor_);
  }
  Wire(Wire const&) = delete;
  Wire& operator=(Wire const&) = delete;

  void tell(char word)
  {
    if (!alone_ && ::send(descriptor_, &word, 1, MSG_NOSIGNAL) != 1)
      alone_ = true;
  }

  /// The other side's next word; 0 where there is no other side.
  char hear()
  {
    char word = 0;
    while (!alone_)
      if (runtime::interrupted())
        alone_ = true;
      else if (has_news(descriptor_)) {
        auto const got = ::recv(descriptor_, &word, 1, 0);
        if (got == 1)
          return word;
        alone_ = got == 0 || errno != EINTR;
      }
    return 0;
  }

private:
  int descriptor_;
  bool alone_;
};

Turns::Turns(Meeting const& meeting)
    : wire_(std::make_unique<Wire>(meeting))
    , begins_round_(meeting.first)
    , begins_(meeting.first)
{
}

Turns::~Turns() = default;

void Turns::begin()
{
  if (begins_ || answer_ != 0) // nobody measures before this side, or in this round any more
    return;
  auto const start = Clock::now();
  if (char const word = wire_->hear(); word != sampled)
    answer_ = word;
  waited_s_ += std::chrono::duration<double>(Clock::now() - start).count();
}

void Turns::end()
{
  if (begins_)
    wire_->tell(sampled);
  begins_ = !begins_;
}

Turns::Wish Turns::agree(Wish own)
{
  auto const start = Clock::now();
  wire_->tell(static_cast<char>(wishes + (own.again ? 1 : 0) + (own.stop ? 2 : 0)));
  char word = answer_;
  if (word == 0)
    do // where the other side has more cases
      word = wire_->hear();
    while (word == sampled);
  waited_s_ += std::chrono::duration<double>(Clock::now() - start).count();
  answer_ = 0;
  begins_round_ = !begins_round_;
  begins_ = begins_round_;
  if (word == 0)
    return own;
  int const other = word - wishes;
  return {own.again || (other & 1) != 0, own.stop && (other & 2) != 0};
}

} // namespace strata::measure
