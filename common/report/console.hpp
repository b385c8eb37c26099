#pragma once

#include "record.hpp"

#include <chrono>
#include <ostream>
#include <string>
#include <vector>

namespace strata::report {

/// True when the stream of this file descriptor is a terminal that shows colour and the user
/// does not object (NO_COLOR).
bool shows_colour(int file_descriptor);

/// The heading, printed before anything is measured: suite, build, machine, ranks, devices,
/// deck.
std::string heading(Record const& record, bool colour);

/// "ceiling    read 18.1 GB/s, write 12 GB/s, copy 20.4 GB/s, triad 21.3 GB/s", as a line of
/// the heading; the reason where it was not measured.
std::string ceiling_line(Record const& record, bool colour);

/// One line per warning; nothing for none.
std::string warning_lines(std::vector<std::string> const& warnings, bool colour);

/// A progress line on a terminal, removed at the end.
class Progress
{
public:
  /// Shows nothing unless `terminal`.
  Progress(std::ostream& out, bool terminal)
      : out_(out)
      , terminal_(terminal)
  {
  }
  Progress(Progress const&) = delete;
  Progress& operator=(Progress const&) = delete;
  ~Progress() { clear(); }

  /// Replaces the line, at most ten times a second; what would not fit 79 columns is cut.
  void show(std::string const& text);
  void clear();

private:
  std::ostream& out_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

} // namespace strata::report
