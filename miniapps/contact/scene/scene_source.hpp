#pragma once

#include "config.hpp"
#include "objects.hpp"

#include "driver/miniapp.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strata::contact {

/// The number of contacts that a scene must have: exact if `deviation` is 0, else within five
/// standard deviations.
struct Expected
{
  double pairs = 0;         ///< of elements, each counted once
  double point_entries = 0; ///< points in elements
  double deviation = 0;
};

/// What makes the objects of a scene: a generator, from their gids, or a file.
class SceneSource
{
public:
  SceneSource() = default;
  SceneSource(SceneSource const&) = delete;
  SceneSource& operator=(SceneSource const&) = delete;
  virtual ~SceneSource() = default;

  [[nodiscard]] Scene const& scene() const { return scene_; }
  /// The objects with gids in this rank's share of elements and of points.
  [[nodiscard]] virtual Objects objects(runtime::Share const& share) const;
  /// The expected number of contacts at a step, if it is known.
  [[nodiscard]] virtual std::optional<Expected> expected(std::int64_t step) const
  {
    static_cast<void>(step);
    return {};
  }
  /// Whether elements belong to bodies; expected() leaves out contacts within a body.
  [[nodiscard]] virtual bool has_bodies() const { return false; }
  /// Facts for the record besides its sizes.
  [[nodiscard]] virtual report::Facts facts() const { return {}; }
  /// The mean number of entries per row, for an estimate of memory.
  [[nodiscard]] virtual double row_length() const = 0;

protected:
  // Called by several threads at once.
  [[nodiscard]] virtual Object object(index_t gid) const
  {
    static_cast<void>(gid);
    return {};
  }
  [[nodiscard]] virtual Corners corners(index_t gid) const
  {
    static_cast<void>(gid);
    return {};
  }

  Scene scene_;
};

/// The contents of a file. The counts are global; the objects are this rank's, in the order of
/// the file: elements, then free points.
struct FileContents
{
  Objects objects;
  index_t elements = 0;
  index_t points = 0;
  index_t dropped = 0; ///< simplices without volume
  bool exact = false;  ///< all numbers are whole and small enough for exact arithmetic
};

/// Reads problem.file; Error(Exit::deck), the same on all ranks, where it is wrong. Collective.
using ReadFile = FileContents (*)(Config const&, runtime::Communicator const&);

/// The scene that the config names; throws Error{Exit::deck} where its numbers are out of the
/// range in which the arithmetic is exact, or its file is wrong. `automatic`: elements where
/// the config leaves them open; `read`: what the scene `file` is read by. Collective.
std::unique_ptr<SceneSource const> make_scene_source(Config const& config,
                                                     driver::Setting const& setting,
                                                     index_t automatic, ReadFile read);

/// Names of all scenes: the values of problem.deck.
std::vector<std::string> scene_names();

} // namespace strata::contact
