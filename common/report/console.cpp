#include "console.hpp"

#include "ceiling.hpp"
#include "grid.hpp"

#include "base/text.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace strata::report {

namespace {

std::string heading_line(std::string name, std::string const& content, bool colour)
{
  name.resize(9, ' ');
  return "  " + painted(name, Look::faint, colour) + content + "\n";
}

/// "2 x NVIDIA H200": the kinds of device and the ranks on each.
std::string devices(Record const& record)
{
  std::vector<std::pair<std::string, int>> kinds;
  for (auto const& place : record.placement) {
    auto const known = std::find_if(kinds.begin(), kinds.end(), [&](auto const& kind) {
      return kind.first == place.device;
    });
    if (known == kinds.end())
      kinds.emplace_back(place.device, 1);
    else
      ++known->second;
  }
  std::vector<std::string> words;
  for (auto const& [name, count] : kinds)
    words.push_back(std::to_string(count) + " x " + name);
  return text::join(words);
}

std::string title(Record const& record)
{
  std::string title = "strata-" + record.app + " " + record.suite.version;
  if (!record.suite.git.empty())
    title += " (" + record.suite.git.substr(0, 12) +
             (record.suite.dirty ? ", with uncommitted changes)" : ")");
  return title;
}

std::string build(Record const& record)
{
  auto const& build = record.build;
  return build.type + ", " + build.compiler + ", Kokkos " + build.kokkos + " (" +
         text::join(build.backends) + "), " + build.mpi +
         (build.bounds_check ? ", bounds checks on" : "");
}

/// "4 ranks x 16 threads on 1 node of alps"; "x 15-16 threads" where ranks differ.
std::string ranks(Record const& record)
{
  auto const count = [](int n) { return static_cast<std::size_t>(n); };
  auto text = text::plural(count(record.mpi.ranks), "rank");
  auto const [least, most] =
      std::minmax_element(record.placement.begin(), record.placement.end(),
                          [](auto const& a, auto const& b) { return a.threads < b.threads; });
  if (least != record.placement.end() && least->threads == most->threads)
    text += " x " + text::plural(count(most->threads), "thread");
  else if (least != record.placement.end())
    text += " x " + std::to_string(least->threads) + "-" + std::to_string(most->threads) +
            " threads";
  return text + " on " + text::plural(count(record.mpi.nodes), "node") + " of " +
         record.run.system;
}

std::string deck(Record const& record)
{
  auto const& deck = record.deck;
  std::string text = deck.path.empty() ? "built in" : deck.path;
  if (!deck.overrides.empty())
    text += " with " + text::join(deck.overrides);
  return text + ", tier " + record.run.tier;
}

} // namespace

bool shows_colour(int file_descriptor)
{
  char const* const terminal = std::getenv("TERM");
  char const* const objection = std::getenv("NO_COLOR");
  return ::isatty(file_descriptor) == 1 && terminal != nullptr &&
         std::string_view(terminal) != "dumb" && (objection == nullptr || *objection == '\0');
}

std::string heading(Record const& record, bool colour)
{
  std::string lines = painted(title(record), Look::strong, colour) + "\n";
  lines += heading_line("build", build(record), colour);
  lines += heading_line("ranks", ranks(record), colour);
  lines += heading_line("devices", devices(record), colour);
  return lines + heading_line("deck", deck(record), colour);
}

std::string ceiling_line(Record const& record, bool colour)
{
  auto const ceiling = ceiling_of(record.ceilings);
  if (!ceiling)
    return heading_line("ceiling", "not measured: " + why_no_ceiling(record), colour);
  return heading_line("ceiling",
                      "read " + text::si(ceiling->read, "B/s") + ", write " +
                          text::si(ceiling->write, "B/s") + ", copy " +
                          text::si(ceiling->copy, "B/s") + ", triad " +
                          text::si(ceiling->triad, "B/s"),
                      colour);
}

std::string warning_lines(std::vector<std::string> const& warnings, bool colour)
{
  std::string lines;
  for (auto const& warning : warnings)
    lines += painted("warning: ", Look::warning, colour) + warning + "\n";
  return lines;
}

void Progress::show(std::string const& text)
{
  auto const now = std::chrono::steady_clock::now();
  if (!terminal_ || (shown_ && now - last_ < std::chrono::milliseconds(100)))
    return;
  out_ << "\r\033[K" + text.substr(0, 79) << std::flush;
  shown_ = true;
  last_ = now;
}

void Progress::clear()
{
  if (shown_)
    out_ << "\r\033[K" << std::flush;
  shown_ = false;
}

} // namespace strata::report
