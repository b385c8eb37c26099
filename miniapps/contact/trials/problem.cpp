#include "problem.hpp"

#include "check/launches.hpp"
#include "check/ties.hpp"
#include "io/file_contents.hpp"
#include "output/vtk_writer.hpp"

namespace strata::contact {

namespace {

/// The default number of elements per rank, at six entries each: more than any cache holds, but
/// on a host so few per thread that a case takes seconds, for a first look. Builds there are
/// bound by tests: two Xeon cores have the same rate with 2^17 elements and with a million.
index_t automatic(driver::Setting const& setting)
{
  constexpr index_t bytes_of_element = 160;
  constexpr index_t of_thread = index_t{1} << 16;
  index_t const beyond_cache = setting.beyond_cache() / bytes_of_element;
  if (!device_is_host || !Kokkos::is_initialized())
    return beyond_cache;
  return std::min(beyond_cache, of_thread * setting.world.max(index_t{Device().concurrency()}));
}

Overflow overflow_of(std::string const& name)
{
  return name == "spill" ? Overflow::spill : name == "fail" ? Overflow::fail : Overflow::grow;
}

} // namespace

Broad Choice::broad_phase() const
{
  return broad == "hash" ? Broad::hash : broad == "brute" ? Broad::brute : Broad::grid;
}

Problem::Problem(Config const& config, driver::Setting const& setting)
    : Problem(config, setting,
              make_scene_source(config, setting, automatic(setting) * setting.share.ranks,
                                contents_of))
{
}

Problem::Problem(Config const& config, driver::Setting const& setting,
                 std::unique_ptr<SceneSource const> source)
    : config_(config)
    , setting_(setting)
    , source_(std::move(source))
{
}

RowOptions Problem::row_options() const
{
  RowOptions options;
  options.capacity = config_.capacity;
  options.overflow = overflow_of(config_.overflow);
  constexpr index_t entry_bytes = 16; // gap, neighbour, birth
  options.slot_bytes = entry_bytes;
  if (setting_.device_bytes > 0)
    options.max_slots = setting_.device_bytes / entry_bytes;
  return options;
}

std::optional<Expected> Problem::expected(std::int64_t step) const
{
  auto known = source_->expected(step);
  if (known && config_.between == "points")
    known->pairs = 0;
  return config_.between == "elements" && source_->has_bodies() ? std::nullopt : known;
}

void Problem::prepare()
{
  if (scenery_) {
    scenery_->population.start_over();
    return;
  }
  for (index_t const count : {7, 1009, 100'003})
    require_visits(count);
  if (to_be_written())
    probe_vtk(config_.write_vtk, source_->scene(), setting_.world);
  scenery_ = std::make_unique<Scenery>(*source_, setting_, config_);
}

std::vector<RowSum> const& Problem::expected_rows(std::int64_t step, bool half_list)
{
  auto const [found, added] = expected_.try_emplace({step, half_list});
  if (added)
    found->second =
        brute_rows(scenery_->population, setting_.world, config_.brute_rows, step, half_list);
  return found->second;
}

std::optional<std::uint64_t> Problem::first_checksum(std::int64_t step, Choice const& choice,
                                                     std::uint64_t checksum, bool good)
{
  if (good)
    checksums_.try_emplace(step, choice, checksum);
  auto const found = checksums_.find(step);
  if (found == checksums_.end() || found->second.first == choice)
    return {};
  return found->second.second;
}

index_t Problem::near_ties()
{
  if (!near_ties_)
    near_ties_ = setting_.world.sum(contact::near_ties(*scenery_));
  return *near_ties_;
}

void Problem::write(std::vector<index_t> const& row_lengths)
{
  auto const& population = scenery_->population;
  write_vtk(config_.write_vtk, population.scene(), population.objects(), population.step(),
            row_lengths, setting_.world);
  written_ = true;
}

} // namespace strata::contact
