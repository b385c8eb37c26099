#include "interrupt.hpp"

#include <csignal>

namespace strata::runtime {

namespace {

std::sig_atomic_t volatile interrupt_flag = 0; // a signal handler can reach nothing else

extern "C" void note_signal(int number)
{
  interrupt_flag = 1;
  if (number == SIGINT)
    std::signal(SIGINT, SIG_DFL);
}

} // namespace

void watch_interrupts()
{
  struct sigaction action = {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
}

void outlive_readers()
{
  std::signal(SIGPIPE, SIG_IGN);
}

bool interrupted()
{
  return interrupt_flag != 0;
}

} // namespace strata::runtime
