#pragma once

#include <memory>
#include <string>

namespace strata::measure {

/// Which side of two runs this one is, and the socket at which they meet.
struct Meeting
{
  bool first = false;
  std::string path;

  /// From "first:PATH" or "second:PATH". Throws std::invalid_argument, whose text says what is
  /// wrong.
  static Meeting parse(std::string const& text);
};

/// This run's side of two runs on one node that measure in turn: while one takes a sample, the
/// other sleeps. Of a round's samples the first begins one, the second the next, and so on
/// (ABBA), and in the next round the second begins, so that a drift of the machine meets both
/// alike. A side whose other side has ended,
/// or that is interrupted itself, goes on alone.
class Turns
{
public:
  /// Waits until the other side is there. Throws Error(Exit::placement) where they cannot meet.
  explicit Turns(Meeting const& meeting);
  ~Turns();
  Turns(Turns const&) = delete;
  Turns& operator=(Turns const&) = delete;

  /// What both sides want at the end of a round.
  struct Wish
  {
    bool again = false; ///< to take the rounds anew; one side's wish is enough
    bool stop = false;  ///< to take no more of them; both must wish it
  };

  /// Begins a sample: waits for this side's turn.
  void begin();
  /// Ends it: the other side may measure.
  void end();
  /// Ends a round; the answer is the same on both sides.
  Wish agree(Wish own);
  /// Seconds that begin() and agree() have waited.
  [[nodiscard]] double waited_s() const { return waited_s_; }

private:
  class Wire;

  std::unique_ptr<Wire> wire_;
  bool begins_round_; ///< this side begins the round's first sample
  bool begins_;       ///< and the next one
  char answer_ = 0;   ///< the other side's for this round, where it has come before its time
  double waited_s_ = 0;
};

} // namespace strata::measure
