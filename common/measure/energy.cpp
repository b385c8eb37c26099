#include "energy.hpp"

#include "base/kokkos.hpp"
#include "base/text.hpp"
#include "runtime/node/gpu.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

namespace strata::measure {

namespace {

namespace fs = std::filesystem;

constexpr double shortest = 2; // seconds

double now()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// A processor package's counter in microjoules, which starts again at zero past its range.
struct Package
{
  fs::path file;
  std::int64_t range;
  std::int64_t last;
};

class Rapl : public EnergyCounter
{
public:
  explicit Rapl(std::vector<Package> packages)
      : packages_(std::move(packages))
  {
  }
  std::optional<double> joules() override
  {
    for (auto& package : packages_) {
      auto const reading = runtime::whole_number(package.file);
      if (!reading)
        return {};
      auto const more = *reading - package.last;
      microjoules_ += static_cast<double>(more < 0 ? more + package.range : more);
      package.last = *reading;
    }
    return microjoules_ * 1e-6;
  }

private:
  std::vector<Package> packages_;
  double microjoules_ = 0;
};

/// The zone of each package, by the package's name. Where the kernel reaches one counter in two
/// ways, by registers (intel-rapl:0) and by mapped memory (intel-rapl-mmio:0), the former.
std::map<std::string, fs::path> package_zones(runtime::Root const& root)
{
  std::map<std::string, fs::path> zones;
  std::error_code none;
  auto const preference = [](fs::path const& zone) {
    return std::pair(!zone.filename().string().starts_with("intel-rapl:"), zone);
  };
  for (auto const& entry : fs::directory_iterator(root / "sys/class/powercap", none)) {
    auto const name = runtime::first_line(entry.path() / "name").value_or("");
    if (!name.starts_with("package-"))
      continue;
    auto& zone = zones.try_emplace(name, entry.path()).first->second;
    zone = std::min(preference(zone), preference(entry.path())).second;
  }
  return zones;
}

/// Nothing, with `why`, where the zone cannot be followed.
std::optional<Package> package_of(fs::path const& zone, std::string& why)
{
  auto const reading = runtime::whole_number(zone / "energy_uj");
  if (!reading) {
    why = "the RAPL counters may not be read; most systems let only root do so";
    return {};
  }
  auto const range = runtime::whole_number(zone / "max_energy_range_uj").value_or(0);
  if (range <= 0) {
    why = "the RAPL counter " + zone.filename().string() +
          " does not tell where it wraps (max_energy_range_uj)";
    return {};
  }
  return Package{zone / "energy_uj", range, *reading};
}

/// The few functions of the library that are called, by the names it exports.
class Nvml : public EnergyCounter
{
public:
  using Init = int (*)();
  using Handle = int (*)(char const*, void**);
  using TotalEnergy = int (*)(void*, unsigned long long*);

  Nvml(void* device, TotalEnergy total_energy)
      : device_(device)
      , total_energy_(total_energy)
  {
  }
  std::optional<double> joules() override
  {
    unsigned long long millijoules = 0;
    if (total_energy_(device_, &millijoules) != 0)
      return {};
    return static_cast<double>(millijoules) * 1e-3;
  }

private:
  void* device_;
  TotalEnergy total_energy_;
};

template <class Function>
Function function_of(void* library, char const* name)
{
  return reinterpret_cast<Function>(dlsym(library, name));
}

} // namespace

std::unique_ptr<EnergyCounter> rapl_counter(std::string& why, runtime::Root const& root)
{
  auto const zones = package_zones(root);
  if (zones.empty()) {
    why = "the system has no RAPL counters";
    return nullptr;
  }
  std::vector<Package> packages;
  for (auto const& [name, zone] : zones) {
    auto const package = package_of(zone, why);
    if (!package)
      return nullptr;
    packages.push_back(*package);
  }
  return std::make_unique<Rapl>(std::move(packages));
}

std::unique_ptr<EnergyCounter> nvml_counter(std::string& why)
{
  why = "NVIDIA's management library is not there, or has no energy counter for this GPU";
  void* const library = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr)
    return nullptr;
  auto const init = function_of<Nvml::Init>(library, "nvmlInit_v2");
  auto const handle = function_of<Nvml::Handle>(library, "nvmlDeviceGetHandleByPciBusId_v2");
  auto const energy =
      function_of<Nvml::TotalEnergy>(library, "nvmlDeviceGetTotalEnergyConsumption");
  void* device = nullptr;
  if (init == nullptr || handle == nullptr || energy == nullptr || init() != 0 ||
      handle(runtime::gpu_pci_id().c_str(), &device) != 0)
    return nullptr;
  auto counter = std::make_unique<Nvml>(device, energy);
  if (!counter->joules())
    return nullptr;
  why.clear();
  return counter;
}

bool reads_counter(std::vector<std::string> const& boards, int local_rank)
{
  auto const mine = boards.begin() + local_rank;
  return std::find(boards.begin(), mine, *mine) == mine;
}

EnergyMeter::EnergyMeter(runtime::Communicator const& world)
    : world_(world)
    , source_(device_is_cuda ? "NVML" : "RAPL")
    , scope_(device_is_cuda ? "device" : "package")
{
  auto const node = runtime::Communicator::node();
  if (!reads_counter(node.all_gather(runtime::gpu_pci_id()), node.rank()))
    return;
  if (device_is_cuda)
    counter_ = nvml_counter(reason_);
  else if (device_is_host)
    counter_ = rapl_counter(reason_);
  else
    reason_ = "energy of this kind of GPU is not read";
}

EnergyMeter::EnergyMeter(runtime::Communicator const& world,
                         std::unique_ptr<EnergyCounter> counter, std::string source,
                         std::string scope, std::string why)
    : world_(world)
    , counter_(std::move(counter))
    , source_(std::move(source))
    , scope_(std::move(scope))
    , reason_(std::move(why))
{
}

void EnergyMeter::start()
{
  before_ = counter_ ? counter_->joules() : std::nullopt;
  since_ = now();
}

void EnergyMeter::keep_up()
{
  if (counter_)
    counter_->joules();
}

std::optional<Energy> EnergyMeter::stop()
{
  auto const after = counter_ ? counter_->joules() : std::nullopt;
  double const seconds = world_.max(now() - since_);
  if (counter_ && reason_.empty() && !(before_ && after))
    reason_ = "an energy counter could not be read";
  if (auto const first = world_.first_text(reason_); reason_.empty())
    reason_ = first;
  if (reason_.empty() && seconds < shortest)
    reason_ = "measured for less than " + text::number(shortest) +
              " seconds, too short for energy counters";
  if (world_.any(!reason_.empty()))
    return {};
  return Energy{source_, scope_, world_.sum(counter_ ? *after - *before_ : 0.0), seconds};
}

} // namespace strata::measure
