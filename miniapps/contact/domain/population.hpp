#pragma once

#include "driver/miniapp.hpp"
#include "grid/device_vector.hpp"
#include "grid/geometry.hpp"
#include "grid/grid.hpp"
#include "runtime/mpi/exchange.hpp"
#include "scene/motion.hpp"
#include "scene/objects.hpp"

#include <optional>
#include <vector>

namespace strata::contact {

/// The gids of former ghosts, by local index from `first` on.
struct GhostGids
{
  index_t const* gid = nullptr;
  index_t first = 0;
  index_t count = 0;
};

/// This rank's objects in device memory: its elements, whose contacts it lists, then its
/// points, then its ghosts: copies of objects near its elements from other ranks or from the
/// other side of a periodic box. Members that move or copy objects are collective.
class Population
{
public:
  /// `own`: elements before points.
  Population(Objects own, Scene const& scene, driver::Setting const& setting);

  [[nodiscard]] index_t rows() const { return rows_; }
  [[nodiscard]] index_t own() const { return own_; }
  [[nodiscard]] index_t all() const { return own_ + ghosts_; }
  [[nodiscard]] Scene const& scene() const { return scene_; }
  [[nodiscard]] Objects const& objects() const { return objects_; }
  /// The shifts of periodic images; the first is zero.
  [[nodiscard]] std::vector<Vector> const& images() const { return images_; }
  /// The step that own objects are at.
  [[nodiscard]] std::int64_t step() const { return step_; }

  /// Replaces this rank's objects, elements before points, and drops all ghosts. All ranks
  /// together must still have every object of the scene.
  void adopt(Objects own);
  /// Returns to the original objects at step 0.
  void start_over();
  /// Moves own objects to a step; ghosts stay where they were.
  void move_to(std::int64_t step);
  /// Selects and copies the objects within `slack` of the reach of another rank's elements.
  void gather_ghosts(double slack);
  /// Copies the ghosts' gids to memory that gather_ghosts does not change.
  [[nodiscard]] GhostGids ghost_gids();
  /// Updates the ghosts' positions from their originals.
  void refresh_ghosts();
  /// The motion of own objects since remember(), over all ranks.
  struct Displacement
  {
    double farthest; ///< way of one, the shorter one round a periodic box
    bool wrapped;    ///< one has left a periodic box and come in at the other side
  };
  [[nodiscard]] Displacement displacement() const;
  void remember();

  /// The largest distance along an axis of two objects that touch.
  [[nodiscard]] double reach() const { return reach_; }
  /// Throws Error{Exit::deck}, the same on all ranks, if a periodic box is so small that two
  /// objects within `reach` could meet twice.
  void demand_room(double reach) const;
  [[nodiscard]] Geometry geometry() const;
  /// Between the ranks' device memories.
  [[nodiscard]] runtime::Exchange& exchange() { return exchange_; }
  [[nodiscard]] index_t bytes() const;
  /// Seconds spent in messages since it was made.
  [[nodiscard]] double communication_s() const { return communication_s_; }

private:
  /// The objects copied for or from one rank: a range of the send list or of the ghosts.
  struct Route
  {
    int rank;
    index_t first;
    index_t count;
  };

  void upload();
  void choose_images();
  /// Of the first objects.
  [[nodiscard]] Box box_of(index_t objects) const;
  void select(std::vector<Box> const& boxes, Box const& mine, double slack);
  void announce();
  void send(bool positions_only);
  [[nodiscard]] int words(bool positions_only) const;

  void number();

  Scene scene_;
  Objects objects_;
  std::optional<Objects> home_; ///< those it was made with, while it has others
  runtime::Communicator world_;
  runtime::Exchange exchange_;
  index_t rows_ = 0, own_ = 0, ghosts_ = 0;
  std::int64_t step_ = 0;
  double reach_ = 0;
  Quanta quanta_;
  bool bonded_ = false;
  int halves_ = 1;
  std::vector<Vector> images_;
  std::vector<Route> sending_, receiving_;
  double communication_s_ = 0;

  DeviceVector<double> start_[3] = {"x at step 0", "y at step 0", "z at step 0"};
  DeviceVector<double> velocity_[3] = {"velocity x", "velocity y", "velocity z"};
  DeviceVector<double> after_[3] = {"later velocity x", "later velocity y", "later velocity z"};
  DeviceVector<std::int32_t> breaks_{"step of breaking"};
  DeviceVector<index_t> group_{"body at step 0"};
  DeviceVector<double> at_[3] = {"x", "y", "z"};
  DeviceVector<double> last_[3] = {"x remembered", "y remembered", "z remembered"};
  DeviceVector<double> half_[3] = {"half x", "half y", "half z"};
  DeviceVector<index_t> gid_{"gid"};
  DeviceVector<index_t> old_gid_{"ghosts' gids before"};
  DeviceVector<index_t> body_{"body"};
  DeviceVector<double> corner_{"corners"};
  DeviceVector<index_t> point_{"points of corners"};
  DeviceVector<std::int32_t> source_{"sent objects"};
  DeviceVector<std::int32_t> image_{"sent images"};
  DeviceVector<double> outbox_{"outbox"};
  DeviceVector<double> inbox_{"inbox"};
};

} // namespace strata::contact
