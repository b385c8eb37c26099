#include "sight.hpp"

#include "base/text.hpp"
#include "runtime/mpi/fields.hpp"

#include <cstdlib>

namespace strata::runtime {

namespace {

std::string pack_gpu(Gpu const& gpu)
{
  return pack({std::to_string(gpu.id), gpu.name, gpu.pci_id, gpu.uuid,
               std::to_string(gpu.memory_bytes), std::to_string(gpu.numa)});
}

Gpu unpack_gpu(std::string const& packed)
{
  auto const fields = unpack(packed);
  return {std::stoi(fields.at(0)),  fields.at(1),           fields.at(2), fields.at(3),
          std::stoll(fields.at(4)), std::stoi(fields.at(5))};
}

} // namespace

std::string pack_sight(Sight const& sight)
{
  auto const& threads = sight.threads;
  std::vector<std::string> fields{sight.host,
                                  std::to_string(sight.rank),
                                  format_cpus(sight.cpus),
                                  std::to_string(sight.cores),
                                  format_cpus(sight.numa),
                                  sight.proc_bind,
                                  sight.quota ? text::number(*sight.quota) : "",
                                  threads ? std::to_string(threads->value) : "",
                                  threads ? threads->by : ""};
  for (auto const& gpu : sight.gpus)
    fields.push_back(pack_gpu(gpu));
  return pack(fields);
}

Sight unpack_sight(std::string const& packed)
{
  auto const fields = unpack(packed);
  Sight sight;
  sight.host = fields.at(0);
  sight.rank = std::stoi(fields.at(1));
  sight.cpus = parse_cpus(fields.at(2));
  sight.cores = std::stoi(fields.at(3));
  sight.numa = parse_cpus(fields.at(4));
  sight.proc_bind = fields.at(5);
  if (!fields.at(6).empty())
    sight.quota = std::strtod(fields[6].c_str(), nullptr);
  if (!fields.at(7).empty())
    sight.threads = Wish{std::stoi(fields[7]), fields.at(8)};
  for (std::size_t gpu = 9; gpu < fields.size(); ++gpu)
    sight.gpus.push_back(unpack_gpu(fields[gpu]));
  return sight;
}

std::string in_words(Gpu const& gpu)
{
  if (gpu.pci_id.empty() && gpu.uuid.empty())
    return gpu.name + " number " + std::to_string(gpu.id);
  return gpu.name + " " + (gpu.pci_id.empty() ? gpu.uuid : gpu.pci_id);
}

std::string in_words(Sight const& rank)
{
  return "rank " + std::to_string(rank.rank) + " on host " + rank.host;
}

std::string in_words(std::vector<Sight> const& node, std::vector<std::size_t> const& members)
{
  std::string words;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i > 0)
      words += i + 1 == members.size() ? " and " : ", ";
    words += std::to_string(node[members[i]].rank);
  }
  return (members.size() == 1 ? "rank " : "ranks ") + words + " on host " +
         node[members.front()].host;
}

} // namespace strata::runtime
