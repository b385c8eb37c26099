#pragma once

#include "driver/miniapp.hpp"
#include "runtime/mpi/exchange.hpp"
#include "scene/motion.hpp"
#include "scene/objects.hpp"
#include "search/device_vector.hpp"
#include "search/geometry.hpp"
#include "search/grid.hpp"

#include <optional>
#include <vector>

namespace strata::contact {

/// What ghosts were called: gids by local index from `first` on.
struct GhostGids
{
  index_t const* gid = nullptr;
  index_t first = 0;
  index_t count = 0;
};

/// This rank's objects in device memory: its elements, whose contacts it lists, its points, and
/// behind them copies of what other ranks (or the other side of a periodic box) have nearby,
/// its ghosts. All members that move or copy objects are collective.
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
  /// Shifts of a periodic box; the first is none.
  [[nodiscard]] std::vector<Vector> const& images() const { return images_; }
  /// The step that own objects are at.
  [[nodiscard]] std::int64_t step() const { return step_; }

  /// These objects are this rank's now, elements before points; there are no ghosts. What the
  /// scene has in all must still be there.
  void adopt(Objects own);
  /// Takes the objects that it was made with to step 0.
  void start_over();
  /// Moves own objects to a step; ghosts stay where they were.
  void move_to(std::int64_t step);
  /// Copies anew what lies within `slack` of the reach of another rank's elements.
  void gather_ghosts(double slack);
  /// The ghosts' gids, copied to where gather_ghosts leaves them.
  [[nodiscard]] GhostGids ghost_gids();
  /// Takes the ghosts there are to where their originals have moved.
  void refresh_ghosts();
  /// What has happened to own objects since remember(), over all ranks.
  struct Displacement
  {
    double farthest; ///< way of one, the shorter one round a periodic box
    bool wrapped;    ///< one has left a periodic box and come in at the other side
  };
  [[nodiscard]] Displacement displacement() const;
  void remember();

  /// The largest distance along an axis of two that touch.
  [[nodiscard]] double reach() const { return reach_; }
  /// Throws Error{Exit::deck} where a periodic box is too small for objects that meet within
  /// `reach` to meet once. The same on all ranks.
  void demand_room(double reach) const;
  [[nodiscard]] Geometry geometry() const;
  [[nodiscard]] index_t bytes() const;
  /// Seconds spent in messages since it was made.
  [[nodiscard]] double communication_s() const { return communication_s_; }

private:
  /// Objects copied for one rank: a stretch of the send list, or of the ghosts.
  struct Route
  {
    int rank;
    index_t first;
    index_t count;
  };

  void upload();
  void choose_images();
  [[nodiscard]] Box row_box() const;
  void select(std::vector<Box> const& boxes, double slack);
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

  DeviceVector<double> start_[3] = {DeviceVector<double>{"x at step 0"},
                                    DeviceVector<double>{"y at step 0"},
                                    DeviceVector<double>{"z at step 0"}};
  DeviceVector<double> velocity_[3] = {DeviceVector<double>{"velocity x"},
                                       DeviceVector<double>{"velocity y"},
                                       DeviceVector<double>{"velocity z"}};
  DeviceVector<double> after_[3] = {DeviceVector<double>{"later velocity x"},
                                    DeviceVector<double>{"later velocity y"},
                                    DeviceVector<double>{"later velocity z"}};
  DeviceVector<std::int32_t> breaks_{"step of breaking"};
  DeviceVector<index_t> group_{"body at step 0"};
  DeviceVector<double> at_[3] = {DeviceVector<double>{"x"}, DeviceVector<double>{"y"},
                                 DeviceVector<double>{"z"}};
  DeviceVector<double> last_[3] = {DeviceVector<double>{"x remembered"},
                                   DeviceVector<double>{"y remembered"},
                                   DeviceVector<double>{"z remembered"}};
  DeviceVector<double> half_[3] = {DeviceVector<double>{"half x"},
                                   DeviceVector<double>{"half y"},
                                   DeviceVector<double>{"half z"}};
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
