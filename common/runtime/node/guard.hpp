#pragma once

#include <array>
#include <csignal>
#include <string_view>

namespace strata::runtime {

/// While it lives, a crash or, after a minute, a hang of this process ends it with
/// Exit::placement and a message, for trials of what a driver or library may get wrong. One at
/// a time.
class Guard
{
public:
  /// Texts that outlive it, each a line with its end.
  Guard(std::string_view crashed, std::string_view hung);
  ~Guard();
  Guard(Guard const&) = delete;
  Guard& operator=(Guard const&) = delete;

private:
  static constexpr std::array signals{SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGALRM};
  std::array<struct sigaction, signals.size()> before_{};
};

} // namespace strata::runtime
