#pragma once

#include "config.hpp"

#include "array/ragged/rows.hpp"
#include "check/reference.hpp"
#include "domain/scenery.hpp"
#include "driver/miniapp.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace strata::contact {

/// A combination of the deck's axes, by deck names.
struct Choice
{
  std::string kernel, variant, broad, narrow, list, list_order, store;

  bool operator==(Choice const&) const = default;
  [[nodiscard]] bool half_list() const { return list == "half"; }
  [[nodiscard]] bool stores_rows() const { return store == "rows"; }
  [[nodiscard]] Broad broad_phase() const;
};

/// What all cases of a run share: the scene, its objects once they are made, and the results of
/// brute force.
class Problem
{
public:
  Problem(Config const& config, driver::Setting const& setting);
  /// With objects of its own.
  Problem(Config const& config, driver::Setting const& setting,
          std::unique_ptr<SceneSource const> source);

  [[nodiscard]] Config const& config() const { return config_; }
  [[nodiscard]] driver::Setting const& setting() const { return setting_; }
  [[nodiscard]] SceneSource const& source() const { return *source_; }
  [[nodiscard]] Scenery& scenery() const { return *scenery_; }
  [[nodiscard]] RowOptions row_options() const;
  /// What is known beforehand of the contacts at a step.
  [[nodiscard]] std::optional<Expected> expected(std::int64_t step) const;

  /// Makes the objects at the first call and takes them to step 0 at each. At the first call
  /// problem.write_vtk must be writable. Collective.
  void prepare();
  /// The rows by brute force up to a step, computed once per step; see brute_rows. Collective.
  std::vector<RowSum> const& expected_rows(std::int64_t step, bool half_list);
  /// The checksum at a step of the first case that reached it and passed all other checks
  /// (`good`), which all other cases must equal; nothing for that case itself.
  std::optional<std::uint64_t> first_checksum(std::int64_t step, Choice const& choice,
                                              std::uint64_t checksum, bool good);
  /// Of an inexact scene, which does not move: see ties.hpp. Collective.
  index_t near_ties();
  /// Whether problem.write_vtk is still to be written.
  [[nodiscard]] bool to_be_written() const { return !written_ && !config_.write_vtk.empty(); }
  /// Writes it, with the lengths of this rank's rows. Collective.
  void write(std::vector<index_t> const& row_lengths);

private:
  Config config_;
  driver::Setting setting_;
  std::unique_ptr<SceneSource const> source_;
  std::unique_ptr<Scenery> scenery_;
  std::map<std::pair<std::int64_t, bool>, std::vector<RowSum>> expected_;
  std::map<std::int64_t, std::pair<Choice, std::uint64_t>> checksums_;
  std::optional<index_t> near_ties_;
  bool written_ = false;
};

using Shared = std::shared_ptr<Problem>;

// Makers of the trials, by structure; empty where a combination is none that tells anything.
driver::Maker ragged_maker(Choice const& choice, Shared const& problem);
driver::Maker dyn_ragged_maker(Choice const& choice, Shared const& problem);
driver::Maker dense_right_maker(Choice const& choice, Shared const& problem);
driver::Maker dense_left_maker(Choice const& choice, Shared const& problem);
driver::Maker slack_maker(Choice const& choice, Shared const& problem);
driver::Maker paged_maker(Choice const& choice, Shared const& problem);
driver::Maker list_pool_maker(Choice const& choice, Shared const& problem);
driver::Maker list_maker(Choice const& choice, Shared const& problem);
driver::Maker vecvec_maker(Choice const& choice, Shared const& problem);

} // namespace strata::contact
