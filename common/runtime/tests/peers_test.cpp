#include "runtime/node/peers.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>

namespace strata::runtime {

namespace {

using std::chrono::milliseconds;

/// A process that does `work`; children of this one are peers of each other.
class Child
{
public:
  explicit Child(std::function<void()> const& work)
      : process_(::fork())
  {
    if (process_ != 0)
      return;
    ::alarm(60); // ends with the test
    work();
    std::_Exit(0);
  }
  ~Child() { exit_code(SIGKILL); }
  Child(Child const&) = delete;
  Child& operator=(Child const&) = delete;

  [[nodiscard]] int process() const { return process_; }
  void send(int signal) const { ::kill(process_, signal); }
  void wait_until_stopped() const
  {
    int status = 0;
    ::waitpid(process_, &status, WUNTRACED);
  }
  /// Sends the signal, if any, and waits for the end.
  int exit_code(int signal = 0)
  {
    if (process_ == 0)
      return 0;
    send(signal);
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

private:
  int process_;
};

void sleep_on()
{
  while (true)
    ::pause();
}

TEST(Peers, AreTheParentsProcessesOfThisExecutable)
{
  Child const first(sleep_on);
  auto const next = [&] { return next_peer() == first.process() ? 3 : 4; };
  EXPECT_EQ(Child([&] { std::_Exit(next()); }).exit_code(), 3);
}

TEST(Peers, AreStoppedBySignals)
{
  Child const child(sleep_on);
  EXPECT_FALSE(is_stopped(child.process()));
  child.send(SIGSTOP);
  child.wait_until_stopped();
  EXPECT_TRUE(is_stopped(child.process()));
}

TEST(PeerWatch, EndsTheJobOfAStoppedPeer)
{
  Child const stopped([] {
    std::raise(SIGSTOP);
    sleep_on();
  });
  stopped.wait_until_stopped();
  auto const work = [&] {
    PeerWatch const watch(
        [&](int process) { std::_Exit(process == stopped.process() ? 9 : 1); },
        milliseconds(1));
    sleep_on();
  };
  EXPECT_EQ(Child(work).exit_code(), 9);
}

TEST(PeerWatch, LetsRunningPeersBe)
{
  Child const running(sleep_on);
  auto const work = [&] {
    {
      PeerWatch const watch([](int) { std::_Exit(1); }, milliseconds(1));
      ::usleep(50'000);
    }
    std::_Exit(0);
  };
  EXPECT_EQ(Child(work).exit_code(), 0);
}

} // namespace

} // namespace strata::runtime
