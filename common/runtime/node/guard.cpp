#include "guard.hpp"

#include "base/error.hpp"

#include <unistd.h>

namespace strata::runtime {

namespace {

constexpr unsigned patience_s = 60;

// A signal handler can reach nothing else.
std::string_view crash_text;
std::string_view hang_text;

extern "C" void say_and_end(int number)
{
  auto const& text = number == SIGALRM ? hang_text : crash_text;
  [[maybe_unused]] auto const written = write(STDERR_FILENO, text.data(), text.size());
  _exit(static_cast<int>(Exit::placement));
}

} // namespace

Guard::Guard(std::string_view crashed, std::string_view hung)
{
  crash_text = crashed;
  hang_text = hung;
  struct sigaction action = {};
  action.sa_handler = say_and_end;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i)
    sigaction(signals[i], &action, &before_[i]);
  alarm(patience_s);
}

Guard::~Guard()
{
  alarm(0);
  for (std::size_t i = 0; i < signals.size(); ++i)
    sigaction(signals[i], &before_[i], nullptr);
}

} // namespace strata::runtime
