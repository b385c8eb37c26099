#pragma once

#include "cases.hpp"

#include "testing/trials.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace strata::contact {

/// Objects given one by one, elements first.
class Given : public SceneSource
{
public:
  Given(Shape shape, int dim, double gap, std::vector<Object> objects, index_t points = 0)
      : objects_(std::move(objects))
  {
    scene_.shape = shape;
    scene_.dim = dim;
    scene_.gap = gap;
    scene_.points = points;
    scene_.elements = static_cast<index_t>(objects_.size()) - points;
  }
  [[nodiscard]] double row_length() const override { return 1; }
  /// Some have a velocity.
  void set_moving() { scene_.moves = true; }

protected:
  [[nodiscard]] Object object(index_t gid) const override
  {
    return objects_[static_cast<std::size_t>(gid)];
  }

private:
  std::vector<Object> objects_;
};

inline Object sphere(index_t gid, Vector const& at, double radius)
{
  Object made;
  made.gid = made.body = gid;
  made.at = at;
  made.half = {radius, radius, radius};
  return made;
}

inline driver::Setting setting_of_world()
{
  driver::Setting setting;
  setting.world = runtime::Communicator::world();
  setting.share = {setting.world.rank(), setting.world.ranks()};
  return setting;
}

/// Every structure, list, broad and narrow phase that there is.
inline Config everything()
{
  Config config;
  config.kernel = {"build", "statistics", "update"};
  config.variant = {"ragged", "dyn_ragged", "dense_right", "dense_left", "ragged_slack",
                    "paged",  "list_pool",  "list",        "vecvec"};
  config.broad = {"grid", "hash", "nbs", "brute"};
  config.narrow = {"inlined", "virtual"};
  config.list = {"full", "half"};
  config.list_order = {"fresh", "churned"};
  config.skin = 4; // few candidates more than contacts
  return config;
}

/// Names of the verdicts that reject on some rank; every rank has the same verdicts.
inline std::set<std::string> rejecting(std::vector<verify::Verdict> const& verdicts,
                                       runtime::Communicator const& world)
{
  std::vector<double> rejects;
  for (auto const& verdict : verdicts)
    rejects.push_back(verdict.passed ? 0 : 1);
  rejects = world.sum(rejects);
  std::set<std::string> names;
  for (std::size_t v = 0; v < verdicts.size(); ++v)
    if (rejects[v] > 0)
      names.insert(verdicts[v].metric);
  return names;
}

/// Runs every case for one step, sees it pass all its checks, and returns what was found: one
/// value for each fact that all cases of a kernel agree on.
inline std::map<std::string, std::string> found_by(Shared const& problem)
{
  std::map<std::string, std::string> facts;
  testing::each_trial(cases_of(problem), [&](driver::Case const& one, driver::Trial& trial) {
    auto const& label = one.label;
    testing::take_steps(trial, 1);
    EXPECT_EQ(rejecting(trial.verify(1), problem->setting().world), std::set<std::string>())
        << label;
    auto const kernel = label.substr(0, label.find('/'));
    for (auto const& [name, value] : trial.findings()) {
      if (name != "checksum" && label.find("/half") != std::string::npos)
        continue;
      auto const [at, added] = facts.emplace(kernel + " " + name, value);
      EXPECT_EQ(at->second, value) << label << ": " << name;
    }
  });
  return facts;
}

/// How the first case went, after one step.
inline std::map<std::string, std::string> outcome_of(Shared const& problem)
{
  std::map<std::string, std::string> facts;
  testing::each_trial({cases_of(problem).at(0)},
                      [&](driver::Case const&, driver::Trial& trial) {
                        testing::take_steps(trial, 1);
                        trial.verify(1);
                        for (auto const& [name, value] : trial.outcome())
                          facts.emplace(name, value);
                      });
  return facts;
}

inline std::map<std::string, std::string> found_in(Config const& config)
{
  return found_by(std::make_shared<Problem>(config, setting_of_world()));
}

} // namespace strata::contact
