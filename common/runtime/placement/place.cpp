#include "place.hpp"

#include "runtime/mpi/fields.hpp"

#include <algorithm>
#include <array>

namespace strata::runtime {

namespace {

using Line = std::array<std::string, 10>;

std::string or_dash(std::string const& text)
{
  return text.empty() ? "-" : text;
}

std::string or_dash(int number)
{
  return number < 0 ? "-" : std::to_string(number);
}

Line line(Place const& place)
{
  return {place.host,
          std::to_string(place.rank),
          std::to_string(place.local_rank),
          or_dash(place.cpuset),
          or_dash(place.numa),
          std::to_string(place.threads),
          or_dash(place.binding),
          or_dash(place.device_id),
          place.device,
          or_dash(place.pci_id)};
}

} // namespace

std::string pack_place(Place const& place)
{
  return pack({place.host, std::to_string(place.rank), std::to_string(place.local_rank),
               place.cpuset, std::to_string(place.numa), std::to_string(place.threads),
               std::to_string(place.device_id), place.device, place.pci_id, place.uuid,
               std::to_string(place.memory_bytes), place.binding, place.driver});
}

Place unpack_place(std::string const& packed)
{
  auto const fields = unpack(packed);
  return {.host = fields.at(0),
          .rank = std::stoi(fields.at(1)),
          .local_rank = std::stoi(fields.at(2)),
          .cpuset = fields.at(3),
          .numa = std::stoi(fields.at(4)),
          .threads = std::stoi(fields.at(5)),
          .device_id = std::stoi(fields.at(6)),
          .device = fields.at(7),
          .pci_id = fields.at(8),
          .uuid = fields.at(9),
          .driver = fields.at(12),
          .memory_bytes = std::stoll(fields.at(10)),
          .binding = fields.at(11)};
}

std::string binding_report(std::vector<Place> const& places)
{
  std::vector<Line> lines{
      {"host", "rank", "local", "cpuset", "numa", "threads", "binding", "id", "device", "pci"}};
  for (auto const& place : places)
    lines.push_back(line(place));

  std::array<std::size_t, std::tuple_size_v<Line>> widths{};
  for (auto const& cells : lines)
    for (std::size_t column = 0; column < cells.size(); ++column)
      widths[column] = std::max(widths[column], cells[column].size());

  std::string table;
  for (auto const& cells : lines) {
    for (std::size_t column = 0; column + 1 < cells.size(); ++column)
      table += cells[column] + std::string(widths[column] - cells[column].size() + 2, ' ');
    table += cells.back() + "\n";
  }
  return table;
}

} // namespace strata::runtime
